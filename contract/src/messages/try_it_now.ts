/**
 * Free test messages to one's own phones, limited per day, even without a sender of one's own. They are sent by POST
 * /v1/messages with `test`.
 */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import { endpoint } from '../endpoint.ts';

/** Per account in 24 hours. */
export const TESTS_A_DAY = 20;
/** As `from`: the sender that the operators lend for tests. */
export const LENT_SENDER = 'try-it-now';

export const TryItNow = z.object({
  /** The channel. */
  id: z.enum(CHANNELS),
  /** Phones that can be written to: the caller's own first, then the verified numbers of the account. */
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
      /** Lent by the operators for tests. */
      lent: z.boolean(),
      countries: z.array(z.string()),
    }),
  ),
  /** Why no test can be sent, and the page where that can be fixed. Empty when one can. */
  blockers: z.array(z.object({ code: z.int(), text: z.string(), path: z.string().nullable() })),
  /** Requirements of carriers and countries, by number: why this one may not get it. */
  notes: z.array(z.object({ number: z.string(), text: z.string() })),
  /** The page with the sandbox's phones, while the sandbox is the carrier; null otherwise. */
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
