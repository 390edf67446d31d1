/** Vonage's SMS API. Callbacks are signed with HMAC-SHA256 over their sorted parameters. */
import { createHmac } from 'node:crypto';
import { VonageSettings } from '@parley/contract/channels/sms/providers/vonage.ts';
import { countSegments } from '@parley/contract/channels/sms/text.ts';
import type { CallbackRequest, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toList, toObject, toText } from '../wire_json.ts';
import { FORM_HEADERS, JSON_HEADERS, otherUrl, smsProvider } from './bind.ts';
import {
  isEarlier,
  MEANINGS,
  type Meaning,
  readTime,
  received,
  refusal,
  refused,
  report,
  respond,
  toReference,
} from './provider.ts';

const CODES: Readonly<Record<string, Meaning>> = {
  1: MEANINGS.throttled,
  2: MEANINGS.bad_message,
  3: MEANINGS.bad_number,
  4: MEANINGS.credentials,
  5: MEANINGS.busy,
  6: MEANINGS.bad_message,
  7: MEANINGS.blocked,
  8: MEANINGS.unpaid,
  9: MEANINGS.unpaid,
  12: MEANINGS.bad_message,
  14: MEANINGS.credentials,
  15: MEANINGS.bad_sender,
  22: MEANINGS.bad_number,
  29: MEANINGS.blocked,
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  accepted: 'sent',
  buffered: 'sent',
  delivered: 'delivered',
  expired: 'expired',
  failed: 'failed',
  rejected: 'rejected',
  deleted: 'failed',
};

const TTL_MS = { min: 20_000, max: 604_800_000 } as const;
/** A callback that was signed longer ago is refused, because it may be a repeated recording. */
const MAX_AGE_SECONDS = 48 * 3_600;

export const vonage = smsProvider<VonageSettings>({
  name: 'vonage',
  readSettings: (settings) => VonageSettings.parse(settings),
  request({ base_url, api_key, api_secret }, message, connection) {
    const { from, to, text, reference, valid_seconds } = message;
    return {
      url: `${base_url}/sms/json`,
      headers: JSON_HEADERS,
      body: JSON.stringify({
        ...{ api_key, api_secret, from, to, text },
        type: countSegments(text).encoding === 'UCS-2' ? 'unicode' : 'text',
        ttl: Math.min(TTL_MS.max, Math.max(TTL_MS.min, valid_seconds * 1_000)),
        'client-ref': String(reference),
        callback: connection.callback_url,
      }),
    };
  },
  read(status, body) {
    const messages = toList(toObject(parseJson(body)).messages).map(toObject);
    if (messages.length === 0) return refused(unreadable(status));
    const parts = messages.length;
    const ids = messages.flatMap((message, at) => {
      const external_id = toText(message.status, 5) === '0' ? toText(message['message-id'], 64) : '';
      return external_id === '' ? [] : [{ part: at + 1, external_id }];
    });
    const failed = messages.find((message) => toText(message.status, 5) !== '0');
    const failure = failed ? refusal(CODES, toText(failed.status, 5)).failure : null;
    return { parts, accepted: ids, failure, detail: { ids: ids.map(({ external_id }) => external_id) } };
  },
  callback(settings, request, session) {
    const fields = readFields(request);
    if (!fields) return respond(400);
    if (!isSigned(settings.signature_secret, fields)) return respond(403);
    const external_id = fields.messageId ?? '';
    if (fields.status === undefined) {
      const { msisdn: from, to, text } = fields;
      const at = readUtc(fields['message-timestamp']);
      return respond(200, { incoming: received(session, { provider: 'vonage', external_id, from, to, text, at }) });
    }
    const status = Object.hasOwn(STATUSES, fields.status) ? STATUSES[fields.status] : undefined;
    if (external_id === '' || !status) return respond(200);
    const code = fields['err-code'] && fields['err-code'] !== '0' ? fields['err-code'] : null;
    const receipt = { external_id, status, state: fields.status, code, number: fields.msisdn, sender: fields.to };
    const at = readUtc(fields['message-timestamp']);
    // Vonage charges in euros.
    const price = fields.price ? `${fields.price} EUR` : '';
    return respond(200, {
      reports: [{ ...report(request, { ...receipt, at, price }), reference: toReference(fields['client-ref']) }],
    });
  },
  async register({ base_url, api_key, api_secret }, url, call) {
    const change = (fields: object) =>
      call({
        url: `${base_url}/account/settings`,
        headers: FORM_HEADERS,
        body: new URLSearchParams({ api_key, api_secret, ...fields }).toString(),
      });
    // Without a change, the response contains the current settings.
    const current = toText((await change({}))['mo-callback-url'], 2_000);
    if (current !== '' && !isEarlier(current, url)) throw otherUrl('The account at Vonage');
    if (current !== url) await change({ moCallBackUrl: url });
  },
});

/** The time has no zone, `+0000`, or the format of ISO 8601, and is always in UTC. */
function readUtc(text = ''): number | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?) ?(?:Z|\+00:?00)?$/.exec(text) ?? [];
  return date && time ? readTime(`${date}T${time}Z`) : undefined;
}

/** The parameters come in the query, in a form, or as JSON, depending on the settings of the Vonage account. */
function readFields({ method, query, headers, body }: CallbackRequest): Record<string, string> | null {
  if (method === 'GET') return { ...query };
  const text = body.toString('utf8');
  if (!(headers['content-type'] ?? '').includes('json')) return Object.fromEntries(new URLSearchParams(text));
  const fields = parseJson(text);
  return fields === undefined
    ? null
    : Object.fromEntries(Object.entries(toObject(fields)).map(([name, value]) => [name, toText(value)]));
}

/** In the signed text, the characters `&` and `=` of a value are underscores. */
function isSigned(secret: string, { sig = '', ...fields }: Record<string, string>): boolean {
  const age_s = Math.abs(Date.now() / 1_000 - Number(fields.timestamp));
  if (secret === '' || !(age_s < MAX_AGE_SECONDS)) return false;
  const text = Object.keys(fields)
    .sort()
    .map((name) => `&${name}=${fields[name]!.replace(/[&=]/g, '_')}`)
    .join('');
  return isSecret(createHmac('sha256', secret).update(text).digest('hex').toUpperCase(), sig.toUpperCase());
}
