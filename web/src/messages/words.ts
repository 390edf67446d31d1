/** Labels for the message log and the message inspector. */
import type { WA_CATEGORIES } from '@parley/contract/messages/content.ts';
import type { RuleCheck } from '@parley/contract/messages/decisions.ts';
import type { Failure, Message } from '@parley/contract/messages/messages.ts';

export const SOURCE_WORDS: Record<Message['source'], string> = {
  api: 'API',
  smpp: 'SMPP',
  campaign: 'Campaign',
  inbox: 'Inbox',
  reply: 'Automatic reply',
  test: 'Test message',
  phone: 'Phone',
  phone_app: 'Phone app',
  verification: 'Verification code',
};

export const DIRECTION_WORDS: Record<Message['direction'], string> = {
  MT: 'Outbound (MT)',
  MO: 'Inbound (MO)',
};

export const FAILURE_WORDS: Record<Failure, string> = {
  connection: 'The carrier could not be reached',
  throttled: 'Carrier throttling lasted too long',
  rejected: 'The carrier or the phone rejected the message',
  invalid: 'The carrier could not process the message',
  config: 'The connection is not configured for this message',
  opted_out: 'The recipient opted out or blocked the sender',
  unknown: 'Delivery could not be confirmed',
  expired: 'The message expired before delivery',
};

/** Labels for the filter of the message log. */
export const CHARGE_LABELS: Record<Message['charge'], string> = {
  none: 'Free',
  held: 'Reserved',
  settled: 'Charged',
  released: 'Not charged',
};

export const CHARGE_WORDS: Record<Message['charge'], string> = {
  none: 'free',
  held: 'reserved until the carrier accepts the message',
  settled: 'charged',
  released: 'not charged, hold released',
};

/** The other sources are the brand itself. */
export const TIMELINE_SOURCES: Record<string, string> = {
  carrier: 'Carrier',
  person: 'A user',
  operator: 'An operator',
  test: 'Test carrier',
};

/** Labels for the categories of WhatsApp messages. */
export const CATEGORY_WORDS: Readonly<Record<(typeof WA_CATEGORIES)[number], string>> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utility',
  AUTHENTICATION: 'Authentication',
};

/** Labels for a message's purpose, on channels that charge by purpose. */
export const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  marketing: 'Marketing',
  utility: 'Utility',
  authentication: 'Authentication',
  service: 'Service (within a session)',
  session: 'Within the session',
  promotional: 'Promotional',
  transactional: 'Transactional',
};

/** Shown in place of the text if a message has none. */
export const TYPE_WORDS: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };

/** The checks of the gate, in words. */
export const RULE_WORDS: Readonly<Record<RuleCheck['rule'], string>> = {
  account: 'The account can send',
  sender: 'The sender is approved',
  recipient: 'The number is valid',
  stop_list: 'The number is not on the stop list',
  session: 'The channel allows the purpose',
  length: 'The length is within the limit',
  content: 'The content rules allow the text',
  route: 'A route reaches the number',
  price: 'The price is known',
  balance: 'The balance covers the price',
  order: 'Traffic class and time',
};
