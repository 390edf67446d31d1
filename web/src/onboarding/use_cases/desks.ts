import { type UseCase, use } from '../use_case.ts';

export const DESKS: Readonly<Record<number, readonly UseCase[]>> = {
  // Administrative services
  11: [
    use(
      'SMS',
      'service',
      'Papers to sign',
      'Hi {first_name}, the papers for {custom1} wait for your signature in your mailbox. The term ends on Friday at 12:00.',
      'On working days, 9:00-11:00',
    ),
    use(
      'SMS',
      'service',
      'A visitor for you',
      'Hi {first_name}, {custom1} is at the front desk and asks for you. Reply 5 for five minutes or NO to send them on.',
      'At once',
    ),
    use(
      'VIBER',
      'conversation',
      'Post of today',
      'Good morning {first_name}, two letters and a parcel came for your company. Shall we scan, forward or keep them?',
      'After the post, 10:00-11:00',
    ),
  ],
  // Call centre
  13: [
    use(
      'SMS',
      'service',
      'Call back instead of waiting',
      'You are number {custom1} in the line. Reply CALL and we ring you when it is your turn, no need to hold.',
      'As soon as the wait is long',
    ),
    use(
      'SMS',
      'conversation',
      'How did we do',
      'Hi {first_name}, thank you for your call. Was your question solved? Reply YES or NO, and a word more if you like.',
      'Within an hour of the call',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'On with it in writing',
      'Hello {first_name}, this is about your call of today. Please send us a photo of the bill here and we go on at once.',
      'While the call is remembered',
    ),
  ],
  // Sales
  31: [
    use(
      'SMS',
      'service',
      'Meeting in an hour',
      'Hi {first_name}, we meet at {custom1} today. The link is in your invitation. Running late? Just reply with the minutes.',
      'An hour before',
    ),
    use(
      'SMS',
      'marketing',
      'The offer ends',
      '{first_name}, your offer for {custom1} holds until Friday 18:00. Questions? Reply and a person answers. Reply STOP to opt out.',
      'Two days before it ends, 10:00-16:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'After the demonstration',
      'Hello {first_name}, thank you for your time today. Which of your questions did we leave open?',
      'The same afternoon',
    ),
  ],
  // Trade
  35: [
    use(
      'SMS',
      'service',
      'Order ready to load',
      'Hi {first_name}, order {custom1} is on pallets at gate 3. Loading until 17:00 today, from 6:00 tomorrow.',
      'When it is ready',
    ),
    use(
      'SMS',
      'marketing',
      'Prices of the week',
      '{first_name}, this week for our customers: {custom1} at the price of last year, while it lasts. Reply STOP to opt out.',
      'Monday, 8:00-10:00',
    ),
    use(
      'VIBER',
      'conversation',
      'Running low',
      'Good morning {first_name}, by your usual pace you run out of {custom1} next week. Shall we send the same as last time?',
      'On working days, 8:00-12:00',
    ),
  ],
};
