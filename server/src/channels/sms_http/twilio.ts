/** Twilio's Programmable Messaging API, version 2010-04-01. Callbacks are signed with the auth token. */
import { createHmac } from 'node:crypto';
import { TwilioSettings } from '@parley/contract/channels/sms/providers/twilio.ts';
import type { CallbackRequest, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toObject, toText } from '../wire_json.ts';
import { FORM_HEADERS, smsProvider } from './bind.ts';
import {
  accepted,
  MEANINGS,
  type Meaning,
  messageCallback,
  received,
  refusal,
  refused,
  report,
  respond,
  toAddress,
} from './provider.ts';

/** Twilio refuses a longer validity. */
const MAX_VALIDITY_SECONDS = 36_000;

const CODES: Readonly<Record<string, Meaning>> = {
  20003: MEANINGS.credentials,
  20005: MEANINGS.unpaid,
  20404: MEANINGS.credentials,
  20429: MEANINGS.throttled,
  14107: MEANINGS.throttled,
  21211: MEANINGS.bad_number,
  21214: MEANINGS.bad_number,
  21217: MEANINGS.bad_number,
  21614: MEANINGS.bad_number,
  21408: MEANINGS.blocked,
  21612: MEANINGS.blocked,
  21635: MEANINGS.blocked,
  21610: MEANINGS.opted_out,
  21212: MEANINGS.bad_sender,
  21606: MEANINGS.bad_sender,
  21659: MEANINGS.bad_sender,
  21703: MEANINGS.bad_sender,
  21602: MEANINGS.bad_message,
  21617: MEANINGS.bad_message,
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  accepted: 'enroute',
  queued: 'enroute',
  sending: 'enroute',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

export const twilio = smsProvider<TwilioSettings>({
  name: 'twilio',
  readSettings: (settings) => TwilioSettings.parse(settings),
  request({ base_url, account_sid, auth_token, messaging_service_sid }, message, connection) {
    const sender: Record<string, string> = messaging_service_sid
      ? { MessagingServiceSid: messaging_service_sid }
      : { From: toAddress(message.from) };
    const body = new URLSearchParams({
      To: toAddress(message.to),
      ...sender,
      Body: message.text,
      StatusCallback: messageCallback(connection, message),
      ValidityPeriod: String(Math.min(message.valid_seconds, MAX_VALIDITY_SECONDS)),
    });
    const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
    return {
      url: `${base_url}/2010-04-01/Accounts/${account_sid}/Messages.json`,
      headers: { ...FORM_HEADERS, authorization: `Basic ${credentials}` },
      body: body.toString(),
    };
  },
  read(status, body) {
    const fields = toObject(parseJson(body));
    const sid = toText(fields.sid, 64);
    const segments = Number(toText(fields.num_segments, 5)) || undefined;
    if (status >= 200 && status < 300 && sid !== '') return accepted(sid, {}, segments);
    const code = toText(fields.code, 10);
    return code === '' ? refused(unreadable(status)) : refusal(CODES, code);
  },
  callback(settings, request, session) {
    if (request.method !== 'POST') return respond(405);
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (!isSigned(settings.auth_token, request, form)) return respond(403);
    const external_id = toText(form.get('MessageSid') ?? form.get('SmsSid'), 64);
    const state = form.get('MessageStatus') ?? form.get('SmsStatus') ?? '';
    const [from, to] = [form.get('From'), form.get('To')];
    if (state === 'received' || (state === '' && form.has('Body'))) {
      const text = form.get('Body');
      // An empty response document means that no reply is sent.
      return respond(200, {
        body: '<Response/>',
        incoming: received(session, { provider: 'twilio', external_id, from, to, text }),
      });
    }
    const status = Object.hasOwn(STATUSES, state) ? STATUSES[state] : undefined;
    if (external_id === '' || !status) return respond(200);
    const code = toText(form.get('ErrorCode'), 10) || null;
    return respond(200, {
      reports: [report(request, { external_id, status, state, code, number: to, sender: from })],
    });
  },
});

/** The signature covers the URL, followed by the names and values of the form in the order of the names. */
function isSigned(auth_token: string, { url, headers }: CallbackRequest, form: URLSearchParams): boolean {
  const names = [...new Set(form.keys())].sort();
  const text = names.map((name) => `${name}${[...new Set(form.getAll(name))].sort().join('')}`).join('');
  const expected = createHmac('sha1', auth_token).update(`${url}${text}`).digest('base64');
  return auth_token !== '' && isSecret(expected, headers['x-twilio-signature'] ?? '');
}
