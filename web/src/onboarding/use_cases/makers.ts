import { type UseCase, use } from '../use_case.ts';

export const MAKERS: Readonly<Record<number, readonly UseCase[]>> = {
  // Arts
  12: [
    use(
      'SMS',
      'service',
      'Doors tonight',
      'Hi {first_name}, doors open at {custom1} tonight. Late seats are given at the first break. Your ticket is in your mail.',
      'The same day, 14:00-16:00',
    ),
    use(
      'SMS',
      'marketing',
      'Opening night',
      '{first_name}, you are invited: our new exhibition opens Thursday at 19:00. Reply YES and we keep a place. Reply STOP to opt out.',
      'A week before, 17:00-19:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'A work put aside',
      'Hello {first_name}, the print you asked about is back from the framer. Shall we keep it for you until Saturday?',
      'In gallery hours',
    ),
  ],
  // Casino and gambling
  14: [
    use(
      'SMS',
      'code',
      'Signing in',
      '{custom1} is your sign-in code. It ends in 10 minutes. We never ask for it on the phone.',
      'At once',
    ),
    use(
      'SMS',
      'service',
      'Withdrawal paid',
      'Hi {first_name}, your withdrawal of {custom1} has left us and arrives within two bank days. Not you? Reply HELP.',
      'When it is paid',
    ),
    use(
      'VIBER',
      'service',
      'Limit reached',
      'Hi {first_name}, you have reached the limit you set for this week. It opens again on Monday. Free advice is one tap away.',
      'At once, day or night',
      'Many countries forbid or license marketing for games of chance: check before you send any, and leave out people who excluded themselves.',
    ),
  ],
  // Design
  18: [
    use(
      'SMS',
      'service',
      'Drafts are ready',
      'Hi {first_name}, the drafts for {custom1} are in your folder. Reply OK to approve or send us your notes by Friday.',
      'On working days, 10:00-16:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'A choice of two',
      'Good morning {first_name}, attached are both colour ways on the real paper. Which of them shall go to print?',
      'As soon as the samples are there',
    ),
    use(
      'SMS',
      'service',
      'Visit tomorrow',
      'Hi {first_name}, we measure at {custom1} tomorrow. It takes an hour and we need access to every room. Reply NO to move it.',
      'The day before, 15:00-17:00',
    ),
  ],
  // Engineering
  19: [
    use(
      'SMS',
      'service',
      'On call',
      'Alarm at {custom1}: pressure out of range. You are on call. Reply 1 to take it; in 10 minutes the next person is asked.',
      'At once, day or night',
    ),
    use(
      'SMS',
      'service',
      'Inspection date',
      'Hi {first_name}, the inspection of {custom1} is tomorrow at 9:00. Please keep the plant room open and the log at hand.',
      'The day before',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'A photo from the site',
      'Hello {first_name}, please send a photo of the name plate of the pump. We check the spare part before we drive out.',
      'While the case is open',
    ),
  ],
  // Mining
  30: [
    use(
      'SMS',
      'service',
      'Blasting times',
      'Blasting at {custom1} today. The road is closed 15 minutes before and after. All clear will be sent by SMS.',
      'At the start of the shift',
    ),
    use(
      'SMS',
      'service',
      'Shift change',
      'Hi {first_name}, your next shift begins at {custom1}. Buses leave the gate 40 minutes earlier. Reply OK, please.',
      'The day before',
    ),
    use(
      'VIBER',
      'service',
      'Safety notice',
      'Gas readings in section 4 were high this morning and are normal again. Carry your meter and read the notice at the lamp room.',
      'As soon as it is known',
    ),
  ],
  // Science
  32: [
    use(
      'SMS',
      'service',
      'Study visit',
      'Hi {first_name}, your study visit is on {custom1}. Please come without breakfast and bring the diary. Reply NO to move it.',
      'Two days before',
      'What the study is about stays out of the text: phones are read by others too.',
    ),
    use(
      'SMS',
      'service',
      'Instrument free',
      'The microscope you booked is free an hour earlier, from {custom1}. Reply YES to take it or leave the booking as it is.',
      'When it becomes free',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Short diary',
      'Good evening {first_name}, three questions for today, less than a minute. How did you sleep, from 1 to 5?',
      'Every evening at the same time',
    ),
  ],
};
