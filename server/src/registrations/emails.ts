/** Emails about reviews and profiles to the account's owner. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { FieldReason } from '@parley/contract/registrations/registration.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { Mail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';
import { type Owner, ownerEmail, senderLabel, typeLabel } from '../senders/senders.ts';

interface Decision {
  decision: 'approve' | 'reject' | 'ask';
  reasons: readonly FieldReason[];
  note: string;
  /** Unique for each decision, because the same sender can be rejected twice. */
  key: string;
}

export function decisionEmail(
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Sender,
  { decision, reasons, note, key }: Decision,
): Mail {
  const sender_label = `${typeLabel(sender)} ${sender.code || sender.name}`;
  const { title, paragraphs, label } = {
    approve: {
      title: `Approved: ${sender_label}`,
      paragraphs: [`The ${sender_label} is approved. You can send messages from it now.`],
      label: 'Open the sender',
    },
    reject: {
      title: `Rejected: ${sender_label}`,
      paragraphs: [
        `The ${sender_label} was rejected. Fix the problems below and resubmit the request. Your entries are saved.`,
      ],
      label: 'Edit and resubmit',
    },
    ask: {
      title: `A question about your ${sender_label}`,
      paragraphs: [`We need more information before we can decide on the ${sender_label}.`],
      label: 'Add the information',
    },
  }[decision];
  return ownerEmail(config, account_id, owner, {
    title,
    paragraphs: [...paragraphs, ...reasons.map(({ text }) => text), ...(note ? [note] : [])],
    label,
    path: `/senders?open=${sender.id}`,
    key: `sender-decided ${key}`,
  });
}

export const profileEmail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: Pick<Sender, 'id' | 'code' | 'name' | 'channel'>,
  { refusals, revision }: { refusals: readonly FieldReason[]; revision: number },
): Mail =>
  ownerEmail(config, account_id, owner, {
    title: `${channelRules(sender.channel).label} rejected part of the profile for ${senderLabel(sender)}`,
    paragraphs: [
      `${channelRules(sender.channel).label} rejected part of the profile for ${senderLabel(sender)}.`,
      'The rest of the profile is in use, and you can send messages as before.',
      ...refusals.map(({ text }) => text),
    ],
    label: 'Edit the profile',
    path: `/senders/edit-sender?id=${sender.id}`,
    key: `sender-profile ${sender.id} ${revision}`,
  });
