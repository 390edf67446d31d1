/** Twilio's Programmable Messaging API, version 2010-04-01. Callbacks are signed with the auth token. */
import { createHmac } from 'node:crypto';
import { TwilioSettings } from '@parley/contract/channels/sms/providers/twilio.ts';
import type { CallbackRequest, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toList, toObject, toText } from '../wire_json.ts';
import { basicAuthorization, type Call, FORM_HEADERS, otherUrl, smsProvider } from './bind.ts';
import {
  accepted,
  fromAddress,
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
  request(settings, message, connection) {
    const { base_url, account_sid, messaging_service_sid } = settings;
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
    return {
      url: `${base_url}/2010-04-01/Accounts/${account_sid}/Messages.json`,
      headers: authorize(settings),
      body: body.toString(),
    };
  },
  read(status, body) {
    const fields = toObject(parseJson(body));
    const sid = toText(fields.sid, 64);
    const segments = Number(toText(fields.num_segments, 5)) || undefined;
    if (status >= 200 && status < 300 && sid !== '') return accepted(sid, {}, segments);
    const code = toText(fields.code, 10);
    return code === '' ? refused(unreadable(status)) : refusal(CODES, code, status);
  },
  callback(settings, request, session) {
    if (request.method !== 'POST') return respond(405);
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (!isSigned(settings.auth_token, request, form)) return respond(403);
    if ((form.get('AccountSid') ?? settings.account_sid) !== settings.account_sid) return respond(403);
    const external_id = toText(form.get('MessageSid') ?? form.get('SmsSid'), 64);
    const state = form.get('MessageStatus') ?? form.get('SmsStatus') ?? '';
    const [from, to] = [form.get('From'), form.get('To')];
    if (state === 'received' || (state === '' && form.has('Body'))) {
      const media = [...form.entries()].flatMap(([name, value]) => (/^MediaUrl\d+$/.test(name) ? [value] : []));
      const text = withLinks(form.get('Body'), media);
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
  register: async (settings, url, call) =>
    settings.messaging_service_sid === '' ? setNumberUrls(settings, url, call) : setMessagingUrl(settings, url, call),
  async find(settings, { from, to, text, sent_at }, call) {
    const { base_url, account_sid, messaging_service_sid } = settings;
    const query = new URLSearchParams({ To: toAddress(to), PageSize: '50' });
    const { messages } = await call({
      method: 'GET',
      url: `${base_url}/2010-04-01/Accounts/${account_sid}/Messages.json?${query}`,
      headers: authorize(settings),
    });
    return toList(messages)
      .map(toObject)
      .filter(
        (message) =>
          message.body === text &&
          toText(message.direction, 30).startsWith('outbound') &&
          (messaging_service_sid !== '' || fromAddress(message.from) === from) &&
          (readTime(message.date_created) ?? 0) >= sent_at - CLOCK_SKEW_MS,
      )
      .map(({ sid }) => toText(sid, 64));
  },
});

/** Twilio's times are whole seconds, and its clock may differ from ours. */
const CLOCK_SKEW_MS = 5_000;

const authorize = ({ account_sid, auth_token }: TwilioSettings) => ({
  ...FORM_HEADERS,
  authorization: basicAuthorization(account_sid, auth_token),
});

/** Sets the URL of all numbers that have none. Numbers with another URL serve another program. */
async function setNumberUrls(settings: TwilioSettings, url: string, call: Call): Promise<void> {
  const numbers = `${settings.base_url}/2010-04-01/Accounts/${settings.account_sid}/IncomingPhoneNumbers`;
  const headers = authorize(settings);
  const list = await call({ method: 'GET', url: `${numbers}.json?PageSize=1000`, headers });
  const found = toList(list.incoming_phone_numbers).map(toObject);
  const free = found.filter(({ sms_url }) => isFree(toText(sms_url, 2_000), url));
  if (found.length > 0 && free.length === 0) throw otherUrl('Every number at Twilio');
  for (const { sid } of free)
    await call({
      url: `${numbers}/${toText(sid, 64)}.json`,
      headers,
      body: new URLSearchParams({ SmsUrl: url, SmsMethod: 'POST' }).toString(),
    });
}

/** Services have their own API, on another host. */
async function setMessagingUrl(settings: TwilioSettings, url: string, call: Call): Promise<void> {
  const base = settings.base_url.replace('//api.', '//messaging.');
  await call({
    url: `${base}/v1/Services/${settings.messaging_service_sid}`,
    headers: authorize(settings),
    body: new URLSearchParams({ InboundRequestUrl: url, InboundMethod: 'POST' }).toString(),
  });
}

/** Twilio gives new numbers the URL of its demo. */
const isFree = (current: string, url: string): boolean =>
  current === '' || current === url || current.startsWith('https://demo.twilio.com/') || isEarlier(current, url);

/** The signature covers the URL, followed by the names and values of the form in the order of the names. */
function isSigned(auth_token: string, { url, headers }: CallbackRequest, form: URLSearchParams): boolean {
  const names = [...new Set(form.keys())].sort();
  const text = names.map((name) => `${name}${[...new Set(form.getAll(name))].sort().join('')}`).join('');
  const expected = createHmac('sha1', auth_token).update(`${url}${text}`).digest('base64');
  return auth_token !== '' && isSecret(expected, headers['x-twilio-signature'] ?? '');
}
