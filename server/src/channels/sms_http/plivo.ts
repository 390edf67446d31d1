/** Plivo's Message API. Callbacks are signed with HMAC-SHA256 over the URL, the fields, and a nonce (version 3). */
import { createHmac } from 'node:crypto';
import { PlivoSettings } from '@parley/contract/channels/sms/providers/plivo.ts';
import type { CallbackRequest, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, maskNumbers, parseJson, toList, toObject, toText } from '../wire_json.ts';
import { basicAuthorization, type Call, JSON_HEADERS, otherUrl, smsProvider } from './bind.ts';
import {
  accepted,
  fromAddress,
  isEarlier,
  MEANINGS,
  type Meaning,
  messageCallback,
  received,
  refusal,
  refused,
  report,
  respond,
  withLinks,
} from './provider.ts';

/** Meanings by HTTP status, because refusals have a text but no code. */
const CODES: Readonly<Record<string, Meaning>> = {
  401: MEANINGS.credentials,
  402: MEANINGS.unpaid,
  403: MEANINGS.credentials,
  429: MEANINGS.throttled,
  INVALID_NUMBER: MEANINGS.bad_number,
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  queued: 'enroute',
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  rejected: 'rejected',
};
/** The recipient has opted out of messages from this sender. */
const OPTED_OUT = '200';
const EXPIRY_SECONDS = { min: 5, max: 10_800 } as const;

export const plivo = smsProvider<PlivoSettings>({
  name: 'plivo',
  readSettings: (settings) => PlivoSettings.parse(settings),
  request(settings, message, connection) {
    const { base_url, auth_id, powerpack_uuid } = settings;
    const { from, to, text, valid_seconds } = message;
    return {
      url: `${base_url}/v1/Account/${auth_id}/Message/`,
      headers: authorize(settings),
      body: JSON.stringify({
        ...(powerpack_uuid ? { powerpack_uuid } : { src: from }),
        ...{ dst: to, text, type: 'sms', url: messageCallback(connection, message), method: 'POST' },
        message_expiry: Math.min(EXPIRY_SECONDS.max, Math.max(EXPIRY_SECONDS.min, valid_seconds)),
      }),
    };
  },
  read(status, body) {
    const { message_uuid, invalid_number, error } = toObject(parseJson(body));
    const external_id = toText(toList(message_uuid)[0], 64);
    if (status >= 200 && status < 300 && external_id !== '') return accepted(external_id);
    if (toList(invalid_number).length > 0) return refusal(CODES, 'INVALID_NUMBER');
    if (CODES[status]) return refusal(CODES, String(status));
    const text = maskNumbers(error);
    return status === 400 && text !== ''
      ? refused({ kind: 'rejected', code: '400', text })
      : refused(unreadable(status));
  },
  callback({ auth_token }, request, session) {
    if (request.method !== 'POST') return respond(405);
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (!isSigned(auth_token, request, form)) return respond(403);
    // Each part of a long message has an ID of its own. The response contained the ID of the message.
    const external_id = toText(form.get('ParentMessageUUID') || form.get('MessageUUID'), 64);
    const [from, to] = [form.get('From'), form.get('To')];
    const state = form.get('Status');
    if (state === null) {
      const media = [...form.entries()].flatMap(([name, value]) => (/^Media\d+$/.test(name) ? [value] : []));
      const text = withLinks(form.get('Text'), media);
      return respond(200, { incoming: received(session, { provider: 'plivo', external_id, from, to, text }) });
    }
    const known = Object.hasOwn(STATUSES, state) ? STATUSES[state] : undefined;
    if (external_id === '' || !known) return respond(200);
    const code = toText(form.get('ErrorCode'), 10).replace(/^0+$/, '') || null;
    const status = code === OPTED_OUT ? 'unsubscribed' : known;
    const price = form.has('TotalAmount') ? `${form.get('TotalAmount')} USD` : '';
    return respond(200, {
      reports: [report(request, { external_id, status, state, code, number: to, sender: from, price })],
    });
  },
  async register(settings, url, call) {
    const account = `${settings.base_url}/v1/Account/${settings.auth_id}`;
    const headers = authorize(settings);
    const { objects } = await call({ method: 'GET', url: `${account}/Application/?limit=20`, headers });
    const existing = toList(objects)
      .map(toObject)
      .find(({ message_url }) => isEarlier(toText(message_url, 2_000), url));
    const application = { app_name: `Parley ${url.slice(-12)}`, message_url: url, message_method: 'POST' };
    const id = toText(existing?.app_id, 64);
    const body = JSON.stringify(id ? { message_url: url, message_method: 'POST' } : application);
    const changed = await call({ url: `${account}/Application/${id ? `${id}/` : ''}`, headers, body });
    const app_id = id || toText(changed.app_id, 64);
    const found = await listNumbers(`${account}/Number/`, headers, call);
    // A number with another application serves another program.
    const free = found.filter(
      ({ application: used }) => toText(used, 300) === '' || toText(used, 300).includes(app_id),
    );
    if (found.length > 0 && free.length === 0) throw otherUrl('Every number at Plivo');
    for (const { number } of free)
      await call({ url: `${account}/Number/${fromAddress(number)}/`, headers, body: JSON.stringify({ app_id }) });
  },
  async find(settings, { from, to, sent_at }, call) {
    const since = new Date(sent_at - CLOCK_SKEW_MS).toISOString().slice(0, 19).replace('T', ' ');
    const query = new URLSearchParams({ to_number: to, message_direction: 'outbound', message_time__gte: since });
    const { objects } = await call({
      method: 'GET',
      url: `${settings.base_url}/v1/Account/${settings.auth_id}/Message/?${query}`,
      headers: authorize(settings),
    });
    // The list does not contain the texts.
    return toList(objects)
      .map(toObject)
      .filter(({ from_number }) => settings.powerpack_uuid !== '' || fromAddress(from_number) === from)
      .map(({ message_uuid }) => toText(message_uuid, 64));
  },
});

