/** Telnyx's Messaging API, version 2. Callbacks are signed with Ed25519. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { TelnyxSettings } from '@parley/contract/channels/sms/providers/telnyx.ts';
import type { CallbackRequest, Report } from '../channel.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, parseJson, toList, toObject, toText } from '../wire_json.ts';
import { JSON_HEADERS, otherUrl, smsProvider } from './bind.ts';
import {
  accepted,
  isEarlier,
  MEANINGS,
  type Meaning,
  messageCallback,
  readTime,
  received,
  refusal,
  refused,
  report,
  respond,
  toAddress,
  withLinks,
} from './provider.ts';

const CODES: Readonly<Record<string, Meaning>> = {
  10001: MEANINGS.bad_sender,
  10002: MEANINGS.bad_number,
  10004: MEANINGS.bad_message,
  10009: MEANINGS.credentials,
  10010: MEANINGS.credentials,
  10011: MEANINGS.throttled,
  10015: MEANINGS.bad_message,
  10016: MEANINGS.bad_number,
  20100: MEANINGS.unpaid,
  40001: MEANINGS.bad_number,
  40009: MEANINGS.bad_message,
  40011: MEANINGS.throttled,
  40300: MEANINGS.opted_out,
  40301: MEANINGS.bad_number,
  40305: MEANINGS.bad_sender,
  40306: MEANINGS.bad_sender,
  40310: MEANINGS.bad_number,
  40318: MEANINGS.throttled,
  40319: MEANINGS.blocked,
  40328: MEANINGS.bad_message,
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  queued: 'enroute',
  sending: 'enroute',
  sent: 'sent',
  delivered: 'delivered',
  sending_failed: 'failed',
  delivery_failed: 'failed',
  delivery_unconfirmed: 'sent',
};

/** Older callbacks may be repeated recordings. Telnyx signs each attempt anew. */
const MAX_AGE_SECONDS = 300;

export const telnyx = smsProvider<TelnyxSettings>({
  name: 'telnyx',
  readSettings: (settings) => TelnyxSettings.parse(settings),
  request({ base_url, api_key }, message, connection) {
    return {
      url: `${base_url}/messages`,
      headers: { ...JSON_HEADERS, authorization: `Bearer ${api_key}` },
      body: JSON.stringify({
        from: toAddress(message.from),
        to: toAddress(message.to),
        text: message.text,
        webhook_url: messageCallback(connection, message),
        use_profile_webhooks: false,
      }),
    };
  },
  read(status, body) {
    const { data, errors } = toObject(parseJson(body));
    const { id, parts } = toObject(data);
    const external_id = toText(id, 64);
    if (status >= 200 && status < 300 && external_id !== '')
      return accepted(external_id, {}, typeof parts === 'number' ? parts : undefined);
    const code = toText(toObject(toList(errors)[0]).code, 10);
    return code === '' ? refused(unreadable(status)) : refusal(CODES, code, status);
  },
  callback(settings, request, session) {
    if (request.method !== 'POST') return respond(405);
    if (!isSigned(settings.public_key, request)) return respond(403);
    const { event_type, payload } = toObject(toObject(parseJson(request.body.toString('utf8'))).data);
    const fields = toObject(payload);
    const external_id = toText(fields.id, 64);
    // Depending on the event, the sender is an object or only a number.
    const from = toObject(fields.from).phone_number ?? fields.from;
    const recipient = toObject(toList(fields.to)[0]);
    if (event_type === 'message.received') {
      const { received_at, media } = fields;
      const text = withLinks(
        fields.text,
        toList(media).map((file) => toObject(file).url),
      );
      const at = readTime(received_at);
      const to = recipient.phone_number;
      return respond(200, { incoming: received(session, { provider: 'telnyx', external_id, from, to, text, at }) });
    }
    const state = toText(recipient.status, 30);
    const status = Object.hasOwn(STATUSES, state) ? STATUSES[state] : undefined;
    if (external_id === '' || !status) return respond(200);
    const outcome = readOutcome(fields);
    const receipt = { external_id, status, state, ...outcome, number: recipient.phone_number, sender: from };
    return respond(200, { reports: [report(request, receipt)] });
  },
  async register({ base_url, api_key }, url, call) {
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${api_key}` };
    const profiles = `${base_url}/messaging_profiles`;
    const { data } = await call({ method: 'GET', url: `${profiles}?page[size]=250`, headers });
    const found = toList(data).map(toObject);
    const free = found.filter(({ webhook_url }) => {
      const current = toText(webhook_url, 2_000);
      return current === '' || isEarlier(current, url);
    });
    if (found.length > 0 && free.length === 0) throw otherUrl('Every messaging profile at Telnyx');
    for (const { id } of free)
      await call({
        method: 'PATCH',
        url: `${profiles}/${toText(id, 64)}`,
        headers,
        body: JSON.stringify({ webhook_url: url, webhook_api_version: '2' }),
      });
  },
});

const readOutcome = ({ errors, completed_at, cost }: Json) => ({
  price: [toText(toObject(cost).amount, 20), toText(toObject(cost).currency, 3)].filter(Boolean).join(' '),
  code: toText(toObject(toList(errors)[0]).code, 10) || null,
  at: readTime(completed_at),
});

function isSigned(public_key: string, { headers, body }: CallbackRequest): boolean {
  const timestamp = headers['telnyx-timestamp'] ?? '';
  const key = toKey(public_key);
  const age_s = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!key || !/^\d+$/.test(timestamp) || age_s > MAX_AGE_SECONDS) return false;
  const signature = Buffer.from(headers['telnyx-signature-ed25519'] ?? '', 'base64');
  return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), key, signature);
}

/** An Ed25519 key of 32 octets in Base64. */
function toKey(public_key: string): KeyObject | null {
  const octets = Buffer.from(public_key, 'base64');
  if (octets.length !== 32) return null;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: octets.toString('base64url') }, format: 'jwk' });
}
