/** Emails to the owner of the account about reports and requests from a carrier. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { StateChange } from '@parley/contract/senders/carrier_state.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { type Owner, ownerEmail, senderLabel } from '../emails.ts';

interface NamedSender {
  channel: ChannelName;
  id: string;
  code: string;
  name: string;
}

const channelLabel = ({ channel }: NamedSender): string => channelRules(channel).label;

export const verificationEmail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: NamedSender & { carrier_address: string | null },
): Mail =>
  ownerEmail(config, account_id, owner, {
    title: `One more step for ${senderLabel(sender)}`,
    paragraphs: [
      `${channelLabel(sender)} must verify the number ${senderLabel(sender)} before it becomes a sender.`,
      'Open the sender, request a code by text message or phone call, and enter it there.',
    ],
    label: 'Enter the code',
    path: `/senders?open=${sender.id}`,
    key: `sender-verification ${sender.id} ${sender.carrier_address}`,
  });

const TITLES: Readonly<Record<StateChange['kind'], string>> = {
  quality_changed: 'low quality',
  limit_changed: 'a lower limit',
  restricted: 'a restriction',
};

export const stateEmail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  account_id: string,
  owner: Owner,
  sender: NamedSender,
  { news, key }: { news: readonly StateChange[]; key: string },
): Mail =>
  ownerEmail(config, account_id, owner, {
    title: `${channelLabel(sender)} reports ${TITLES[news[0]!.kind]} for ${senderLabel(sender)}`,
    paragraphs: [
      `${channelLabel(sender)} reports a problem with your sender ${senderLabel(sender)}.`,
      ...news.map(({ text }) => text),
      'Send fewer messages, and only to recipients who expect them. Blocks and reports count for seven days.',
    ],
    label: 'Open the sender',
    path: `/senders?open=${sender.id}`,
    key: `sender-state ${key}`,
  });
