import { type UseCase, use } from '../use_case.ts';

export const MONEY: Readonly<Record<number, readonly UseCase[]>> = {
  // Accounting
  10: [
    use(
      'SMS',
      'service',
      'Papers still missing',
      'Hi {first_name}, for your tax return we still need: {custom1}. Please send it by Friday so that we can file on time. Your accountants',
      'Weekdays 9:00-11:00, two weeks before the deadline',
    ),
    use(
      'SMS',
      'service',
      'Return filed',
      'Hi {first_name}, your tax return was filed today. The confirmation is in your client folder. You will hear from us when the assessment arrives.',
      'Within an hour of filing',
    ),
    use(
      'SMS',
      'conversation',
      'Year-end appointment',
      '{first_name}, shall we look at your year together? We have Tue 10:00 or Thu 15:00. Reply 1 or 2, or tell us what suits you.',
      'Tuesday to Thursday, 10:00-12:00',
      'Never put amounts or tax numbers into a text.',
    ),
  ],
  // Financial services
  5: [
    use(
      'SMS',
      'code',
      'Confirm a transfer',
      '{custom1} is your code to approve the transfer you have just entered. We never ask for it by phone. Not you? Call the number on your card.',
      'At once',
      'Strong customer authentication (PSD2) asks that amount and payee are shown where the code is asked for.',
    ),
    use(
      'SMS',
      'service',
      'Card used in a new place',
      'Your card ending {custom1} was used in a new country. If this was you, there is nothing to do. If not, block it in the app now.',
      'Within seconds',
      'No links in texts about fraud: people should learn that a link is never yours.',
    ),
    use(
      'SMS',
      'service',
      'Instalment due',
      'Hi {first_name}, your instalment is due on {custom1}. Please keep enough in your account, or choose another date in the app.',
      'Three days before, 9:00-18:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Documents for a loan',
      'Hello {first_name}, your loan is almost there. We only need your latest payslip: upload it in the app, or ask us here if anything is unclear.',
      'Weekdays 9:00-17:00',
    ),
  ],
  // Insurance
  27: [
    use(
      'SMS',
      'service',
      'Claim received',
      'Hi {first_name}, we have your claim {custom1}. A person looks at it within two working days. You can add photos by replying to this number.',
      'Within minutes of the claim',
    ),
    use(
      'SMS',
      'service',
      'Policy renews',
      '{first_name}, your policy renews on {custom1}. The new terms are in your mailbox. Nothing to do if all is fine; questions? Just reply.',
      'Four weeks before, 10:00-16:00',
    ),
    use(
      'SMS',
      'service',
      'Storm on its way',
      'Strong wind is expected in your area tonight. Bring in what could fly and close the shutters. If something breaks, take photos and report it in the app.',
      'Half a day before, only to policies of that area',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Photos of the damage',
      'Hello {first_name}, to settle claim {custom1} quickly we need two photos: the damage from close by, and the whole car. Please send them here.',
      'Right after the claim was opened',
    ),
  ],
};
