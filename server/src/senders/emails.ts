/** Emails about senders to the account's owner. */
import { channelRules, PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { BRAND_NAME } from '../kernel/brand/brand.ts';
import { letter } from '../kernel/mail/letter.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';

export interface Owner {
  email: string;
  first_name: string;
  company_name: string;
}

interface OwnerEmail {
  title: string;
  /** The first paragraph continues the greeting's sentence, so it begins with a lowercase letter or a name. */
  paragraphs: readonly string[];
  /** The label and the path of the button. */
  label: string;
  path: string;
  /** An email with the same key is sent once. */
  key: string;
}

export const ownerEmail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  { title, paragraphs, label, path, key }: OwnerEmail,
): Mail => ({
  to: owner.email,
  account_id,
  subject: title,
  dedupe_key: key,
  ...letter({
    title,
    paragraphs: [owner.first_name ? `Hello ${owner.first_name},` : 'Hello,', ...paragraphs],
    action: { label, url: `${config.PUBLIC_URL}${path}` },
    footer: `You received this email because you own the ${owner.company_name} account.`,
  }),
});

const TYPE_LABELS: Record<Sender['type'], string> = {
  local: 'number',
  mobile: 'number',
  toll_free: 'toll-free number',
  short_code: 'short code',
  alphanumeric: 'sender ID',
  business: 'sender',
};
export const typeLabel = ({ type, channel }: Pick<Sender, 'type' | 'channel'>): string =>
  channel === PHONE_CHANNEL ? TYPE_LABELS[type] : `${channelRules(channel).label} sender`;

/** The number with its plus sign, the code, or the name. */
export const senderLabel = ({ code, name }: Pick<Sender, 'code' | 'name'>): string =>
  /^\d+$/.test(code) ? `+${code}` : code || name;

export const senderEmail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Sender,
): Mail =>
  ownerEmail(config, account_id, owner, {
    title: `Your sender ${sender.code} is ready`,
    paragraphs: [
      `${owner.company_name} has a new sender: the ${typeLabel(sender)} ${sender.code}, named ${sender.name}.`,
      sender.two_way
        ? 'Recipients can reply to it. Their messages arrive in your inbox.'
        : 'Recipients cannot reply to it.',
    ],
    label: `Open ${BRAND_NAME}`,
    path: '/',
    key: `sender-created ${sender.id}`,
  });
