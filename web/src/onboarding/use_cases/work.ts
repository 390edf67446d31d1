import { type UseCase, use } from '../use_case.ts';

export const WORK: Readonly<Record<number, readonly UseCase[]>> = {
  // Construction
  16: [
    use(
      'SMS',
      'service',
      'Site closed',
      'Because of the wind the site is closed until 12:00. Cranes stay down. Next news at {custom1}. Reply OK, please.',
      'By 5:30',
    ),
    use(
      'SMS',
      'service',
      'Delivery at the gate',
      'Concrete arrives at {custom1}, gate north. Keep the ramp free and have two people there.',
      'One hour before',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Progress for the client',
      'Hello {first_name}, the roof is closed (photo). Next week: windows. Anything you want to see before? Write here.',
      'Friday 14:00-17:00',
    ),
  ],
  // Consulting
  17: [
    use(
      'SMS',
      'service',
      'Workshop tomorrow',
      'Hi {first_name}, tomorrow {custom1}: please bring your three biggest open questions. We start on time and end on time.',
      'The day before, 15:00-17:00',
    ),
    use(
      'SMS',
      'conversation',
      'One question',
      '{first_name}, how useful was today, 1 to 10? And what should be different next time? One reply is enough.',
      'Right after the meeting',
    ),
    use(
      'WHATSAPP',
      'service',
      'Report is there',
      'Hello {first_name}, your report is in the shared folder. Page 2 has the decision we need from you by {custom1}.',
      'Weekdays 9:00-11:00',
    ),
  ],
  // Human resources
  25: [
    use(
      'SMS',
      'service',
      'Interview',
      'Hi {first_name}, your interview: {custom1}. Ask for Nadia at the desk; it takes 45 minutes. Reply if you need another time.',
      'When it is set and the day before, 9:00-18:00',
    ),
    use(
      'SMS',
      'conversation',
      'Shift to fill',
      'Free shift: {custom1}, 14-22, warehouse north. Reply YES; the first answer gets it.',
      'As it opens, 7:00-21:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Still interested?',
      'Hello {first_name}, we have a position that fits you well. May we tell you more? Reply YES, or NO and we do not ask again.',
      'Tuesday to Thursday, 11:00-15:00',
    ),
  ],
  // Marketing
  29: [
    use(
      'SMS',
      'marketing',
      'Launch day',
      '{first_name}, it is here. {custom1} for 48 hours at the price of the first day. Reply STOP to opt out.',
      'Tuesday or Thursday, 10:00-12:00',
      'The consent must name the company whose message it is, not only yours.',
    ),
    use(
      'SMS',
      'conversation',
      'Sign-up by word',
      'Thank you for texting JOIN. Reply YES to get about 4 messages a month from {custom1}. HELP for help, STOP to end.',
      'At once',
      'A second yes (double opt-in) is the best proof of consent there is.',
    ),
    use(
      'VIBER',
      'marketing',
      'Vote',
      'Hi {first_name}, which one should win? Tap A or B; the result is here on Friday.',
      'Wednesday 17:00-20:00',
    ),
  ],
  // Real estate
  7: [
    use(
      'SMS',
      'service',
      'Viewing',
      'Hi {first_name}, your viewing: {custom1}. Meet at the blue door; the key safe is not in use. Reply C to cancel.',
      'The day before and two hours before',
    ),
    use(
      'SMS',
      'marketing',
      'New on the market',
      '{first_name}, new today: 3 rooms, balcony, near the park, {custom1}. Reply VIEW for a time this week, STOP to opt out.',
      'Weekdays 12:00-13:30',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'After the viewing',
      'Hello {first_name}, what did you think? If something was missing, tell us here and the next three will fit better.',
      'The same evening, 18:00-20:00',
    ),
  ],
  // Information technology
  26: [
    use(
      'SMS',
      'code',
      'Sign-in code',
      '{custom1} is your sign-in code. It works for 10 minutes and only once.',
      'At once',
      'Put the code first: it shows in the notification without opening it.',
    ),
    use(
      'SMS',
      'service',
      'Incident',
      'We have a problem with {custom1} since 14:20. Your data is safe. Next news in 30 minutes on the status page.',
      'Within 15 minutes, then as promised',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Getting started',
      'Hello {first_name}, your workspace is ready. Most people import their data first: shall we show you how? Reply YES for a 10 minute call.',
      'The first working day, 10:00-16:00',
    ),
    use(
      'SMS',
      'service',
      'Payment failed',
      'Hi {first_name}, your card was declined for {custom1}. Nothing stops for 7 days; update it under Billing.',
      'Weekdays 9:00-18:00',
    ),
  ],
  // Telecommunications
  34: [
    use(
      'SMS',
      'service',
      'Data used up',
      'You have used 80% of your data. It renews on {custom1}. Reply MORE for another 5 GB, or do nothing and go on more slowly.',
      'As it happens, 8:00-21:00',
    ),
    use(
      'SMS',
      'service',
      'Work on the line',
      'On {custom1} between 1:00 and 5:00 we renew the line in your street. Internet and phone are off for about an hour.',
      'Three days before, 10:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Number moves',
      'Your number moves to us on {custom1} between 6:00 and 8:00. Put in the new SIM afterwards; nothing else to do.',
      'Two days before and the evening before',
    ),
    use(
      'VIBER',
      'marketing',
      'Time for a new one',
      'Hi {first_name}, your contract can be renewed. Three phones, one price: choose yours in the app.',
      'Saturday 11:00-13:00',
    ),
  ],
  // Other
  9: [
    use(
      'SMS',
      'service',
      'Reminder',
      'Hi {first_name}, a short reminder: {custom1}. If anything changed, just reply.',
      'The day before, 10:00-18:00',
    ),
    use(
      'SMS',
      'code',
      'Code',
      '{custom1} is your code. It works for 10 minutes. We never ask for it by phone.',
      'At once',
    ),
    use(
      'SMS',
      'marketing',
      'News',
      '{first_name}, this week: {custom1}. Reply STOP to opt out.',
      'Tuesday to Thursday, 10:00-12:00 or 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Ask us',
      'Hello {first_name}, thank you for your question. A person answers here within the hour. Until then: what is it about?',
      'Opening hours',
    ),
  ],
};
