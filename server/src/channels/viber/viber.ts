/**
 * Viber Business Messages. The provider identifies us by the IP address we call from and signs its callbacks. Its
 * delivery receipts carry only its own token for a message, not our reference. A sender's address is a service id, and
 * a recipient's address is a number.
 */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import { type Adapter, CarrierRefusal } from '../channel.ts';
import { fetchCapped, isAllowedUrl } from '../fetched_file.ts';
import { NotSent, openHttpBind, type Reading } from '../http_bind.ts';
import { listSecretTexts } from '../http_exchange.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toObject, toText } from '../wire_json.ts';
import { readCallback } from './incoming.ts';
import { buildBody, Unfit } from './outgoing.ts';
import { NOT_PERMITTED, toFailure } from './statuses.ts';
import { VideoSizes } from './video.ts';

const readSettings = (settings: unknown): ViberSettings => ViberSettings.parse(settings);

export const viber: Adapter = {
  name: 'viber',
  binds: () => 1,
  open({ settings }, events) {
    const parsed = readSettings(settings);
    const { base_url, window, throughput, timeout_ms } = parsed;
    const sizes = new VideoSizes();
    return openHttpBind(
      {
        window,
        throughput,
        timeout_ms,
        secrets: listSecretTexts(parsed, ADAPTERS.viber.secrets.options),
        async request(message) {
          const media = message.content?.media;
          const size = media?.type === 'video' ? await sizes.get(media) : null;
          try {
            return {
              url: `${base_url}/send_message`,
              headers: { accept: 'application/json', 'content-type': 'application/json' },
              body: JSON.stringify(buildBody(message, size)),
            };
          } catch (error) {
            if (!(error instanceof Unfit)) throw error;
            throw new NotSent({ kind: 'invalid', code: '', text: error.message });
          }
        },
        read: readAnswer,
      },
      events,
    );
  },
  parts: () => 1,
  callbacks: { read: ({ id, settings }, request) => readCallback(readSettings(settings), request, id) },
  media: {
    async fetch({ settings }, source) {
      const { base_url, timeout_ms } = readSettings(settings);
      // The URL comes from a signed callback. Plain HTTP is accepted only where Viber's own interface uses it.
      if (!isAllowedUrl(source, base_url))
        throw new CarrierRefusal('', 'The URL of the file is invalid or not encrypted');
      return fetchCapped(source, { base_url, timeout_ms, max_bytes: MAX_FILE_BYTES });
    },
  },
};

const MAX_FILE_BYTES = 200 * 1024 * 1024;

export function readAnswer(http: number, body: string): Reading {
  const { status, message_token } = toObject(parseJson(body));
  if (typeof status !== 'number') return { parts: 1, accepted: [], failure: unreadable(http), detail: {} };
  const failure = toFailure(status);
  if (failure) return { parts: 1, accepted: [], failure, detail: { status }, narrow: status === NOT_PERMITTED };
  const external_id = toText(message_token, 30);
  if (!/^\d+$/.test(external_id)) return { parts: 1, accepted: [], failure: unreadable(200), detail: {} };
  return { parts: 1, accepted: [{ part: 1, external_id }], failure: null, detail: { ids: [external_id] } };
}
