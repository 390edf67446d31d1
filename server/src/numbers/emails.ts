/** Emails about unpaid numbers to the owner of the account. */
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
        `your balance is too low for the next month of the number +${number} (${price}).`,
        `The number works until ${until}. Add funds before then, and it is renewed automatically.`,
      ],
    },
    last_day: {
      title: `Your number +${number} ends tomorrow`,
      paragraphs: [
        `the next month of the number +${number} (${price}) is still not paid.`,
        `On ${until} the number is released, and campaigns that use it can no longer be sent.`,
      ],
    },
    released: {
      title: `Your number +${number} was released`,
      paragraphs: [
        `the number +${number} (${price} a month) was not paid by ${until} and was released.`,
        'You can no longer send from this number, and replies to it no longer arrive.',
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
