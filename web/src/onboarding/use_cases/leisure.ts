import { type UseCase, use } from '../use_case.ts';

export const LEISURE: Readonly<Record<number, readonly UseCase[]>> = {
  // Travel
  37: [
    use(
      'SMS',
      'service',
      'Gate changed',
      'Your flight {custom1} now leaves from gate B14, boarding 10:45. It is a 12 minute walk from security.',
      'At once, at any hour',
    ),
    use(
      'SMS',
      'service',
      'Check-in is open',
      'Hi {first_name}, check-in for {custom1} is open. Your seat waits in the app; bags go until 60 minutes before.',
      '24 hours before departure',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Delayed',
      'Hello {first_name}, we are sorry: {custom1} is delayed by 3 hours. Stay with us for a meal voucher, or write FLIGHT and we look for another one.',
      'As soon as it is known',
    ),
    use(
      'VIBER',
      'marketing',
      'Where next?',
      'Hi {first_name}, your points are a weekend in Lisbon. Flights from {custom1}, this week only.',
      'Tuesday or Wednesday, 12:00-14:00',
    ),
  ],
  // Entertainment
  20: [
    use(
      'SMS',
      'service',
      'Tonight',
      'Doors 19:00, show 20:00. Entrance on River Street, bags up to A4. Your tickets: {custom1}. See you soon!',
      'The same day, 11:00-13:00',
    ),
    use(
      'SMS',
      'marketing',
      'Presale',
      '{first_name}, your presale starts in one hour: code {custom1}, up to 4 tickets. Reply STOP to opt out.',
      'One hour before it opens',
    ),
    use(
      'SMS',
      'service',
      'Rain plan',
      'Because of the weather we move inside: hall 2, same time, all tickets stay valid. The shuttle leaves from the main gate.',
      'As soon as it is decided',
    ),
  ],
  // Food and restaurants
  22: [
    use(
      'SMS',
      'service',
      'Table confirmed',
      'Hi {first_name}, your table is booked: {custom1}. Running late or one more? Just reply.',
      'Within a minute, and again four hours before',
    ),
    use(
      'SMS',
      'service',
      'Your table is ready',
      '{first_name}, your table is ready. We keep it for 10 minutes; reply 5 if you need five more.',
      'At once',
    ),
    use(
      'VIBER',
      'marketing',
      'Sunday menu',
      'Hi {first_name}, this Sunday: slow roast, greens from the market, plum cake. Seats at 12:30 and 14:30.',
      'Friday 11:00-13:00',
    ),
  ],
  // Hospitality
  24: [
    use(
      'SMS',
      'service',
      'Before you arrive',
      'Hi {first_name}, we look forward to {custom1}. Check-in from 15:00, parking behind the house. Anything we should prepare? Just reply.',
      'Two days before, 10:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Your room is ready',
      'Welcome {first_name}! Room {custom1} is ready. Breakfast 7-10:30 on the ground floor, wifi as on your key card.',
      'As soon as it is',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'During the stay',
      'Hello {first_name}, is everything as you like it? Write here for towels, a taxi or a table: somebody reads it day and night.',
      'First evening, 18:00-20:00',
    ),
    use(
      'VIBER',
      'marketing',
      'Come back',
      'Hi {first_name}, your favourite room is free in May. Third night on us when you book this week.',
      'Sunday 18:00-20:00',
    ),
  ],
};
