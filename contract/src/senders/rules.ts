/** Sender rules by country, shown before an order. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { commaList, country } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { DOCUMENTS, type DocumentKind } from './countries.ts';
import { SMS_SENDER_TYPES } from './senders.ts';

export const documentKind = z.enum(Object.keys(DOCUMENTS) as [DocumentKind]);

export const SenderRule = z.object({
  country: z.string(),
  types: z.array(
    z.object({
      type: z.enum(SMS_SENDER_TYPES),
      /** `no`: carriers do not accept it. `open`: usable immediately. `register`: usable after approval. */
      state: z.enum(['no', 'open', 'register']),
      two_way: z.boolean(),
      /** The minimum and maximum number of business days until a decision. */
      expected_days: z.tuple([z.int(), z.int()]).nullable(),
      documents: z.array(documentKind),
      note: z.string(),
    }),
  ),
  quiet_hours: z.object({ from: z.string(), to: z.string(), note: z.string() }).nullable(),
  opt_out_text: z.string(),
});
export type SenderRule = z.output<typeof SenderRule>;

export const listSenderRules = endpoint({
  id: 'sender_rules.list',
  method: 'GET',
  path: '/v1/sender_rules',
  summary: 'List sender rules by country: types, registration, documents, review times, and quiet hours',
  needs: 'SENDERS:view',
  query: z.object({
    channel: channel('SENDER_CHANNEL_INVALID').optional(),
    filter: z
      .object({ countries: commaList(country()) })
      .partial()
      .optional(),
  }),
  output: z.array(SenderRule),
  problems: ['COUNTRY_CODE_INVALID', 'SENDER_CHANNEL_INVALID'],
});
