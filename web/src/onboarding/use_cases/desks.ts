import { type UseCase, use } from '../use_case.ts';

export const DESKS: Readonly<Record<number, readonly UseCase[]>> = {
  // Administrative services
  11: [
    use(
      'SMS',
      'service',
      'Documents to sign',
      'Hi {first_name}, the documents for {custom1} are in your inbox and ready to sign. The deadline is Friday at ' +
        'noon.',
      'Weekdays, 9:00-11:00',
    ),
    use(
      'SMS',
      'service',
      'Your visitor is here',
      'Hi {first_name}, {custom1} is at the front desk to see you. Reply 5 if you need five minutes, or NO if you ' +
        "can't come.",
      'Immediately',
    ),
    use(
      'VIBER',
      'conversation',
      "Today's mail",
      'Good morning {first_name}, two letters and a package arrived for your company. Should we scan, forward, or ' +
        'hold them?',
      'After the mail arrives, 10:00-11:00',
    ),
  ],
  // Call center
  13: [
    use(
      'SMS',
      'service',
      'Offer a callback',
      "You are number {custom1} in line. Reply CALL and we'll call you when it's your turn. No need to hold.",
      'When the wait gets long',
    ),
    use(
      'SMS',
      'conversation',
      'How did we do?',
      'Hi {first_name}, thank you for your call. Did we answer your question? Reply YES or NO, and add a ' +
        'comment if you like.',
      'Within an hour of the call',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Continue by chat',
      "Hello {first_name}, about your call today: send us a photo of the bill here and we'll take care of it " +
        'right away.',
      'Right after the call',
    ),
  ],
  // Sales
  31: [
    use(
      'SMS',
      'service',
      'Meeting in an hour',
      'Hi {first_name}, our meeting is at {custom1} today. The link is in your invitation. Running late? Reply and ' +
        'let us know.',
      'An hour before',
    ),
    use(
      'SMS',
      'marketing',
      'Offer expires soon',
      '{first_name}, your offer for {custom1} is valid until Friday at 6 PM. Questions? Just reply. Reply STOP to ' +
        'opt out.',
      'Two days before it ends, 10:00-16:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'After the demo',
      'Hello {first_name}, thank you for your time today. Do you have any questions we did not cover?',
      'The same afternoon',
    ),
  ],
  // Trade
  35: [
    use(
      'SMS',
      'service',
      'Order ready to load',
      'Hi {first_name}, order {custom1} is on pallets at gate 3. You can load until 5 PM today or from 6 AM tomorrow.',
      'When it is ready',
    ),
    use(
      'SMS',
      'marketing',
      'Weekly special',
      "{first_name}, this week only: {custom1} at last year's price, while supplies last. Reply STOP to opt out.",
      'Monday, 8:00-10:00',
    ),
    use(
      'VIBER',
      'conversation',
      'Running low',
      'Good morning {first_name}, you usually run out of {custom1} about now. Should we send the same order ' +
        'as last time?',
      'Weekdays, 8:00-12:00',
    ),
  ],
};
