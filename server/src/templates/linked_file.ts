/** Fetches the file at a customer's link for the reviewer: once, in full, and through the guarded connector. */

import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { CarrierRefusal } from '../channels/channel.ts';
import type { OutgoingMedia } from '../channels/outgoing_content.ts';
import { type GuardedFetch, type GuardedResponse, OutboundError } from '../kernel/http/outbound.ts';
import { LINK } from './reasons.ts';

/** The file is held in memory during the upload. */
const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Requests to a failing server are retried only briefly, because the customer must not wait a day to learn that the
 * link is broken.
 */
const PAUSES_MS = [3_000, 15_000];

/** Throws a refusal if the link does not lead to a file of this kind, or keeps failing. */
export async function readLink(
  fetch: GuardedFetch,
  media: OutgoingMedia,
  channel: ChannelName,
  pauses: readonly number[] = PAUSES_MS,
): Promise<OutgoingMedia> {
  const max_bytes = Math.min(mediaRule(media.type, channel).max_bytes, MAX_BYTES);
  const request = async (): Promise<GuardedResponse | string> => {
    try {
      const answer = await fetch(media.link, { max_bytes, timeout_ms: TIMEOUT_MS, redirects: 3 });
      return answer.status >= 500 || answer.status === 429 ? `the response has status ${answer.status}` : answer;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === 'network' || error.reason === 'timeout') return error.message;
      throw new CarrierRefusal(LINK, error.message);
    }
  };
  let answer = await request();
  for (const ms of pauses) {
    if (typeof answer !== 'string') break;
    await pause(ms);
    answer = await request();
  }
  if (typeof answer === 'string') throw new CarrierRefusal(LINK, answer);
  if (answer.status !== 200) throw new CarrierRefusal(LINK, `the response has status ${answer.status}`);
  if (answer.truncated)
    throw new CarrierRefusal(LINK, `the file is larger than ${max_bytes / 1024 / 1024} MB; upload it instead`);
  const { body } = answer;
  const content_type = [answer.headers['content-type']].flat()[0]?.split(';')[0]?.trim() || null;
  return { ...media, content_type, bytes: body.length, open: async () => Readable.from([body]) };
}