const PAGE = 20;
const MAX_NUMBERS = 2_000;

async function listNumbers(url: string, headers: Record<string, string>, call: Call): Promise<Json[]> {
  const found: Json[] = [];
  for (let full = true; full && found.length < MAX_NUMBERS; ) {
    const query = new URLSearchParams({ limit: String(PAGE), offset: String(found.length) });
    const page = toList((await call({ method: 'GET', url: `${url}?${query}`, headers })).objects).map(toObject);
    found.push(...page);
    full = page.length === PAGE;
  }
  return found;
}

/** Plivo's clock may differ from ours. */
const CLOCK_SKEW_MS = 5_000;

const authorize = ({ auth_id, auth_token }: PlivoSettings) => ({
  ...JSON_HEADERS,
  authorization: basicAuthorization(auth_id, auth_token),
});

/** The signature covers the URL with sorted parameters, the sorted fields of the form, and the nonce. */
function isSigned(auth_token: string, { url, headers }: CallbackRequest, form: URLSearchParams): boolean {
  const nonce = headers['x-plivo-signature-v3-nonce'] ?? '';
  const { origin, pathname, searchParams } = new URL(url);
  const query = sortedPairs(searchParams, '=').join('&');
  const fields = sortedPairs(form, '').join('');
  const base = `${origin}${pathname}${query || fields ? '?' : ''}${query}${query && fields ? '.' : ''}${fields}`;
  const expected = createHmac('sha256', auth_token).update(`${base}.${nonce}`).digest('base64');
  // During the rotation of a token, the header has a signature with each of the two tokens.
  const signatures = (headers['x-plivo-signature-v3'] ?? '').split(',');
  return auth_token !== '' && nonce !== '' && signatures.some((signature) => isSecret(expected, signature.trim()));
}

const sortedPairs = (params: URLSearchParams, separator: string): string[] =>
  [...new Set(params.keys())].sort().flatMap((name) =>
    params
      .getAll(name)
      .sort()
      .map((value) => `${name}${separator}${value}`),
  );
