/** Trying it: messages to one's own phones, at no price and so many a day, also before there is a sender of one's own. They go by POST /v1/messages with `test`. */
import { z } from 'zod';
import { CHANNELS, channel } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** Of an account, in 24 hours. */
export const TESTS_A_DAY = 20;
/** As `from`: the sender that the operators lend for trying. */
export const LENT_SENDER = 'try-it-now';

export const TryItNow = z.object({
  /** The channel. */
  id: z.enum(CHANNELS),
  /** Phones that may be written to: the caller's own first, then those the account has shown to be its own. */
  numbers: z.array(z.object({ number: z.string(), country: z.string(), mine: z.boolean() })),
  limit: z.int(),
  /** Still to be had today. */
  left: z.int(),
  senders: z.array(
    z.object({
      /** What goes into `from`. */
      id: z.string(),
      name: z.string(),
      code: z.string(),
      /** Of the operators, for trying. */
      lent: z.boolean(),
      countries: z.array(z.string()),
    }),
  ),
  /** Why no test can be sent at all: what to know, and where it is mended. Empty when one can. */
  blockers: z.array(z.object({ code: z.int(), text: z.string(), path: z.string().nullable() })),
  /** What carriers and countries demand, by number: why this one may not get it. */
  notes: z.array(z.object({ number: z.string(), text: z.string() })),
  /** Where the sandbox's phones are, while the sandbox is the carrier; null otherwise. */
  phones_url: z.string().nullable(),
});
export type TryItNow = z.output<typeof TryItNow>;

export const getTryItNow = endpoint({
  id: 'try_it_now.get',
  method: 'GET',
  path: '/v1/try_it_now/{channel}',
  summary: 'What a test message on a channel can be sent from and to',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: z.object({ channel: channel('MESSAGE_CHANNEL_INVALID') }),
  output: TryItNow,
  problems: ['MESSAGE_CHANNEL_INVALID'],
});
