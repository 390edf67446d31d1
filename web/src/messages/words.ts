/** What the log and the inspector call things. */
import {
  type Failure,
  type LOG_STATUSES,
  logStatus,
  type Message,
  STATUSES,
  type Status,
} from '@parley/contract/messages/messages.ts';

export const SOURCE_WORDS: Record<Message['source'], string> = {
  api: 'API',
  campaign: 'Campaign',
  inbox: 'Inbox',
  reply: 'Automatic reply',
  test: 'Test message',
  phone: 'Phone',
  verification: 'Verification code',
};

export const DIRECTION_WORDS: Record<Message['direction'], string> = { MT: 'Outgoing', MO: 'Incoming' };

type LogStatus = (typeof LOG_STATUSES)[number];
export const LOG_STATUS_WORDS: Record<LogStatus, string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  read: 'Read',
  undelivered: 'Undelivered',
  failed: 'Failed',
  blocked: 'Blocked',
  canceled: 'Canceled',
  answered: 'Answered',
};

/** The statuses a message may have under one word of the log. */
export const statusesWithLabel = (words: readonly string[]): Status[] =>
  STATUSES.filter((status) => words.includes(logStatus(status)));

export const FAILURE_WORDS: Record<Failure, string> = {
  connection: 'The carrier could not be reached',
  throttled: 'The carrier asked for less traffic for too long',
  rejected: 'The carrier or the phone did not take it',
  invalid: 'The carrier could not read it',
  config: 'The connection’s settings do not fit this message',
  opted_out: 'The person does not want messages',
  unknown: 'Nobody knows whether it arrived',
  expired: 'It was not delivered in time',
};

export const CHARGE_WORDS: Record<Message['charge'], string> = {
  none: 'free',
  held: 'held until the carrier takes it',
  settled: 'charged',
  released: 'given back',
};

export const TIMELINE_SOURCES: Record<string, string> = {
  gate: 'Parley, at acceptance',
  worker: 'Parley, while sending',
  carrier: 'Carrier',
  person: 'A person',
};

/** Why it was sent, where the channel asks and charges by it. */
export const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  marketing: 'Marketing',
  utility: 'Utility',
  authentication: 'Authentication',
  service: 'Service, within the session',
  session: 'Within the session',
  promotional: 'Promotional',
  transactional: 'Transactional',
};

/** What stands for a message without words. */
export const TYPE_WORDS: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };
