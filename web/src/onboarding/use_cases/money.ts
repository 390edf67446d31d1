import { type UseCase, use } from '../use_case.ts';

export const MONEY: Readonly<Record<number, readonly UseCase[]>> = {
  // Accounting
  10: [
    use(
      'SMS',
      'service',
      'Missing documents',
      "Hi {first_name}, it's your accountants. We still need {custom1} for your tax return. Send it by Friday so " +
        'that we can file on time.',
      'On a weekday two weeks before the deadline, 9:00-11:00',
    ),
    use(
      'SMS',
      'service',
      'Return filed',
      "Hi {first_name}, your tax return was filed today. The confirmation is in your client folder. We'll text you " +
        'once it has been processed.',
      'Within an hour of filing',
    ),
    use(
      'SMS',
      'conversation',
      'Year-end appointment',
      "{first_name}, let's review your year together. Reply 1 for Tue at 10 AM or 2 for Thu at 3 PM, or tell us " +
        'what works for you.',
      'Tuesday to Thursday, 10:00-12:00',
      'Never put amounts or tax numbers in a text.',
    ),
  ],
  // Financial services
  5: [
    use(
      'SMS',
      'code',
      'Confirm a transfer',
      '{custom1} is the code to approve your transfer. We will never ask for it by phone. Not you? Call the number ' +
        'on your card.',
      'Immediately',
      'Strong customer authentication (PSD2) requires the amount and the payee to be shown where the code is entered.',
    ),
    use(
      'SMS',
      'service',
      'Card used in a new country',
      'Your card ending in {custom1} was used in a new country. If this was you, no action is needed. If not, ' +
        'block the card in the app now.',
      'Within seconds',
      'Never put links in fraud alerts. Teach customers that you never send any.',
    ),
    use(
      'SMS',
      'service',
      'Payment due',
      'Hi {first_name}, your loan payment is due on {custom1}. Make sure your account has enough funds, or ' +
        'choose another date in the app.',
      'Three days before, 9:00-18:00',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Loan documents',
      'Hello {first_name}, your loan application is almost complete. We just need your latest pay stub. Upload it ' +
        'in the app. Questions? Message us here.',
      'Weekdays, 9:00-17:00',
    ),
  ],
  // Insurance
  27: [
    use(
      'SMS',
      'service',
      'Claim received',
      'Hi {first_name}, we received your claim {custom1}. We will review it within two business days. Reply ' +
        'to this text to add photos.',
      'Within minutes of the claim',
    ),
    use(
      'SMS',
      'service',
      'Policy renews',
      '{first_name}, your policy renews on {custom1}. The new terms are in your email. No action is needed. ' +
        'Questions? Just reply.',
      'Four weeks before, 10:00-16:00',
    ),
    use(
      'SMS',
      'service',
      'Storm warning',
      'Strong winds are expected in your area tonight. Secure loose items and close the shutters. If there ' +
        'is damage, take photos and report it in the app.',
      'Half a day before, to policyholders in that area only',
    ),
    use(
      'WHATSAPP',
      'conversation',
      'Photos of the damage',
      'Hello {first_name}, to settle claim {custom1} quickly, we need two photos: a close-up of the damage and a ' +
        'shot of the whole car. Send them here.',
      'Right after the claim is opened',
    ),
  ],
};
