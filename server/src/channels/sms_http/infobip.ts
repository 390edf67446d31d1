/** Infobip's SMS API, version 3. Callbacks are not signed, so their URL contains a secret. */
import { InfobipSettings } from '@parley/contract/channels/sms/providers/infobip.ts';
import type { Report } from '../channel.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, maskNumbers, parseJson, toList, toObject, toText } from '../wire_json.ts';
import { JSON_HEADERS, smsProvider } from './bind.ts';
import {
  accepted,
  hasKey,
  MEANINGS,
  type Meaning,
  messageCallback,
  readTime,
  received,
  refusal,
  refused,
  report,
  respond,
} from './provider.ts';

/** Meanings by the name of a rejection status. */
const CODES: Readonly<Record<string, Meaning>> = {
  REJECTED_NETWORK: MEANINGS.blocked,
  REJECTED_PREFIX_MISSING: MEANINGS.bad_number,
  REJECTED_DND: MEANINGS.opted_out,
  REJECTED_SOURCE: MEANINGS.bad_sender,
  REJECTED_NOT_ENOUGH_CREDITS: MEANINGS.unpaid,
  REJECTED_SENDER: MEANINGS.bad_sender,
  REJECTED_DESTINATION: MEANINGS.blocked,
  REJECTED_DESTINATION_NOT_REGISTERED: MEANINGS.blocked,
  REJECTED_ROUTE_NOT_AVAILABLE: MEANINGS.blocked,
  REJECTED_FLOODING_FILTER: MEANINGS.blocked,
  REJECTED_SYSTEM_ERROR: MEANINGS.busy,
  UNAUTHORIZED: MEANINGS.credentials,
  FORBIDDEN: MEANINGS.credentials,
  TOO_MANY_REQUESTS: MEANINGS.throttled,
  BAD_REQUEST: MEANINGS.bad_message,
};
const HTTP_CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  429: 'TOO_MANY_REQUESTS',
};

/** Meanings by the name of a status group. */
const STATUSES: Readonly<Record<string, Report['status']>> = {
  PENDING: 'sent',
  DELIVERED: 'delivered',
  UNDELIVERABLE: 'failed',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
};
/** Belongs to the group DELIVERED, but another report follows once the phone has the message. */
const AT_OPERATOR = 'DELIVERED_TO_OPERATOR';

export const infobip = smsProvider<InfobipSettings>({
  name: 'infobip',
  readSettings: (settings) => InfobipSettings.parse(settings),
  request({ base_url, api_key, callback_secret }, message, connection) {
    const { from, to, text, valid_seconds } = message;
    return {
      url: `${base_url}/sms/3/messages`,
      headers: { ...JSON_HEADERS, authorization: `App ${api_key}` },
      body: JSON.stringify({
        messages: [
          {
            sender: from,
            destinations: [{ to }],
            content: { text },
            options: { validityPeriod: { amount: Math.max(1, Math.round(valid_seconds / 60)), timeUnit: 'MINUTES' } },
            webhooks: {
              delivery: { url: messageCallback(connection, message, callback_secret) },
              contentType: 'application/json',
            },
          },
        ],
      }),
    };
  },
  read(status, body) {
    const [first] = toList(toObject(parseJson(body)).messages);
    if (first === undefined)
      return HTTP_CODES[status] ? refusal(CODES, HTTP_CODES[status]) : refused(unreadable(status));
    const { messageId, status: result } = toObject(first);
    const { groupName, name } = toObject(result);
    const external_id = toText(messageId, 64);
    if (groupName === 'REJECTED' || external_id === '') return refusal(CODES, toText(name, 60));
    return accepted(external_id);
  },
  callback({ callback_secret }, request, session) {
    if (request.method !== 'POST') return respond(405);
    if (!hasKey(callback_secret, request)) return respond(403);
    const results = toList(toObject(parseJson(request.body.toString('utf8'))).results).map(toObject);
    return respond(200, {
      reports: results.filter(({ status }) => status !== undefined).flatMap((result) => readReceipt(request, result)),
      incoming: results
        .filter(({ status }) => status === undefined)
        .flatMap(({ messageId, from, to, text, cleanText, receivedAt }) =>
          received(session, {
            ...{ provider: 'infobip', external_id: toText(messageId, 64), from, to },
            ...{ text: text ?? cleanText, at: readTime(receivedAt) },
          }),
        ),
    });
  },
});

function readReceipt(request: Parameters<typeof report>[0], result: Json): Report[] {
  const { messageId, to, from, sender, doneAt, status, error, price } = result;
  const { pricePerMessage, currency } = toObject(price);
  const { groupName, name } = toObject(status);
  const external_id = toText(messageId, 64);
  const group = toText(groupName, 30);
  const known = name === AT_OPERATOR ? 'sent' : Object.hasOwn(STATUSES, group) ? STATUSES[group] : undefined;
  if (external_id === '' || !known) return [];
  const { id, permanent, description } = toObject(error);
  const failed = permanent === true ? { text: maskNumbers(description) } : {};
  return [
    report(request, {
      ...{ external_id, status: known, state: toText(name, 60), number: to, sender: sender ?? from },
      ...{ code: toText(id, 10) === '0' ? null : toText(id, 10) || null, at: readTime(doneAt), ...failed },
      price: [toText(pricePerMessage, 20), toText(currency, 3)].filter(Boolean).join(' '),
    }),
  ];
}
