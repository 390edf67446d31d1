import { type UseCase, use } from '../use_case.ts';

const NO_DETAILS = 'Keep diagnoses, results and names of medicines out of the text: phones are read by others too.';

export const HEALTH: Readonly<Record<number, readonly UseCase[]>> = {
  // Beauty and wellness
  6: [
    use(
      'SMS',
      'service',
      'Tomorrow’s appointment',
      'Hi {first_name}, see you tomorrow at {custom1}. Not possible after all? Reply NO and we give the place to somebody else.',
      'The day before, 10:00-12:00',
    ),
    use(
      'SMS',
      'marketing',
      'A free hour today',
      '{first_name}, an hour has opened up at {custom1} today, 20% off as a thank you. Reply YES to take it. Reply STOP to opt out.',
      'As soon as the hour is free, from 9:00',
    ),
    use(
      'VIBER',
      'marketing',
      'Time for a visit',
      'Hi {first_name}, six weeks already. Shall we freshen up your colour? Choose your time with one tap.',
      'Wednesday or Thursday, 17:00-19:00',
    ),
  ],
  // Fitness and sports
  18: [
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
  23: [
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
  // Pharmacy
  32: [
    use(
      'SMS',
      'service',
      'Ready for pick-up',
      'Hi {first_name}, your order is ready. Pick it up until {custom1}; please bring your ID. Open today until 19:00.',
      'As soon as it is packed, 8:00-18:00',
      NO_DETAILS,
    ),
    use(
      'SMS',
      'service',
      'Time to refill',
      '{first_name}, your supply should last about another week. Reply YES and we prepare the next one for you.',
      'A week before it runs out, 9:00-12:00',
      NO_DETAILS,
    ),
    use(
      'SMS',
      'service',
      'On duty tonight',
      'We are on emergency duty tonight until 8:00. Ring at the night window, Mill Street side.',
      'Early evening, only to people who asked for it',
    ),
  ],
};
