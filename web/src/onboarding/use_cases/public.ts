import { type UseCase, use } from '../use_case.ts';

export const PUBLIC: Readonly<Record<number, readonly UseCase[]>> = {
  // Community service
  15: [
    use(
      'SMS',
      'service',
      'Thank you',
      'Thank you {first_name}. Your gift of {custom1} arrived and is already at work. The receipt is in your mailbox.',
      'Within a minute of the gift',
    ),
    use(
      'SMS',
      'marketing',
      'Winter appeal',
      '{first_name}, tonight is the coldest of the year. {custom1} gives one person a warm bed. Will you help? Reply STOP to opt out.',
      'Tuesday to Thursday, 17:00-19:00',
      'Asking for gifts counts as marketing in Great Britain, Australia and elsewhere.',
    ),
    use(
      'SMS',
      'conversation',
      'Helpers wanted',
      'Hi {first_name}, we still need 4 people on Saturday, 9-13, at the food bank. Reply YES and we count on you.',
      'Wednesday 17:00-19:00',
    ),
  ],
  // Education
  4: [
    use(
      'SMS',
      'service',
      'School is closed',
      'School is closed today because of the weather. Lessons go on online at 9:00; children already on the bus are looked after.',
      'By 6:30',
    ),
    use(
      'SMS',
      'service',
      'Absent today',
      'Good morning, {first_name} was not in class at 8:15. If you know why, please reply; if not, please call us.',
      'Within half an hour of the roll call',
      'Write to parents, and keep grades and health out of the text.',
    ),
    use(
      'SMS',
      'service',
      'Exam tomorrow',
      'Hi {first_name}, your exam: {custom1}. Bring ID and two pens; phones stay outside. Good luck!',
      'The day before, 14:00-18:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Open day',
      'Hello {first_name}, you asked about our courses. The open day is on {custom1}. Questions before? A student answers here.',
      'Weekdays 16:00-19:00',
    ),
  ],
  // Government
  23: [
    use(
      'SMS',
      'service',
      'Appointment',
      "Your appointment at the citizens' office: {custom1}. Bring your old document and one photo. Reply C to cancel.",
      'Two days before, 9:00-17:00',
    ),
    use(
      'SMS',
      'service',
      'Warning',
      'High water: please keep away from the river banks between the bridges until further notice. Next news at {custom1}.',
      'At once, to the districts concerned',
    ),
    use(
      'SMS',
      'service',
      'Document ready',
      'Your document is ready. Pick it up at counter 5, no appointment needed, Mon-Thu 8-16. It is kept for 3 months.',
      'Weekdays 9:00-12:00',
      'Say where the person can check that the text is yours; never ask for data in a reply.',
    ),
  ],
  // Legal
  6: [
    use(
      'SMS',
      'service',
      'Hearing',
      '{first_name}, a reminder: your hearing is on {custom1}, room 3. We meet half an hour before at the entrance.',
      'A week and a day before, 9:00-17:00',
      'Keep the matter itself out of the text: it is privileged.',
    ),
    use(
      'SMS',
      'service',
      'Ready to sign',
      'Hi {first_name}, your papers are ready to sign. Reply with a time this week, or sign online with the link in your mail.',
      'Weekdays 9:00-17:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'One document missing',
      'Hello {first_name}, one document is missing: {custom1}. You can bring it by or upload it in the client area. Questions? Write here.',
      'Weekdays 10:00-16:00',
    ),
  ],
};
