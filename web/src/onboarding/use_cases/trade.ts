import { type UseCase, use } from '../use_case.ts';

export const TRADE: Readonly<Record<number, readonly UseCase[]>> = {
  // Automotive
  1: [
    use(
      'SMS',
      'service',
      'Your car is ready',
      'Hi {first_name}, your car is ready. We are here until 18:00, keys at the front desk. The invoice: {custom1}.',
      'As soon as it is, 8:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Inspection due',
      '{first_name}, the inspection of your {custom1} is due next month. Reply with a day that suits you and we book it.',
      'Four weeks before, 10:00-12:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Extra work found',
      'Hello {first_name}, the brake pads are worn down (photo attached). Replacing them now costs {custom1}. Shall we? Reply YES or NO.',
      'While the car is on the lift',
    ),
    use(
      'VIBER',
      'marketing',
      'Tyres for winter',
      'Hi {first_name}, change and storage for one price this month. Choose your time before the first frost does.',
      'Saturday 10:00-12:00, October',
    ),
  ],
  // E-commerce
  2: [
    use(
      'SMS',
      'service',
      'Order confirmed',
      'Thank you {first_name}! Order {custom1} is confirmed and leaves our warehouse tomorrow. We write again when it is on its way.',
      'Within a minute of the order',
    ),
    use(
      'SMS',
      'service',
      'Out for delivery',
      'Order {custom1} arrives today. Not at home? Reply 1 for a neighbour, 2 for the parcel shop.',
      'Morning of the delivery, from 7:30',
    ),
    use(
      'WHATSAPP',
      'marketing',
      'Left in the basket',
      'Hi {first_name}, your basket is still here. Anything we can help with? Ask here, or finish with one tap.',
      'Two to four hours later, 10:00-20:00',
      'Only to people who agreed to offers on this channel: a basket alone is no consent.',
    ),
    use(
      'SMS',
      'conversation',
      'How was it?',
      '{first_name}, did everything arrive as you hoped? Reply 1 to 5, 5 is best. Below 3 a person writes to you today.',
      'Two days after delivery, 17:00-19:00',
    ),
  ],
  // Retail
  8: [
    use(
      'SMS',
      'service',
      'Ready in the shop',
      'Hi {first_name}, order {custom1} waits for you at the desk. Open today until 20:00; we keep it for 7 days.',
      'As soon as it is there, 9:00-20:00',
    ),
    use(
      'SMS',
      'marketing',
      'Members only',
      '{first_name}, tonight 18-21: late opening for members with 15% on everything in the house. Reply STOP to opt out.',
      'The same day, 11:00-13:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Ask the shop',
      'Hello {first_name}, yes, we have it in blue. Shall we put it aside until tomorrow? Just reply with a thumb.',
      'Opening hours',
    ),
    use(
      'VIBER',
      'marketing',
      'Points expire',
      'Hi {first_name}, {custom1} points end this month. That is a coffee and a cake: come and get them.',
      'Ten days before, Saturday 10:00-12:00',
    ),
  ],
  // Transport and logistics
  36: [
    use(
      'SMS',
      'service',
      'On its way',
      'Your parcel {custom1} arrives today between 13:00 and 15:00. Reply 1 to leave it with a neighbour, 2 for tomorrow.',
      'Morning of the delivery, from 7:30',
    ),
    use(
      'SMS',
      'code',
      'Code for the driver',
      'Give the driver this code when you have your parcel: {custom1}. Not before.',
      'When the tour starts',
      'A link to a fee is what swindlers send: ask for payment at the door or in your app.',
    ),
    use(
      'SMS',
      'service',
      'Missed you',
      'We rang at {custom1} and nobody was home. Your parcel is at the shop round the corner from tomorrow 10:00; bring an ID.',
      'Within minutes of the attempt',
    ),
  ],
  // Manufacturing
  28: [
    use(
      'SMS',
      'service',
      'Order ships',
      'Order {custom1} left our dock today, 4 pallets, carrier notified. Papers are in your mailbox. Questions? Reply to this text.',
      'When the truck leaves',
    ),
    use(
      'SMS',
      'service',
      'Shift change',
      'Hi {first_name}, line 3 starts at 5:30 tomorrow instead of 6:00. Reply OK so that we know you have read it.',
      'By 16:00 of the day before',
    ),
    use(
      'SMS',
      'service',
      'Service due',
      'The press at your site reaches {custom1} hours this week. Reply with a day for its service; it takes half a shift.',
      'Weekdays 8:00-10:00',
    ),
  ],
  // Farming
  21: [
    use(
      'SMS',
      'service',
      'Frost tonight',
      'Frost warning for your fields: down to {custom1} between 3:00 and 7:00. Cover young plants before sunset.',
      'By early afternoon',
    ),
    use(
      'SMS',
      'service',
      'Delivery slot',
      'Hi {first_name}, the mill takes your grain tomorrow at {custom1}, gate 2. Reply LATE if the weather holds you up.',
      'The evening before, until 20:00',
    ),
    use(
      'SMS',
      'conversation',
      'Price today',
      'Today we pay {custom1} per tonne, valid until 18:00. Reply with the tonnes you want to sell, or NO.',
      'Weekdays 8:00-9:00',
    ),
  ],
};
