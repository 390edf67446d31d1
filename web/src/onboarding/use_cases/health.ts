import { type UseCase, use } from '../use_case.ts';

const NO_DETAILS = 'Keep diagnoses, results and names of medicines out of the text: phones are read by others too.';

export const HEALTH: Readonly<Record<number, readonly UseCase[]>> = {
  // Sport and fitness
  33: [
    use(
      'SMS',
      'service',
      'Class moved',
      "Hi {first_name}, tonight's class starts at {custom1} instead. Reply NO if you cannot come and we free your place.",
      'At least three hours before',
    ),
    use(
      'SMS',
      'conversation',
      'We miss you',
      '{first_name}, we have not seen you for two weeks. Everything all right? Reply and a trainer helps you to find a time that fits.',
      'Monday 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'marketing',
      'Bring a friend',
      'Hi {first_name}, this weekend a friend trains with you for free. Show this message at the desk. Want to plan it? Just write here.',
      'Thursday 16:00-19:00',
    ),
  ],
  // Health care
  3: [
    use(
      'SMS',
      'service',
      'Appointment reminder',
      'Hi {first_name}, your appointment is on {custom1}. Please bring your card. Reply C to confirm or R to choose another time.',
      'Two days before and again the day before, 9:00-18:00',
      NO_DETAILS,
    ),
    use(
      'SMS',
      'service',
      'Results are there',
      '{first_name}, there is news for you. Sign in to your patient portal to read it, or call us during opening hours.',
      'Weekdays, when somebody can answer questions',
      `${NO_DETAILS} In the United States HIPAA applies.`,
    ),
    use(
      'SMS',
      'service',
      'Flu season',
      'Hi {first_name}, flu shots are available now, no appointment needed: Mon-Fri 8-12. Bring your vaccination record.',
      'Early autumn, 9:00-11:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'How do you feel?',
      'Hello {first_name}, it has been three days since your visit. How do you feel? 1 better, 2 the same, 3 worse. Worse: we call you today.',
      'Three days after, 10:00-12:00',
      NO_DETAILS,
    ),
  ],
};
