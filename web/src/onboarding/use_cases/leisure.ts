import { type UseCase, use } from '../use_case.ts';

export const LEISURE: Readonly<Record<number, readonly UseCase[]>> = {
  // Travel
  37: [
    use(
      'SMS',
      'service',
      'Gate changed',
      'Your flight {custom1} now leaves from gate B14, boarding at 10:45. It is a 12-minute walk from security.',
      'Immediately, at any hour',
    ),
    use(
      'SMS',
      'service',
      'Check-in is open',
      'Hi {first_name}, check-in for {custom1} is open. Choose your seat in the app. Bag drop closes 60 ' +
        'minutes before departure.',
      '24 hours before departure',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Delayed',
      "Hello {first_name}, we're sorry: {custom1} is delayed by 3 hours. Reply MEAL for a meal voucher, or " +
        "FLIGHT and we'll look for another flight.",
      'As soon as you know',
    ),
    use(
      'VIBER',
      'marketing',
      'Where next?',
      'Hi {first_name}, your points are worth a weekend in Lisbon. Flights from {custom1}, this week only.',
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
      '{first_name}, your presale starts in one hour. Use code {custom1} to buy up to 4 tickets. Reply STOP to opt ' +
        'out.',
      'One hour before it opens',
    ),
    use(
      'SMS',
      'service',
      'Rain plan',
      'Due to the weather, we are moving indoors: hall 2, same time. All tickets remain valid. The shuttle leaves ' +
        'from the main gate.',
      'As soon as you decide',
    ),
  ],
  // Food and restaurants
  22: [
    use(
      'SMS',
      'service',
      'Table confirmed',
      'Hi {first_name}, your table is booked: {custom1}. Running late or bringing another guest? Just reply.',
      'Within a minute, and again four hours before',
    ),
    use(
      'SMS',
      'service',
      'Your table is ready',
      '{first_name}, your table is ready. We will hold it for 10 minutes. Reply 5 if you need five more.',
      'Immediately',
    ),
    use(
      'VIBER',
      'marketing',
      'Sunday menu',
      'Hi {first_name}, this Sunday: slow roast, market greens, plum cake. Seatings at 12:30 and 14:30.',
      'Friday 11:00-13:00',
    ),
  ],
  // Hospitality
  24: [
    use(
      'SMS',
      'service',
      'Before you arrive',
      'Hi {first_name}, see you on {custom1}. Check-in from 15:00, parking behind the building. Anything we ' +
        'should prepare? Just reply.',
      'Two days before, 10:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Your room is ready',
      'Welcome {first_name}! Room {custom1} is ready. Breakfast is 7-10:30 on the ground floor. Wi-Fi ' +
        'details are on your key card.',
      'As soon as it is ready',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'During your stay',
      'Hello {first_name}, is everything to your liking? Message us here for towels, a taxi, or a table, day or night.',
      'The first evening, 18:00-20:00',
    ),
    use(
      'VIBER',
      'marketing',
      'Come back',
      'Hi {first_name}, your favorite room is available in May. Book this week and the third night is on us.',
      'Sunday 18:00-20:00',
    ),
  ],
};
