/** The file behind a customer's link, as the reviewer is to see it: read through the guarded connector, once, whole. */
import { Readable } from 'node:stream';
import { mediaRule } from '@parley/contract/media_rules.ts';
import { CarrierRefusal, type OutgoingMedia } from '../channels/channel.ts';
import { type GuardedFetch, OutboundError } from '../kernel/outbound.ts';

/** It is held in memory for as long as it is handed over. */
const MOST_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** A link that leads to no such file is told as a refusal: trying again would not help. */
export async function readLink(fetch: GuardedFetch, media: OutgoingMedia): Promise<OutgoingMedia> {
  const max_bytes = Math.min(mediaRule(media.type, 'WHATSAPP').max_bytes, MOST_BYTES);
  const answer = await fetch(media.link, { max_bytes, timeout_ms: TIMEOUT_MS, redirects: 3 }).catch(
    (error: unknown) => {
      if (!(error instanceof OutboundError) || error.reason === 'network' || error.reason === 'timeout') throw error;
      throw new CarrierRefusal('link', error.message);
    },
  );
  if (answer.status >= 500 || answer.status === 429) throw new Error(`the link answers ${answer.status}`);
  if (answer.status !== 200) throw new CarrierRefusal('link', `the link to the file answers ${answer.status}`);
  if (answer.truncated)
    throw new CarrierRefusal(
      'link',
      `the file behind the link is larger than ${max_bytes / 1024 / 1024} MB; upload it instead`,
    );
  const { body } = answer;
  const content_type = [answer.headers['content-type']].flat()[0]?.split(';')[0]?.trim() || null;
  return { ...media, content_type, bytes: body.length, open: async () => Readable.from([body]) };
}
