/** Sinch's SMS REST API (batches). Callbacks are not signed by default, so their URL contains a secret. */
import { SinchSettings } from '@parley/contract/channels/sms/providers/sinch.ts';
import type { Report } from '../channel.ts';
import { unreadable } from '../unreadable.ts';
import { parseJson, toList, toObject, toText } from '../wire_json.ts';
import { JSON_HEADERS, smsProvider } from './bind.ts';
import {
  accepted,
  fromAddress,
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

/** Meanings by error code, or else by HTTP status. */
const CODES: Readonly<Record<string, Meaning>> = {
  syntax_invalid_json: MEANINGS.bad_message,
  syntax_invalid_parameter_format: MEANINGS.bad_number,
  syntax_constraint_violation: MEANINGS.bad_message,
  forbidden: MEANINGS.credentials,
  unauthorized: MEANINGS.credentials,
  too_many_requests: MEANINGS.throttled,
};
const HTTP_CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'too_many_requests',
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  Queued: 'enroute',
  Dispatched: 'sent',
  Delivered: 'delivered',
  Expired: 'expired',
  Rejected: 'rejected',
  Failed: 'failed',
  Aborted: 'failed',
  Cancelled: 'failed',
  Deleted: 'failed',
};

export const sinch = smsProvider<SinchSettings>({
  name: 'sinch',
  readSettings: (settings) => SinchSettings.parse(settings),
  request({ base_url, service_plan_id, api_token, callback_secret }, message, connection) {
    const { from, to, text, reference, valid_seconds } = message;
    return {
      url: `${base_url}/xms/v1/${service_plan_id}/batches`,
      headers: { ...JSON_HEADERS, authorization: `Bearer ${api_token}` },
      body: JSON.stringify({
        ...{ from, to: [to], body: text, delivery_report: 'per_recipient' },
        callback_url: messageCallback(connection, message, callback_secret),
        client_reference: String(reference),
        expire_at: new Date(Date.now() + valid_seconds * 1_000).toISOString(),
      }),
    };
  },
  read(status, body) {
    const fields = toObject(parseJson(body));
    const external_id = toText(fields.id, 64);
    if (status >= 200 && status < 300 && external_id !== '') return accepted(external_id);
    const code = toText(fields.code, 60) || HTTP_CODES[status] || '';
    return code === '' ? refused(unreadable(status)) : refusal(CODES, code, status);
  },
  callback({ callback_secret }, request, session) {
    if (request.method !== 'POST') return respond(405);
    if (!hasKey(callback_secret, request)) return respond(403);
    const fields = toObject(parseJson(request.body.toString('utf8')));
    const type = toText(fields.type, 60);
    if (type.startsWith('mo_')) {
      const { id, from, to, body: text, received_at } = fields;
      const external_id = toText(id, 64);
      const at = readTime(received_at);
      return respond(200, { incoming: received(session, { provider: 'sinch', external_id, from, to, text, at }) });
    }
    const external_id = toText(fields.batch_id, 64);
    const state = toText(fields.status, 30);
    const known = Object.hasOwn(STATUSES, state) ? STATUSES[state] : undefined;
    if (type !== 'recipient_delivery_report_sms' || external_id === '' || !known) return respond(200);
    const code = toText(fields.code, 10);
    return respond(200, {
      reports: [
        report(request, {
          ...{ external_id, status: known, state, number: fields.recipient, sender: fields.applied_originator },
          ...{ code: code === '0' ? null : code || null, at: readTime(fields.at) },
        }),
      ],
    });
  },
  async find({ base_url, service_plan_id, api_token }, { to, text, reference, sent_at }, call) {
    const query = new URLSearchParams({
      ...{ client_reference: String(reference), page_size: '100' },
      start_date: new Date(sent_at - CLOCK_SKEW_MS).toISOString(),
    });
    const { batches } = await call({
      method: 'GET',
      url: `${base_url}/xms/v1/${service_plan_id}/batches?${query}`,
      headers: { ...JSON_HEADERS, authorization: `Bearer ${api_token}` },
    });
    return toList(batches)
      .map(toObject)
      .filter(({ to: recipients, body }) => fromAddress(toList(recipients)[0]) === to && body === text)
      .map(({ id }) => toText(id, 64));
  },
});

/** Sinch's clock may differ from ours. */
const CLOCK_SKEW_MS = 5_000;
