import { type UseCase, use } from '../use_case.ts';

export const TRADE: Readonly<Record<number, readonly UseCase[]>> = {
  // Automotive
  1: [
    use(
      'SMS',
      'service',
      'Your car is ready',
      'Hi {first_name}, your car is ready. Pick up your keys at the front desk by 6 PM. Total: {custom1}.',
      'As soon as the car is ready, 8:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Inspection due',
      '{first_name}, your {custom1} is due for inspection next month. Reply with a day that works for you, and ' +
        "we'll book it.",
      'Four weeks before, 10:00-12:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Extra work found',
      'Hello {first_name}, your brake pads are worn (photo attached). Replacing them now costs {custom1}. ' +
        'Should we go ahead? Reply YES or NO.',
      'While the car is on the lift',
    ),
    use(
      'VIBER',
      'marketing',
      'Winter tires',
      'Hi {first_name}, this month, one price covers your tire change and storage. Book your appointment before ' +
        'the first frost.',
      'Saturdays in October, 10:00-12:00',
    ),
  ],
  // E-commerce
  2: [
    use(
      'SMS',
      'service',
      'Order confirmed',
      "Thank you, {first_name}! Order {custom1} is confirmed and ships tomorrow. We'll text you when it's on its way.",
      'Within a minute of the order',
    ),
    use(
      'SMS',
      'service',
      'Out for delivery',
      'Order {custom1} arrives today. Not home? Reply 1 to have it left with a neighbor or 2 to send it to a pickup ' +
        'point.',
      'The morning of the delivery, from 7:30',
    ),
    use(
      'WHATSAPP',
      'marketing',
      'Abandoned cart',
      'Hi {first_name}, you left something in your cart. Any questions? Ask us here, or check out with one tap.',
      'Two to four hours after the visit, 10:00-20:00',
      'Send it only to people who agreed to receive offers on this channel. A full cart is not consent.',
    ),
    use(
      'SMS',
      'conversation',
      'How was it?',
      "{first_name}, how was your order? Reply 1 to 5 (5 is best). If something went wrong, we'll contact you today.",
      'Two days after delivery, 17:00-19:00',
    ),
  ],
  // Retail
  8: [
    use(
      'SMS',
      'service',
      'Ready for pickup',
      'Hi {first_name}, order {custom1} is ready for pickup. We are open until 8 PM today and will hold it for 7 days.',
      'As soon as it arrives, 9:00-20:00',
    ),
    use(
      'SMS',
      'marketing',
      'Members only',
      '{first_name}, tonight from 6 to 9 PM, members get 15% off everything in the store. Reply STOP to opt out.',
      'The same day, 11:00-13:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Ask the store',
      'Hello {first_name}, yes, we have it in blue. Should we hold it for you until tomorrow? Just send a thumbs-up.',
      'During store hours',
    ),
    use(
      'VIBER',
      'marketing',
      'Points expire soon',
      "Hi {first_name}, {custom1} of your points expire this month. That's enough for a coffee and a slice of " +
        'cake. Come by and enjoy!',
      'Ten days before, Saturday 10:00-12:00',
    ),
  ],
  // Transport and logistics
  36: [
    use(
      'SMS',
      'service',
      'On its way',
      'Your package {custom1} arrives today between 1 and 3 PM. Reply 1 to have it left with a neighbor or 2 for ' +
        'delivery tomorrow.',
      'The morning of the delivery, from 7:30',
    ),
    use(
      'SMS',
      'code',
      'Code for the driver',
      'Give the driver this code only after you receive your package: {custom1}.',
      'When the driver starts the route',
      'Scammers text links that ask for fees. Collect payments at the door or in your app instead.',
    ),
    use(
      'SMS',
      'service',
      'Missed delivery',
      'We missed you at {custom1}. You can pick up your package at our store around the corner tomorrow after 10 ' +
        'AM. Bring an ID.',
      'Within minutes of the attempt',
    ),
  ],
  // Manufacturing
  28: [
    use(
      'SMS',
      'service',
      'Order shipped',
      'Order {custom1} shipped today on 4 pallets. We emailed you the shipping documents. Questions? Reply to this ' +
        'text.',
      'When the truck leaves',
    ),
    use(
      'SMS',
      'service',
      'Shift change',
      'Hi {first_name}, line 3 starts at 5:30 AM tomorrow instead of 6 AM. Reply OK to confirm.',
      'By 16:00 the day before',
    ),
    use(
      'SMS',
      'service',
      'Service due',
      'Your press will reach {custom1} operating hours this week and is due for service. Reply with a day that ' +
        'works for you. Service takes half a shift.',
      'Weekdays, 8:00-10:00',
    ),
  ],
  // Farming
  21: [
    use(
      'SMS',
      'service',
      'Frost tonight',
      'Frost warning for your fields: down to {custom1} between 3 and 7 AM. Cover young plants before sunset.',
      'By early afternoon',
    ),
    use(
      'SMS',
      'service',
      'Delivery slot',
      'Hi {first_name}, the mill will take your grain tomorrow at {custom1}, gate 2. Reply LATE if the weather ' +
        'holds you up.',
      'The evening before, until 20:00',
    ),
    use(
      'SMS',
      'conversation',
      "Today's price",
      "We're paying {custom1} per ton until 6 PM today. To sell, reply with the number of tons.",
      'Weekdays, 8:00-9:00',
    ),
  ],
};
