/** Mails to the owner of a company about what its carrier says of a sender. */

import type { FieldReason } from '@parley/contract/registrations/registration.ts';
import type { StateNews } from '@parley/contract/senders/carrier_state.ts';
import { letter } from '../../kernel/mail/letter.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { Config } from '../../kernel/settings/config.ts';

interface Owner {
  email: string;
  first_name: string;
  company_name: string;
}
interface Named {
  id: string;
  code: string;
  name: string;
}
interface Words {
  title: string;
  paragraphs: readonly string[];
  label: string;
  path: string;
  key: string;
}

const mail = (config: Pick<Config, 'PUBLIC_URL'>, account_id: string, owner: Owner, words: Words): Mail => ({
  to: owner.email,
  account_id,
  subject: words.title,
  dedupe_key: words.key,
  ...letter({
    brand: 'Parley',
    title: words.title,
    paragraphs: [
      `${owner.first_name ? `Hello ${owner.first_name},` : 'Hello,'} ${words.paragraphs[0]}`,
      ...words.paragraphs.slice(1),
    ],
    action: { label: words.label, url: `${config.PUBLIC_URL}${words.path}` },
    footer: `You receive this because you own the account of ${owner.company_name}.`,
  }),
});

const shown = ({ code, name }: Named): string => (/^\d+$/.test(code) ? `+${code}` : code || name);

export const verificationMail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Named & { carrier_address: string | null },
): Mail =>
  mail(config, account_id, owner, {
    title: `One more step for ${shown(sender)}`,
    paragraphs: [
      `WhatsApp wants the number ${shown(sender)} verified before it becomes a sender. Have a code sent to it, by text message or in a call, and enter it on the page of the sender.`,
    ],
    label: 'Enter the code',
    path: `/senders?open=${sender.id}`,
    key: `sender-verification ${sender.id} ${sender.carrier_address}`,
  });

export const profileMail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Named,
  { refusals, revision }: { refusals: readonly FieldReason[]; revision: number },
): Mail =>
  mail(config, account_id, owner, {
    title: `WhatsApp did not take all of the profile of ${shown(sender)}`,
    paragraphs: [
      `this part of the profile of ${shown(sender)} was not taken by WhatsApp; the rest was, and messages are sent as before.`,
      ...refusals.map(({ text }) => text),
    ],
    label: 'Mend the profile',
    path: `/senders/edit-sender?id=${sender.id}`,
    key: `sender-profile ${sender.id} ${revision}`,
  });

export const stateMail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Named,
  { news, key }: { news: readonly StateNews[]; key: string },
): Mail =>
  mail(config, account_id, owner, {
    title: `WhatsApp about ${shown(sender)}: ${TITLES[news[0]!.kind]}`,
    paragraphs: [
      `WhatsApp has told us something about the sender ${shown(sender)} that you should know.`,
      ...news.map(({ text }) => text),
      'Write to fewer people, and only to those who expect it. What people report or block counts for seven days.',
    ],
    label: 'Open the sender',
    path: `/senders?open=${sender.id}`,
    key: `sender-state ${key}`,
  });

const TITLES: Readonly<Record<StateNews['kind'], string>> = {
  quality_changed: 'its quality is low',
  limit_changed: 'it may write to fewer people',
  restricted: 'it is restricted',
};
