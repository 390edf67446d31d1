/**
 * WhatsApp over the Cloud API. Our reference is sent as `biz_opaque_callback_data`, and every status echoes it. The
 * reference matches a status to a message whose response was lost in a crash. A sender's address is a phone number id,
 * and a person's address is a number or WhatsApp's own id for the person.
 */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { type Adapter, CarrierRefusal, type Detail, type Outgoing } from '../channel.ts';
import { NotSent, openHttpBind, type Reading } from '../http_bind.ts';
import type { HttpCall, Keeper } from '../http_call.ts';
import { listSecretTexts } from '../http_exchange.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toList, toObject, toText } from '../wire_json.ts';
import { refusedBy } from './errors.ts';
import { bearer, callGraph, GraphBusy, pathSegment } from './graph.ts';
import { readCallback } from './incoming.ts';
import { fetchFile, Uploads } from './media.ts';
import { buildBody, buildReaction, type MediaPlace, Unfit } from './outgoing.ts';
import { putProfile } from './profile.ts';
import { enrollNumber, fetchState, releaseNumber, requestCode, verifyCode } from './senders.ts';
import { templates } from './templates.ts';

const readSettings = (settings: unknown): WhatsAppSettings => WhatsAppSettings.parse(settings);

export const whatsapp: Adapter = {
  name: 'whatsapp',
  binds: () => 1,
  open({ settings }, events) {
    const parsed = readSettings(settings);
    const uploads = new Uploads(parsed);
    const { window, throughput, timeout_ms } = parsed;
    return openHttpBind(
      {
        window,
        throughput,
        timeout_ms,
        secrets: listSecretTexts(parsed, ADAPTERS.whatsapp.secrets.options),
        request: (message, keeper, signal) =>
          buildRequest(parsed, message, () => uploadMedia(uploads, message, keeper, signal)),
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
  callbacks: { read: ({ id, settings }, request) => readCallback(readSettings(settings), request, id) },
  registration: {
    async subscribe({ settings }, override_callback_uri) {
      const parsed = readSettings(settings);
      const body = { override_callback_uri, verify_token: parsed.verify_token };
      await callGraph(parsed, `${pathSegment(parsed.waba_id)}/subscribed_apps`, { body });
    },
    async unsubscribe({ settings }) {
      const parsed = readSettings(settings);
      await callGraph(parsed, `${pathSegment(parsed.waba_id)}/subscribed_apps`, { method: 'DELETE' });
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
      await callGraph(readSettings(settings), `${pathSegment(address)}/messages`, { body });
    },
  },
  reactions: {
    async react({ settings }, { address, to, external_id: message_id, emoji }) {
      const body = buildReaction(to, message_id, emoji);
      await callGraph(readSettings(settings), `${pathSegment(address)}/messages`, { body });
    },
  },
  templates,
};

async function uploadMedia(
  uploads: Uploads,
  { content, from }: Outgoing,
  keeper: Keeper,
  signal: AbortSignal,
): Promise<MediaPlace | null> {
  return content?.media ? uploads.resolve(content.media, from, keeper, signal) : null;
}

export async function buildRequest(
  settings: WhatsAppSettings,
  message: Outgoing,
  resolveMedia: () => Promise<MediaPlace | null>,
): Promise<HttpCall> {
  try {
    return {
      url: `${settings.base_url}/${pathSegment(message.from)}/messages`,
      headers: { ...bearer(settings), accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(buildBody(message, await resolveMedia())),
    };
  } catch (error) {
    if (error instanceof Unfit) throw new NotSent({ kind: 'invalid', code: '', text: error.message });
    // WhatsApp refused the file.
    if (!(error instanceof CarrierRefusal || error instanceof GraphBusy)) throw error;
    const refused = refusedBy({ code: error.code, message: error.message });
    if (!refused) throw new NotSent({ kind: 'invalid', code: error.code, text: error.message });
    throw new NotSent(refused.failure, refused);
  }
}

export function readAnswer(status: number, body: string): Reading {
  const payload = toObject(parseJson(body));
  const first = toObject(toList(payload.messages)[0]);
  const external_id = toText(first.id, 300);
  const message_status = toText(first.message_status, 60);
  if (status < 300 && external_id !== '') {
    const detail: Detail = { ids: [external_id] };
    if (message_status !== '' && message_status !== 'accepted') detail.message_status = message_status;
    return { parts: 1, accepted: [{ part: 1, external_id }], failure: null, detail };
  }
  const refused = refusedBy(payload.error);
  if (!refused) return { parts: 1, accepted: [], failure: unreadable(status), detail: {} };
  return {
    parts: 1,
    accepted: [],
    failure: refused.failure,
    detail: { said: refused.description },
    narrow: refused.narrow,
  };
}
