import { type UseCase, use } from '../use_case.ts';

export const WORK: Readonly<Record<number, readonly UseCase[]>> = {
  // Construction
  16: [
    use(
      'SMS',
      'service',
      'Site closed',
      'The site is closed until noon due to high winds. Cranes must stay down. Next update at {custom1}. Reply OK ' +
        'to confirm.',
      'By 5:30',
    ),
    use(
      'SMS',
      'service',
      'Delivery at the gate',
      'Concrete arrives at the north gate at {custom1}. Keep the ramp clear and have two people there.',
      'One hour before',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Progress update',
      "Hello {first_name}, the roof is finished (photo attached). Next week, we'll install the windows. Anything " +
        "you'd like to see first? Message us here.",
      'Friday, 14:00-17:00',
    ),
  ],
  // Consulting
  17: [
    use(
      'SMS',
      'service',
      'Workshop tomorrow',
      "Hi {first_name}, the workshop is tomorrow: {custom1}. Bring your three biggest open questions. We'll start " +
        'and end on time.',
      'The day before, 15:00-17:00',
    ),
    use(
      'SMS',
      'conversation',
      'One question',
      '{first_name}, how useful was today, on a scale of 1 to 10? And what should we change next time? One reply ' +
        'is enough.',
      'Right after the meeting',
    ),
    use(
      'WHATSAPP',
      'service',
      'Report is ready',
      'Hello {first_name}, your report is in the shared folder. See page 2 for the decision we need from you by ' +
        '{custom1}.',
      'Weekdays, 9:00-11:00',
    ),
  ],
  // Human resources
  25: [
    use(
      'SMS',
      'service',
      'Interview reminder',
      'Hi {first_name}, your interview is on {custom1}. Ask for Nadia at the front desk. It takes 45 minutes. ' +
        'Reply if you need another time.',
      'When it is scheduled and the day before, 9:00-18:00',
    ),
    use(
      'SMS',
      'conversation',
      'Open shift',
      'Open shift: {custom1}, 2-10 PM, north warehouse. Reply YES to take it. First come, first served.',
      'When it opens, 7:00-21:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Still interested?',
      'Hello {first_name}, we have a position that matches your profile. Want to hear more? Reply YES. If not, ' +
        "reply NO and we won't contact you about it again.",
      'Tuesday to Thursday, 11:00-15:00',
    ),
  ],
  // Marketing
  29: [
    use(
      'SMS',
      'marketing',
      'Launch day',
      "{first_name}, it's here: {custom1} at the launch price for 48 hours. Reply STOP to opt out.",
      'Tuesday or Thursday, 10:00-12:00',
      'The consent must name the company that the message is from, not just yours.',
    ),
    use(
      'SMS',
      'conversation',
      'Keyword sign-up',
      'Thanks for texting JOIN. Reply YES to get about 4 messages per month from {custom1}. Reply HELP for help or ' +
        'STOP to opt out.',
      'Immediately',
      'A second yes (double opt-in) is the best proof of consent.',
    ),
    use(
      'VIBER',
      'marketing',
      'Vote',
      'Hi {first_name}, which one should win? Tap A or B. Results on Friday.',
      'Wednesday, 17:00-20:00',
    ),
  ],
  // Real estate
  7: [
    use(
      'SMS',
      'service',
      'Showing reminder',
      'Hi {first_name}, your showing is on {custom1}. Meet us at the blue door. Reply C to cancel.',
      'The day before and two hours before',
    ),
    use(
      'SMS',
      'marketing',
      'New on the market',
      '{first_name}, new today: a 3-room apartment with a balcony near the park, {custom1}. Reply VIEW to see it ' +
        'this week or STOP to opt out.',
      'Weekdays, 12:00-13:30',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'After the showing',
      "Hello {first_name}, what did you think? If something was missing, tell us here, and we'll find better matches.",
      'The same evening, 18:00-20:00',
    ),
  ],
  // Information technology
  26: [
    use(
      'SMS',
      'code',
      'Sign-in code',
      '{custom1} is your sign-in code. It works only once and expires in 10 minutes.',
      'Immediately',
      'Put the code first, so that the notification shows it.',
    ),
    use(
      'SMS',
      'service',
      'Incident',
      "We've been having a problem with {custom1} since 2:20 PM. Your data is safe. Next update in 30 minutes on " +
        'the status page.',
      'Within 15 minutes, then as promised',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Getting started',
      'Hello {first_name}, your workspace is ready. Most people import their data first. Want us to show you ' +
        'how? Reply YES for a 10-minute call.',
      'The first business day, 10:00-16:00',
    ),
    use(
      'SMS',
      'service',
      'Payment failed',
      'Hi {first_name}, your card was declined for {custom1}. Update it under Billing within 7 days to keep ' +
        'your service.',
      'Weekdays, 9:00-18:00',
    ),
  ],
  // Telecommunications
  34: [
    use(
      'SMS',
      'service',
      'Data running low',
      'You have used 80% of your data. It renews on {custom1}. Reply MORE for another 5 GB. Otherwise, your speed ' +
        'will drop when it runs out.',
      'When it happens, 8:00-21:00',
    ),
    use(
      'SMS',
      'service',
      'Planned maintenance',
      'On {custom1} between 1 and 5 AM, we will upgrade the cables on your street. Internet and phone will be down ' +
        'for about an hour.',
      'Three days before, 10:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Number transfer',
      'Your number will move to us on {custom1} between 6 and 8 AM. Insert your new SIM afterward. There is ' +
        'nothing else you need to do.',
      'Two days before and the evening before',
    ),
    use(
      'VIBER',
      'marketing',
      'Time to upgrade',
      'Hi {first_name}, your contract is up for renewal. Three phones, one price: choose yours in the app.',
      'Saturday, 11:00-13:00',
    ),
  ],
  // Other
  9: [
    use(
      'SMS',
      'service',
      'Reminder',
      'Hi {first_name}, a quick reminder: {custom1}. If anything changed, just reply.',
      'The day before, 10:00-18:00',
    ),
    use(
      'SMS',
      'code',
      'Verification code',
      '{custom1} is your code. It expires in 10 minutes. We will never ask for it by phone.',
      'Immediately',
    ),
    use(
      'SMS',
      'marketing',
      'Weekly news',
      '{first_name}, this week: {custom1}. Reply STOP to opt out.',
      'Tuesday to Thursday, 10:00-12:00 or 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Ask us',
      "Hello {first_name}, thanks for getting in touch. We'll answer within the hour. In the meantime, what " +
        'is your question about?',
      'During business hours',
    ),
  ],
};
