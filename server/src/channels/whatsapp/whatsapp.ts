/**
 * WhatsApp over the Cloud API. Our reference goes out as `biz_opaque_callback_data` and comes back with every status: that is the proof by which an
 * answer lost in a crash is found again. An address of ours is a phone number id, one of a person a number or WhatsApp's own id of them.
 */
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { type Adapter, CarrierRefusal, type Detail, type Outgoing } from '../channel.ts';
import type { HttpCall, Keeper } from '../http_call.ts';
import { NotSent, openHttpLine, type Reading } from '../http_line.ts';
import { unreadable } from '../unreadable.ts';
import { listOf, objectOf, parseJson, textOf } from '../wire_json.ts';
import { refusedBy } from './errors.ts';
import { bearer, GraphBusy, graph, step } from './graph.ts';
import { callbackOf } from './incoming.ts';
import { fetchFile, Uploads } from './media.ts';
import { bodyOf, type MediaPlace, Unfit } from './outgoing.ts';
import { putProfile } from './profile.ts';
import { enrollNumber, lookAt, releaseNumber, requestCode, verifyCode } from './senders.ts';
import { templates } from './templates.ts';

const known = (settings: unknown): WhatsAppSettings => WhatsAppSettings.parse(settings);

export const whatsapp: Adapter = {
  name: 'whatsapp',
  lines: () => 1,
  open({ settings }, events) {
    const own = known(settings);
    const uploads = new Uploads(own);
    const { window, throughput, timeout_ms } = own;
    return openHttpLine(
      {
        window,
        throughput,
        timeout_ms,
        request: (message, keeper, signal) => requestOf(own, message, () => placeOf(uploads, message, keeper, signal)),
        read: (status, body, message) => {
          const reading = readAnswer(status, body);
          const media = message.content?.media;
          if (media && reading.failure?.kind === 'invalid') uploads.forget(media, message.from);
          return reading;
        },
      },
      events,
    );
  },
  parts: () => 1,
  readText: (_, octets) => octets.toString('utf8'),
  callback: ({ id, settings }, request) => callbackOf(known(settings), request, id),
  async subscribe({ settings }, override_callback_uri) {
    const own = known(settings);
    const body = { override_callback_uri, verify_token: own.verify_token };
    await graph(own, `${step(own.waba_id)}/subscribed_apps`, { body });
  },
  unsubscribe: async ({ settings }) => {
    const own = known(settings);
    await graph(own, `${step(own.waba_id)}/subscribed_apps`, { method: 'DELETE' });
  },
  accountOf: ({ settings }) => String((settings as Partial<WhatsAppSettings>).waba_id ?? ''),
  enroll: ({ settings }, sender) => enrollNumber(known(settings), sender),
  requestCode: ({ settings }, address, method) => requestCode(known(settings), address, method),
  verifyCode: ({ settings }, address, code) => verifyCode(known(settings), address, code),
  release: ({ settings }, address) => releaseNumber(known(settings), address),
  putProfile: ({ settings }, address, profile) => putProfile(known(settings), address, profile),
  look: ({ settings }, address) => lookAt(known(settings), address),
  fetchMedia: ({ settings }, source) => fetchFile(known(settings), source),
  async markRead({ settings }, { address, external_id: message_id }) {
    const body = { messaging_product: 'whatsapp', status: 'read', message_id };
    await graph(known(settings), `${step(address)}/messages`, { body });
  },
  templates,
};

async function placeOf(
  uploads: Uploads,
  { content, from }: Outgoing,
  keeper: Keeper,
  signal: AbortSignal,
): Promise<MediaPlace | null> {
  return content?.media ? uploads.place(content.media, from, keeper, signal) : null;
}

export async function requestOf(
  settings: WhatsAppSettings,
  message: Outgoing,
  place: () => Promise<MediaPlace | null>,
): Promise<HttpCall> {
  try {
    return {
      url: `${settings.base_url}/${step(message.from)}/messages`,
      headers: { ...bearer(settings), accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(message, await place())),
    };
  } catch (error) {
    if (error instanceof Unfit) throw new NotSent({ kind: 'invalid', code: '', text: error.message });
    // Its file was not taken.
    if (!(error instanceof CarrierRefusal || error instanceof GraphBusy)) throw error;
    const refused = refusedBy({ code: error.code, message: error.message });
    if (!refused) throw new NotSent({ kind: 'invalid', code: error.code, text: error.message });
    throw new NotSent(refused.failure, refused);
  }
}

export function readAnswer(status: number, body: string): Reading {
  const said = objectOf(parseJson(body));
  const taken = objectOf(listOf(said.messages)[0]);
  const external_id = textOf(taken.id, 300);
  const message_status = textOf(taken.message_status, 60);
  if (status < 300 && external_id !== '') {
    const detail: Detail = { ids: [external_id] };
    if (message_status !== '' && message_status !== 'accepted') detail.message_status = message_status;
    return { parts: 1, accepted: [{ part: 1, external_id }], failure: null, detail };
  }
  const refused = refusedBy(said.error);
  if (!refused) return { parts: 1, accepted: [], failure: unreadable(status), detail: {} };
  return { parts: 1, accepted: [], failure: refused.failure, detail: { said: refused.said }, narrow: refused.narrow };
}
