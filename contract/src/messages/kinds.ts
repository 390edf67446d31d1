/** Fixed values of messages. */

/** Why a message failed. The value determines whether it is retried. */
export const FAILURES = [
  'connection',
  'throttled',
  'rejected',
  'invalid',
  'config',
  'opted_out',
  'unknown',
  'expired',
] as const;
export type Failure = (typeof FAILURES)[number];

/** `phone`: written by the contact. `phone_app`: sent by the business from its own phone, not through Parley. */
export const SOURCES = [
  'api',
  'smpp',
  'campaign',
  'inbox',
  'reply',
  'test',
  'phone',
  'phone_app',
  'verification',
] as const;

/** Whether the price is held, charged (`settled`), or released. Inbound messages are free. */
export const CHARGES = ['none', 'held', 'settled', 'released'] as const;
