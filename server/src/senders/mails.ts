/** Mails about senders, to the owner of the company. */
import { channelRules, PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { FieldReason } from '@parley/contract/registrations/registration.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { letter } from '../kernel/mail/letter.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';

const KINDS: Record<Sender['type'], string> = {
  local: 'number',
  mobile: 'number',
  toll_free: 'toll-free number',
  short_code: 'short code',
  alphanumeric: 'name',
  business: 'sender',
};
const kindOf = ({ type, channel }: Pick<Sender, 'type' | 'channel'>): string =>
  channel === PHONE_CHANNEL ? KINDS[type] : `${channelRules(channel).label} sender`;

export function senderMail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: { email: string; first_name: string; company_name: string },
  sender: Sender,
): Mail {
  const title = `Your sender ${sender.code} is ready`;
  const answers = sender.two_way
    ? 'People can answer it; what they write arrives in your inbox.'
    : 'It sends only: nobody can answer it.';
  return {
    to: owner.email,
    account_id,
    subject: title,
    dedupe_key: `sender-created ${sender.id}`,
    ...letter({
      brand: 'Parley',
      title,
      paragraphs: [
        `${owner.first_name ? `Hello ${owner.first_name}, ` : ''}${owner.company_name} has a new sender: the ${kindOf(sender)} ${sender.code}, called ${sender.name}.`,
        answers,
      ],
      action: { label: 'Open Parley', url: `${config.PUBLIC_URL}/` },
      footer: `You receive this because you own the account of ${owner.company_name}.`,
    }),
  };
}

interface Owner {
  email: string;
  first_name: string;
  company_name: string;
}

const greeting = ({ first_name }: Owner): string => (first_name ? `Hello ${first_name},` : 'Hello,');
const footer = ({ company_name }: Owner): string => `You receive this because you own the account of ${company_name}.`;

export interface Decided {
  decision: 'approve' | 'reject' | 'ask';
  reasons: readonly FieldReason[];
  note: string;
  /** Of this decision: the same sender can be sent back twice. */
  key: string;
}

export function decisionMail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Sender,
  { decision, reasons, note, key }: Decided,
): Mail {
  const what = `${kindOf(sender)} ${sender.code || sender.name}`;
  const words = {
    approve: {
      title: `Approved: ${what}`,
      text: `The ${what} is approved. You can send from it now.`,
      label: 'Open the sender',
    },
    reject: {
      title: `Please mend: ${what}`,
      text: `The ${what} was not approved. Mend what is named below and send it again; what you entered is kept.`,
      label: 'Mend and send again',
    },
    ask: {
      title: `A question about your ${what}`,
      text: `Before we can decide on the ${what} we need to know more.`,
      label: 'Answer',
    },
  }[decision];
  return {
    to: owner.email,
    account_id,
    subject: words.title,
    dedupe_key: `sender-decided ${key}`,
    ...letter({
      brand: 'Parley',
      title: words.title,
      paragraphs: [
        `${greeting(owner)} ${words.text.charAt(0).toLowerCase()}${words.text.slice(1)}`,
        ...reasons.map(({ text }) => text),
        ...(note ? [note] : []),
      ],
      action: { label: words.label, url: `${config.PUBLIC_URL}/senders?open=${sender.id}` },
      footer: footer(owner),
    }),
  };
}

export interface LateRent {
  step: 'late' | 'last_day' | 'released';
  sender_id: string;
  number: string;
  months: number;
  currency: string;
  monthly_micros: number;
  grace: Date;
}

export function rentMail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  { step, sender_id, number, months, currency, monthly_micros, grace }: LateRent,
): Mail {
  const price = `${(monthly_micros / 1e6).toFixed(2)} ${currency}`;
  const until = `${grace.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const words = {
    late: {
      title: `Your number +${number} could not be renewed`,
      text: `The balance is not enough for the next month of the number +${number} (${price}). It works until ${until}; add funds before then and it is renewed by itself.`,
    },
    last_day: {
      title: `Your number +${number} ends tomorrow`,
      text: `The next month of the number +${number} (${price}) is still not paid. On ${until} it is given back, and campaigns that use it cannot be sent.`,
    },
    released: {
      title: `Your number +${number} was given back`,
      text: `The rent of the number +${number} (${price} a month) was not paid by ${until}. Nothing can be sent from it any more, and answers to it do not arrive.`,
    },
  }[step];
  return {
    to: owner.email,
    account_id,
    subject: words.title,
    dedupe_key: `rent-${step} ${sender_id} ${months}`,
    ...letter({
      brand: 'Parley',
      title: words.title,
      paragraphs: [`${greeting(owner)} ${words.text.charAt(0).toLowerCase()}${words.text.slice(1)}`],
      action: { label: 'Open your numbers', url: `${config.PUBLIC_URL}/senders?tab=numbers` },
      footer: footer(owner),
    }),
  };
}
