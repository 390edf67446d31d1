/**
 * Reads the callbacks of WhatsApp: the handshake, and signed JSON with any number of statuses, messages and notices.
 * Pure. Unsigned callbacks are refused, and an unknown shape does not make the rest fail.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import type { Callback, CallbackRequest, Incoming, Notice, Report, SendFailure } from '../channel.ts';
import { isSecret, isSigned } from '../signature.ts';
import { type Json, listOf, masked, objectOf, parseJson, secondsOf, textOf } from '../wire_json.ts';
import { refusedBy, statusOf } from './errors.ts';
import { noticesOf } from './notices.ts';
import { incomingOf } from './person.ts';

const only = (status: number, body = ''): Callback => ({ status, body, reports: [], incoming: [], notices: [] });

/** `session`: for inbound messages, which come over no bind. */
export function callbackOf(settings: WhatsAppSettings, request: CallbackRequest, session: string): Callback {
  if (request.method === 'GET') return handshake(settings, request.query);
  const signature = request.headers['x-hub-signature-256'] ?? '';
  if (signature === '') return only(401);
  if (!isSigned(settings.app_secret, request.body, signature.replace(/^sha256=/i, ''))) return only(403);
  const payload = parseJson(request.body.toString('utf8'));
  if (payload === undefined) return only(400);
  const { object, entry } = objectOf(payload);
  const found = { reports: [] as Report[], incoming: [] as Incoming[], notices: [] as Notice[] };
  const changes = listOf(entry).flatMap((one) => listOf(objectOf(one).changes).map(objectOf));
  for (const { field, value } of object === 'whatsapp_business_account' ? changes : []) {
    const what = objectOf(value);
    if (field !== 'messages') {
      found.notices.push(...noticesOf(textOf(field, 100), what));
      continue;
    }
    found.reports.push(...listOf(what.statuses).flatMap((status) => reportOf(objectOf(status), what)));
    found.incoming.push(...listOf(what.messages).flatMap((message) => incomingOf(objectOf(message), what, session)));
  }
  return { status: 200, body: '', ...found };
}

/** WhatsApp calls it once, when the callback address is registered: the right token returns the challenge. */
function handshake({ verify_token }: WhatsAppSettings, query: CallbackRequest['query']): Callback {
  const challenge = query['hub.challenge'] ?? '';
  const isHandshake = query['hub.mode'] === 'subscribe' && isSecret(verify_token, query['hub.verify_token'] ?? '');
  // The challenge is returned as plain text, so a browser cannot read it as a page.
  return isHandshake && /^[\w.~-]{1,256}$/.test(challenge) ? only(200, challenge) : only(403);
}

const STATUSES: Readonly<Record<string, Report['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // A voice message that was played.
  played: 'read',
};

function reportOf(payload: Json, value: Json): Report[] {
  const state = textOf(payload.status, 30);
  const external_id = textOf(payload.id, 300);
  if (external_id === '') return [];
  const errors = listOf(payload.errors);
  const failed = state === 'failed' ? statusOf(errors) : null;
  const status = failed?.status ?? (Object.hasOwn(STATUSES, state) ? STATUSES[state]! : null);
  if (!status) return [];
  const refused = failed && refusedBy(failed.error);
  const at = secondsOf(payload.timestamp);
  const echo = textOf(payload.biz_opaque_callback_data, 100);
  return [
    {
      external_id,
      status,
      state,
      code: refused ? refused.failure.code : null,
      ...(refused ? { failure: failureOf(refused.failure) } : {}),
      reference: /^[1-9]\d{0,4}$/.test(echo) ? Number(echo) : null,
      number: textOf(payload.recipient_id, 200) || textOf(payload.recipient_user_id, 200),
      sender: textOf(objectOf(value.metadata).phone_number_id, 100),
      ...(at === undefined ? {} : { at }),
      detail: {
        id: external_id,
        ...(refused ? { said: refused.said } : {}),
        ...(failed && !refused ? { said: masked(failed.error.title) } : {}),
        ...priceOf(objectOf(payload.pricing)),
      },
    },
  ];
}

const failureOf = ({ kind, text, closes }: SendFailure): Report['failure'] => ({
  kind,
  text,
  ...(closes ? { closes } : {}),
});

/** The category that WhatsApp charges. */
function priceOf({ billable, category, type, pricing_model }: Json): Report['detail'] {
  return {
    ...(typeof billable === 'boolean' ? { billable } : {}),
    ...(category === undefined ? {} : { category: textOf(category, 50) }),
    ...(type === undefined ? {} : { price_type: textOf(type, 50) }),
    ...(pricing_model === undefined ? {} : { pricing_model: textOf(pricing_model, 20) }),
  };
}
