/** Emails about unpaid numbers to the account's owner. */
import type { Mail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';
import { type Owner, ownerEmail } from '../senders/senders.ts';

interface UnpaidRental {
  step: 'late' | 'last_day' | 'released';
  sender_id: string;
  number: string;
  months: number;
  currency: string;
  monthly_micros: number;
  grace: Date;
}

export function rentalEmail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  { step, sender_id, number, months, currency, monthly_micros, grace }: UnpaidRental,
): Mail {
  const price = `${(monthly_micros / 1e6).toFixed(2)} ${currency}`;
  const until = `${grace.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const { title, paragraphs } = {
    late: {
      title: `Your number +${number} could not be renewed`,
      paragraphs: [
        `Your balance did not cover the monthly rental of your number +${number} (${price}).`,
        `The number works until ${until}. Add funds before then to renew it automatically.`,
      ],
    },
    last_day: {
      title: `Your number +${number} will be released tomorrow`,
      paragraphs: [
        `The monthly rental of your number +${number} (${price}) is still unpaid.`,
        `Add funds before ${until} to keep the number. Otherwise, it will be released, and campaigns that use it ` +
          'can no longer be sent.',
      ],
    },
    released: {
      title: `Your number +${number} was released`,
      paragraphs: [
        `The monthly rental of your number +${number} (${price}) was not paid by ${until}, so the number was released.`,
        'You can no longer send from this number or receive replies to it.',
      ],
    },
  }[step];
  return ownerEmail(config, account_id, owner, {
    title,
    paragraphs,
    label: 'Open your numbers',
    path: '/senders?tab=numbers',
    key: `rent-${step} ${sender_id} ${months}`,
  });
}
