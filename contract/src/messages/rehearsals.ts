/** Rehearsals of single messages: the message is written, checked, and priced, and nothing is sent. */
import { z } from 'zod';
import { currency, micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { createMessage } from './messages.ts';
import { Message } from './shapes.ts';

export const MessageRehearsal = z.object({
  /** One object per message that would be accepted. A repeated number would get only one message. */
  messages: z.array(
    Message.pick({
      ...{ to: true, from: true, channel: true, type: true, text: true, content: true, template_id: true },
      ...{ schedule: true, segments_count: true, encoding: true, country: true, mccmnc: true, network: true },
      ...{ price_micros: true, sender_id: true },
    }),
  ),
  total_micros: spend(micros),
  currency,
  /** The message's fallbacks, in their order. */
  fallbacks: z.array(z.object({ channel: z.string(), text: z.string().nullable(), template: z.string().nullable() })),
  /** True if the API key needs an approval for this message. */
  needs_approval: z.boolean(),
});
export type MessageRehearsal = z.output<typeof MessageRehearsal>;

export const rehearseMessage = endpoint({
  id: 'message_rehearsals.create',
  method: 'POST',
  path: '/v1/message_rehearsals',
  summary: 'Rehearse a message: its texts, segments, and price, or the reasons it would be refused',
  needs: 'MESSAGES:add',
  test_keys: true,
  body: createMessage.body,
  output: MessageRehearsal,
  problems: createMessage.problems.filter((name) => !name.startsWith('IDEMPOTENCY_')),
});
