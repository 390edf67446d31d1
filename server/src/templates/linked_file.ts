/** The file behind a customer's link, as the reviewer is to see it: read through the guarded connector, once, whole. */

import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { CarrierRefusal, type OutgoingMedia } from '../channels/channel.ts';
import { type GuardedFetch, type GuardedResponse, OutboundError } from '../kernel/http/outbound.ts';
import { LINK } from './reason.ts';

/** It is held in memory for as long as it is handed over. */
const MOST_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** One that is away for a moment is asked again; whoever gave the link must not wait for a day to hear that it cannot be opened. */
const PAUSES_MS = [3_000, 15_000];

/** A link that leads to no such file, or to nothing however often it is asked, is told as a refusal. */
export async function readLink(
  fetch: GuardedFetch,
  media: OutgoingMedia,
  channel: ChannelName,
  pauses: readonly number[] = PAUSES_MS,
): Promise<OutgoingMedia> {
  const max_bytes = Math.min(mediaRule(media.type, channel).max_bytes, MOST_BYTES);
  const ask = async (): Promise<GuardedResponse | string> => {
    try {
      const answer = await fetch(media.link, { max_bytes, timeout_ms: TIMEOUT_MS, redirects: 3 });
      return answer.status >= 500 || answer.status === 429 ? `it answers ${answer.status}` : answer;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === 'network' || error.reason === 'timeout') return error.message;
      throw new CarrierRefusal(LINK, error.message);
    }
  };
  let answer = await ask();
  for (const ms of pauses) {
    if (typeof answer !== 'string') break;
    await pause(ms);
    answer = await ask();
  }
  if (typeof answer === 'string') throw new CarrierRefusal(LINK, answer);
  if (answer.status !== 200) throw new CarrierRefusal(LINK, `it answers ${answer.status}`);
  if (answer.truncated)
    throw new CarrierRefusal(LINK, `the file is larger than ${max_bytes / 1024 / 1024} MB; upload it instead`);
  const { body } = answer;
  const content_type = [answer.headers['content-type']].flat()[0]?.split(';')[0]?.trim() || null;
  return { ...media, content_type, bytes: body.length, open: async () => Readable.from([body]) };
}
