import { type UseCase, use } from '../use_case.ts';

export const PUBLIC: Readonly<Record<number, readonly UseCase[]>> = {
  // Community service
  15: [
    use(
      'SMS',
      'service',
      'Thank you',
      'Thank you, {first_name}. We received your donation of {custom1} and emailed you a receipt.',
      'Within a minute of the donation',
    ),
    use(
      'SMS',
      'marketing',
      'Winter appeal',
      '{first_name}, tonight is the coldest night of the year. {custom1} gives one person a warm bed. Will ' +
        'you help? Reply STOP to opt out.',
      'Tuesday to Thursday, 17:00-19:00',
      'Donation requests count as marketing in the UK, Australia, and elsewhere.',
    ),
    use(
      'SMS',
      'conversation',
      'Volunteers needed',
      "Hi {first_name}, we still need 4 volunteers at the food bank on Saturday, 9 AM-1 PM. Reply YES and we'll " +
        'sign you up.',
      'Wednesday, 17:00-19:00',
    ),
  ],
  // Education
  4: [
    use(
      'SMS',
      'service',
      'School closed',
      'School is closed today due to weather. Classes start online at 9 AM. Children already on the bus will be ' +
        'supervised.',
      'By 6:30',
    ),
    use(
      'SMS',
      'service',
      'Absent today',
      'Good morning. {first_name} was not in class at 8:15 AM. If you know why, reply to this text. If not, call ' +
        'us now.',
      'Within half an hour of roll call',
      'Text the parents, and leave out grades and health information.',
    ),
    use(
      'SMS',
      'service',
      'Exam tomorrow',
      'Hi {first_name}, your exam is tomorrow: {custom1}. Bring an ID and two pens. Phones must stay outside. Good ' +
        'luck!',
      'The day before, 14:00-18:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Open house',
      'Hello {first_name}, you asked about our courses. Our open house is on {custom1}. Questions? Message us ' +
        'here, and a student will answer.',
      'Weekdays, 16:00-19:00',
    ),
  ],
  // Government
  23: [
    use(
      'SMS',
      'service',
      'Appointment reminder',
      'Your appointment at city hall is on {custom1}. Bring your old ID and one photo. Reply C to cancel.',
      'Two days before, 9:00-17:00',
    ),
    use(
      'SMS',
      'service',
      'Flood warning',
      'Flood warning: Stay off the riverbanks between the bridges until further notice. Next update at {custom1}.',
      'Immediately, to the affected districts',
    ),
    use(
      'SMS',
      'service',
      'Document ready',
      'Your document is ready. Pick it up at counter 5, Mon-Thu 8 AM-4 PM. No appointment needed. We will keep it ' +
        'for 3 months.',
      'Weekdays, 9:00-12:00',
      'Say where people can verify that the text is from you. Never ask for personal data in a reply.',
    ),
  ],
  // Legal
  6: [
    use(
      'SMS',
      'service',
      'Hearing reminder',
      "{first_name}, your hearing is on {custom1} in room 3. We'll meet you at the entrance half an hour before.",
      'A week before and again the day before, 9:00-17:00',
      'Leave out the details of the case. They are privileged.',
    ),
    use(
      'SMS',
      'service',
      'Ready to sign',
      'Hi {first_name}, your documents are ready to sign. Reply with a time to come in this week, or sign online ' +
        'with the link in your email.',
      'Weekdays, 9:00-17:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'One document missing',
      'Hello {first_name}, one document is missing: {custom1}. Drop it off or upload it in the client ' +
        'portal. Questions? Message us here.',
      'Weekdays, 10:00-16:00',
    ),
  ],
};
