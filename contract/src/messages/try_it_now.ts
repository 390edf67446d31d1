/**
 * Free test messages to the caller's own phones, limited per day. The account needs no sender for them. They are sent
 * by POST /v1/messages with `test`.
 */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import { endpoint } from '../endpoint.ts';

/** The limit per account in 24 hours. */
export const TESTS_PER_DAY = 20;
/** The value of `from` that selects the operators' test sender. */
export const TEST_SENDER = 'try-it-now';

export const TryItNow = z.object({
  id: z.enum(CHANNELS),
  /** Allowed recipients: the caller's own phone first, then the verified numbers of the account. */
  numbers: z.array(z.object({ number: z.string(), country: z.string(), mine: z.boolean() })),
  limit: z.int(),
  /** Test messages left today. */
  left: z.int(),
  senders: z.array(
    z.object({
      /** The value for `from`. */
      id: z.string(),
      name: z.string(),
      code: z.string(),
      /** True if the operators provide the sender for tests. */
      lent: z.boolean(),
      countries: z.array(z.string()),
    }),
  ),
  /** Reasons why no test message can be sent, with the page where each can be resolved. Empty if there are none. */
  blockers: z.array(z.object({ code: z.int(), text: z.string(), path: z.string().nullable() })),
  /** Carrier and country requirements, by number, that may prevent the number from receiving the message. */
  notes: z.array(z.object({ number: z.string(), text: z.string() })),
  /** The page with the sandbox's phones, if the sandbox is the carrier; otherwise null. */
  phones_url: z.string().nullable(),
});
export type TryItNow = z.output<typeof TryItNow>;

export const getTryItNow = endpoint({
  id: 'try_it_now.get',
  method: 'GET',
  path: '/v1/try_it_now/{channel}',
  summary: 'Get the senders and recipients for test messages on a channel',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: z.object({ channel: channel('MESSAGE_CHANNEL_INVALID') }),
  output: TryItNow,
  problems: ['MESSAGE_CHANNEL_INVALID'],
});
