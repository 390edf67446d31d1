import { type UseCase, use } from '../use_case.ts';

export const LEISURE: Readonly<Record<number, readonly UseCase[]>> = {
  // Travel
  37: [
    use(
      'SMS',
      'service',
      'Gate changed',
      'Flight {custom1} now leaves from gate B14 and boards at 10:45 AM. The gate is a 12-minute walk from security.',
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
      'Flight delayed',
      "Hello {first_name}, we're sorry that {custom1} is delayed by 3 hours. Reply MEAL for a meal voucher or " +
        'FLIGHT for help finding another flight.',
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
      'Show tonight',
      'Doors open at 7 PM, and the show starts at 8 PM. Enter on River Street. Small bags only. Your tickets: ' +
        '{custom1}. See you soon!',
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
      "Due to the weather, we're moving indoors to hall 2. The start time stays the same, and all tickets remain " +
        'valid. The shuttle leaves from the main gate.',
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
      'Within a minute of the booking, and again four hours before',
    ),
    use(
      'SMS',
      'service',
      'Your table is ready',
      "{first_name}, your table is ready. We'll hold it for 10 minutes. Reply 5 if you need five more.",
      'Immediately',
    ),
    use(
      'VIBER',
      'marketing',
      'Sunday menu',
      "Hi {first_name}, this Sunday, we're serving a slow roast, market greens, and plum cake. Seatings are at " +
        '12:30 and 2:30 PM.',
      'Friday, 11:00-13:00',
    ),
  ],
  // Hospitality
  24: [
    use(
      'SMS',
      'service',
      'Before you arrive',
      'Hi {first_name}, see you on {custom1}. Check-in starts at 3 PM, and parking is behind the building. Need ' +
        'anything before you arrive? Just reply.',
      'Two days before, 10:00-18:00',
    ),
    use(
      'SMS',
      'service',
      'Your room is ready',
      'Welcome, {first_name}! Room {custom1} is ready. Breakfast is 7-10:30 AM on the ground floor. Wi-Fi details ' +
        'are on your key card.',
      'As soon as it is ready',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'During your stay',
      'Hello {first_name}, is everything to your liking? Message us here for towels, a taxi, or a table ' +
        'reservation, day or night.',
      'The first evening, 18:00-20:00',
    ),
    use(
      'VIBER',
      'marketing',
      'Come back',
      'Hi {first_name}, your favorite room is available in May. Book this week, and the third night is on us.',
      'Sunday, 18:00-20:00',
    ),
  ],
};
