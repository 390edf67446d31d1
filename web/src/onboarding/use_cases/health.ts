import { type UseCase, use } from '../use_case.ts';

const NO_DETAILS = 'Leave out diagnoses, results, and medication names. Other people may see the phone.';

export const HEALTH: Readonly<Record<number, readonly UseCase[]>> = {
  // Sport and fitness
  33: [
    use(
      'SMS',
      'service',
      'Class moved',
      "Hi {first_name}, tonight's class starts at {custom1} instead. If you can't make it, reply NO and we'll " +
        'release your spot.',
      'At least three hours before',
    ),
    use(
      'SMS',
      'conversation',
      'We miss you',
      "{first_name}, we haven't seen you in two weeks. Everything OK? Just reply, and a trainer will help you find " +
        'a time that works.',
      'Monday, 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'marketing',
      'Bring a friend',
      'Hi {first_name}, bring a friend for free this weekend. Just show this message at the front desk. ' +
        'Questions? Message us here.',
      'Thursday, 16:00-19:00',
    ),
  ],
  // Health care
  3: [
    use(
      'SMS',
      'service',
      'Appointment reminder',
      'Hi {first_name}, your appointment is on {custom1}. Bring your insurance card. Reply C to confirm or R ' +
        'to reschedule.',
      'Two days before and again the day before, 9:00-18:00',
      NO_DETAILS,
    ),
    use(
      'SMS',
      'service',
      'Results are ready',
      '{first_name}, you have a new message. Sign in to your patient portal to read it, or call us during ' +
        'office hours.',
      'Weekdays, when staff can answer questions',
      `${NO_DETAILS} In the United States, HIPAA applies.`,
    ),
    use(
      'SMS',
      'service',
      'Flu season',
      'Hi {first_name}, flu shots are available now, Mon-Fri 8 AM-noon. No appointment needed. Bring your ' +
        'vaccination record.',
      'Early fall, 9:00-11:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'How are you feeling?',
      "Hello {first_name}, it's been three days since your visit. How are you feeling? Reply 1 for better, 2 for " +
        "the same, or 3 for worse. If you feel worse, we'll call you today.",
      'Three days after the visit, 10:00-12:00',
      NO_DETAILS,
    ),
  ],
};
