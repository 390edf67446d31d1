/** What is legal where, and what it takes: asked before anything is ordered. */
import { z } from 'zod';
import { channel, commaList, country } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { DOCUMENTS, type DocumentKind } from './countries.ts';
import { SMS_SENDER_TYPES } from './senders.ts';

export const documentKind = z.enum(Object.keys(DOCUMENTS) as [DocumentKind]);

export const SenderRule = z.object({
  country: z.string(),
  types: z.array(
    z.object({
      type: z.enum(SMS_SENDER_TYPES),
      /** `no`: carriers do not take it; `open`: at once; `register`: after an approval. */
      state: z.enum(['no', 'open', 'register']),
      two_way: z.boolean(),
      /** Least and most working days until it is decided. */
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
  summary: 'What may be sent from, by country: kinds, registration, documents, days, quiet hours',
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
