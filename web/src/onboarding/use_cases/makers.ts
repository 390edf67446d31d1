import { type UseCase, use } from '../use_case.ts';

export const MAKERS: Readonly<Record<number, readonly UseCase[]>> = {
  // Arts
  12: [
    use(
      'SMS',
      'service',
      'Show tonight',
      'Hi {first_name}, doors open at {custom1} tonight. Latecomers will be seated at the first break. Your ticket ' +
        'is in your email.',
      'The same day, 14:00-16:00',
    ),
    use(
      'SMS',
      'marketing',
      'Opening night',
      "{first_name}, you're invited: our new exhibition opens Thursday at 7 PM. Reply YES to save a spot or STOP " +
        'to opt out.',
      'A week before, 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Offer to hold a print',
      'Hello {first_name}, the print you asked about is back from the framer. Should we hold it for you ' +
        'until Saturday?',
      'During gallery hours',
    ),
  ],
  // Casino and gambling
  14: [
    use(
      'SMS',
      'code',
      'Sign-in code',
      '{custom1} is your sign-in code. It expires in 10 minutes. We will never ask for it by phone.',
      'Immediately',
    ),
    use(
      'SMS',
      'service',
      'Withdrawal paid',
      'Hi {first_name}, your withdrawal of {custom1} is on its way and will arrive within two business days. ' +
        "Didn't request it? Reply HELP.",
      'When it is paid out',
    ),
    use(
      'VIBER',
      'service',
      'Limit reached',
      'Hi {first_name}, you have reached your limit for this week. It resets on Monday. Free, confidential ' +
        'advice is one tap away.',
      'Immediately, day or night',
      'Many countries ban gambling marketing or require a license for it. Check the rules before you send any, and ' +
        'leave out people who have self-excluded.',
    ),
  ],
  // Design
  18: [
    use(
      'SMS',
      'service',
      'Drafts are ready',
      'Hi {first_name}, the drafts for {custom1} are in your folder. Reply OK to approve, or send us your ' +
        'notes by Friday.',
      'Weekdays, 10:00-16:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Two options',
      'Good morning {first_name}, here are both color options on the actual paper. Which one should we print?',
      'As soon as the samples arrive',
    ),
    use(
      'SMS',
      'service',
      'Site visit tomorrow',
      "Hi {first_name}, we'll be at {custom1} tomorrow to take measurements. The visit takes an hour, and we need " +
        'access to every room. Reply NO to reschedule.',
      'The day before, 15:00-17:00',
    ),
  ],
  // Engineering
  19: [
    use(
      'SMS',
      'service',
      'On call',
      'Alarm at {custom1}: pressure out of range. You are on call. Reply 1 within 10 minutes to take it, or the ' +
        'next person will be alerted.',
      'Immediately, day or night',
    ),
    use(
      'SMS',
      'service',
      'Inspection tomorrow',
      'Hi {first_name}, the inspection of {custom1} is tomorrow at 9 AM. Have the mechanical room unlocked and the ' +
        'log ready.',
      'The day before',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Photo from the site',
      "Hello {first_name}, send us a photo of the pump's nameplate so that we can bring the right spare part.",
      'While the ticket is open',
    ),
  ],
  // Mining
  30: [
    use(
      'SMS',
      'service',
      'Blasting schedule',
      'Blasting today at {custom1}. The road will be closed for 15 minutes before and after. We will text the ' +
        'all-clear.',
      'At the start of the shift',
    ),
    use(
      'SMS',
      'service',
      'Shift change',
      'Hi {first_name}, your next shift starts at {custom1}. Buses leave the gate 40 minutes earlier. Reply ' +
        'OK to confirm.',
      'The day before',
    ),
    use(
      'VIBER',
      'service',
      'Safety notice',
      'Gas readings in section 4 were high this morning but are back to normal. Carry your meter and read the ' +
        'notice in the lamp room.',
      'As soon as you know',
    ),
  ],
  // Science
  32: [
    use(
      'SMS',
      'service',
      'Study visit',
      'Hi {first_name}, your study visit is on {custom1}. Do not eat beforehand, and bring your diary. Reply ' +
        'NO to reschedule.',
      'Two days before',
      'Leave out the topic of the study. Other people may see the phone.',
    ),
    use(
      'SMS',
      'service',
      'Instrument available',
      'The microscope you booked is now available an hour earlier, at {custom1}. Reply YES to change your booking.',
      'When it becomes available',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Daily diary',
      'Good evening {first_name}, we have three quick questions for you today. First, how well did you sleep, from ' +
        '1 (poorly) to 5 (very well)?',
      'Every evening at the same time',
    ),
  ],
};
