/**
 * Reads WhatsApp's callbacks: the handshake, and signed JSON with any number of statuses, messages, and notices.
 * Unsigned callbacks are refused, and an item of an unknown shape does not make the others fail.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import type { Callback, CallbackRequest, Incoming, Notice, Report, SendFailure } from '../channel.ts';
import { isSecret, isSigned } from '../signature.ts';
import { fromSeconds, type Json, maskNumbers, parseJson, toList, toObject, toText } from '../wire_json.ts';
import { failureStatus, refusedBy } from './errors.ts';
import { readEvents } from './events.ts';
import { readNotices } from './notices.ts';
import { readIncoming } from './person.ts';

const statusOnly = (status: number, body = ''): Callback => ({ status, body, reports: [], incoming: [], notices: [] });

/** `session` becomes the session of inbound messages, because they do not arrive over a bind. */
export function readCallback(settings: WhatsAppSettings, request: CallbackRequest, session: string): Callback {
  if (request.method === 'GET') return handshake(settings, request.query);
  const signature = request.headers['x-hub-signature-256'] ?? '';
  if (signature === '') return statusOnly(401);
  if (!isSigned(settings.app_secret, request.body, signature.replace(/^sha256=/i, ''))) return statusOnly(403);
  const payload = parseJson(request.body.toString('utf8'));
  if (payload === undefined) return statusOnly(400);
  const { object, entry } = toObject(payload);
  const events = { reports: [] as Report[], incoming: [] as Incoming[], notices: [] as Notice[] };
  const changes = toList(entry).flatMap((item) => toList(toObject(item).changes).map(toObject));
  for (const { field, value } of object === 'whatsapp_business_account' ? changes : []) {
    const fields = toObject(value);
    events.notices.push(...readEvents(fields));
    if (field !== 'messages') {
      events.notices.push(...readNotices(toText(field, 100), fields));
      continue;
    }
    events.reports.push(...toList(fields.statuses).flatMap((status) => readReports(toObject(status), fields)));
    events.incoming.push(
      ...toList(fields.messages).flatMap((message) => readIncoming(toObject(message), fields, session)),
    );
  }
  return { status: 200, body: '', ...events };
}

/**
 * WhatsApp sends this request once, when the callback URL is registered. If the token is correct, the response is the
 * challenge.
 */
function handshake({ verify_token }: WhatsAppSettings, query: CallbackRequest['query']): Callback {
  const challenge = query['hub.challenge'] ?? '';
  const isHandshake = query['hub.mode'] === 'subscribe' && isSecret(verify_token, query['hub.verify_token'] ?? '');
  // The challenge is returned as plain text, so that a browser cannot render it as a page.
  return isHandshake && /^[\w.~-]{1,256}$/.test(challenge) ? statusOnly(200, challenge) : statusOnly(403);
}

const STATUSES: Readonly<Record<string, Report['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // The status of a voice message that was played.
  played: 'read',
};

function readReports(payload: Json, value: Json): Report[] {
  const state = toText(payload.status, 30);
  const external_id = toText(payload.id, 300);
  if (external_id === '') return [];
  const errors = toList(payload.errors);
  const failed = state === 'failed' ? failureStatus(errors) : null;
  const status = failed?.status ?? (Object.hasOwn(STATUSES, state) ? STATUSES[state]! : null);
  if (!status) return [];
  const refused = failed && refusedBy(failed.error);
  const at = fromSeconds(payload.timestamp);
  const echo = toText(payload.biz_opaque_callback_data, 100);
  return [
    {
      external_id,
      status,
      state,
      code: refused ? refused.failure.code : null,
      ...(refused ? { failure: toReportFailure(refused.failure) } : {}),
      reference: /^[1-9]\d{0,4}$/.test(echo) ? Number(echo) : null,
      number: toText(payload.recipient_id, 200) || toText(payload.recipient_user_id, 200),
      sender: toText(toObject(value.metadata).phone_number_id, 100),
      ...(at === undefined ? {} : { at }),
      detail: {
        id: external_id,
        ...(refused ? { said: refused.description } : {}),
        ...(failed && !refused ? { said: maskNumbers(failed.error.title) } : {}),
        ...readPrice(toObject(payload.pricing)),
      },
    },
  ];
}

const toReportFailure = ({ kind, text, closes }: SendFailure): Report['failure'] => ({
  kind,
  text,
  ...(closes ? { closes } : {}),
});

/** Reads the category and pricing model that WhatsApp charges. */
function readPrice({ billable, category, type, pricing_model }: Json): Report['detail'] {
  return {
    ...(typeof billable === 'boolean' ? { billable } : {}),
    ...(category === undefined ? {} : { category: toText(category, 50) }),
    ...(type === undefined ? {} : { price_type: toText(type, 50) }),
    ...(pricing_model === undefined ? {} : { pricing_model: toText(pricing_model, 20) }),
  };
}
