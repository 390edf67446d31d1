/** The shapes of messages in responses. The browser does not load them, because only the server checks responses. */
import { z } from 'zod';
import { currency, micros, timestamp } from '../common.ts';
import { spend } from '../spend.ts';
import { VERIFICATION_STATUSES } from '../verifications/statuses.ts';
import { Content, WA_CATEGORIES } from './content.ts';
import { CHARGES, FAILURES, SOURCES } from './kinds.ts';
import { Marks } from './marks.ts';
import { STATUSES } from './statuses.ts';

export const Message = z.object({
  id: z.string(),
  account_id: z.string(),
  conversation_id: z.string().nullable().optional(),
  text: z.string(),
  from: z.string(),
  to: z.string(),
  channel: z.string(),
  type: z.string(),
  /** The content in addition to the text, and the purpose; null for plain text. */
  content: Content.nullable(),
  template_id: z.string().nullable(),
  status: z.enum(STATUSES),
  direction: z.enum(['MT', 'MO']),
  source: z.enum(SOURCES),
  create_date: timestamp,
  update_date: timestamp,
  schedule: timestamp.nullable(),
  segments_count: z.int(),
  encoding: z.string(),
  country: z.string(),
  mccmnc: z.string().nullable(),
  network: z.string().nullable().optional(),
  /** In currency units; `price_micros` is the exact amount. */
  price: spend(z.number()),
  price_micros: spend(micros),
  currency,
  charge: z.enum(CHARGES),
  sender_id: z.string(),
  campaign_id: z.string().nullable(),
  user_id: z.string().nullable(),
  failure: z.enum(FAILURES).nullable(),
  carrier_code: z.string().nullable(),
  status_details: z.string().nullable(),
  marks: Marks.nullable().optional(),
  /** Set if a test key sent the message: it is free and reaches no phone. */
  test: z.literal(true).optional(),
});
export type Message = z.output<typeof Message>;

/** A message in the message log. */
export const LoggedMessage = Message.extend({
  segment_count: z.int(),
  /** The same as `source`: the log of older clients calls it the priority. */
  priority: z.enum(SOURCES),
  wa_category: z.enum(WA_CATEGORIES).nullable(),
  /** Whether the verification code in the message was entered; null for all other messages. */
  verification_status: z.enum(VERIFICATION_STATUSES).nullable(),
  /** The file's link, if the message was sent with one. */
  url: z.string().nullable(),
  /** The values of the template's placeholders, in their order. */
  variables: z.array(z.string()),
  sender: z.object({ id: z.string(), name: z.string().nullable(), code: z.string().nullable() }),
  links: z.object({ self: z.string(), account: z.string() }),
});
export type LoggedMessage = z.output<typeof LoggedMessage>;
