/**
 * WhatsApp over the Cloud API. Our reference is sent as `biz_opaque_callback_data`, and every status echoes it: it
 * matches a status to a message whose response was lost in a crash. A sender's address is a phone number id, a person's
 * address is a number or WhatsApp's own id of the person.
 */
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { type Adapter, CarrierRefusal, type Detail, type Outgoing } from '../channel.ts';
import { NotSent, openHttpBind, type Reading } from '../http_bind.ts';
import type { HttpCall, Keeper } from '../http_call.ts';
import { unreadable } from '../unreadable.ts';
import { listOf, objectOf, parseJson, textOf } from '../wire_json.ts';
import { refusedBy } from './errors.ts';
import { bearer, GraphBusy, graph, step } from './graph.ts';
import { callbackOf } from './incoming.ts';
import { fetchFile, Uploads } from './media.ts';
import { bodyOf, type MediaPlace, Unfit } from './outgoing.ts';
import { putProfile } from './profile.ts';
import { enrollNumber, fetchState, releaseNumber, requestCode, verifyCode } from './senders.ts';
import { templates } from './templates.ts';

const readSettings = (settings: unknown): WhatsAppSettings => WhatsAppSettings.parse(settings);

export const whatsapp: Adapter = {
  name: 'whatsapp',
  binds: () => 1,
  open({ settings }, events) {
    const own = readSettings(settings);
    const uploads = new Uploads(own);
    const { window, throughput, timeout_ms } = own;
    return openHttpBind(
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
  callbacks: { read: ({ id, settings }, request) => callbackOf(readSettings(settings), request, id) },
  registration: {
    async subscribe({ settings }, override_callback_uri) {
      const own = readSettings(settings);
      const body = { override_callback_uri, verify_token: own.verify_token };
      await graph(own, `${step(own.waba_id)}/subscribed_apps`, { body });
    },
    async unsubscribe({ settings }) {
      const own = readSettings(settings);
      await graph(own, `${step(own.waba_id)}/subscribed_apps`, { method: 'DELETE' });
    },
    account: ({ settings }) => String((settings as Partial<WhatsAppSettings>).waba_id ?? ''),
  },
  senders: {
    enroll: ({ settings }, sender) => enrollNumber(readSettings(settings), sender),
    requestCode: ({ settings }, address, method) => requestCode(readSettings(settings), address, method),
    verifyCode: ({ settings }, address, code) => verifyCode(readSettings(settings), address, code),
    release: ({ settings }, address) => releaseNumber(readSettings(settings), address),
    putProfile: ({ settings }, address, profile) => putProfile(readSettings(settings), address, profile),
    fetchState: ({ settings }, address) => fetchState(readSettings(settings), address),
  },
  media: { fetch: ({ settings }, source) => fetchFile(readSettings(settings), source) },
  reads: {
    async mark({ settings }, { address, external_id: message_id }) {
      const body = { messaging_product: 'whatsapp', status: 'read', message_id };
      await graph(readSettings(settings), `${step(address)}/messages`, { body });
    },
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
    // WhatsApp did not take the file.
    if (!(error instanceof CarrierRefusal || error instanceof GraphBusy)) throw error;
    const refused = refusedBy({ code: error.code, message: error.message });
    if (!refused) throw new NotSent({ kind: 'invalid', code: error.code, text: error.message });
    throw new NotSent(refused.failure, refused);
  }
}

export function readAnswer(status: number, body: string): Reading {
  const payload = objectOf(parseJson(body));
  const taken = objectOf(listOf(payload.messages)[0]);
  const external_id = textOf(taken.id, 300);
  const message_status = textOf(taken.message_status, 60);
  if (status < 300 && external_id !== '') {
    const detail: Detail = { ids: [external_id] };
    if (message_status !== '' && message_status !== 'accepted') detail.message_status = message_status;
    return { parts: 1, accepted: [{ part: 1, external_id }], failure: null, detail };
  }
  const refused = refusedBy(payload.error);
  if (!refused) return { parts: 1, accepted: [], failure: unreadable(status), detail: {} };
  return { parts: 1, accepted: [], failure: refused.failure, detail: { said: refused.said }, narrow: refused.narrow };
}
