/**
 * Shows the callback of a carrier as the receipt of one message. A callback can contain receipts of several accounts,
 * so it is shown as a whole only if it contains a single one. Otherwise, the values that were read from it are shown.
 */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import type { Callback, CallbackRequest, Report } from '../../channels/channel.ts';
import { listSecretTexts } from '../../channels/http_exchange.ts';
import type { WirePayload } from '../../channels/wire_payload.ts';
import type { OpenConnection } from '../../connections/connections.ts';
import { maskBody } from '../../kernel/http/request_log/masked_body.ts';

/** Fields with the message's text. */
const TEXT_FIELDS = ['body', 'Body', 'message', 'Message', 'content', 'msg'];
const MASK = '••••';

export function showCallback(
  { adapter, spec }: OpenConnection,
  request: CallbackRequest,
  { reports, incoming, notices }: Callback,
  report: Report,
): WirePayload {
  if (reports.length > 1 || incoming.length + notices.length > 0) return showReport(report);
  const parsed = parseBody(request);
  if (parsed === undefined) return showReport(report);
  const names = ADAPTERS[adapter.name as keyof typeof ADAPTERS].secrets.options;
  const secrets = listSecretTexts({ ...(spec.settings as object) }, names);
  const text = maskBody(parsed, TEXT_FIELDS).text ?? '';
  const body = secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  const type = request.headers['content-type'];
  return {
    ...{ direction: 'received', title: `${request.method} callback`, body, is_cut: false },
    fields: type ? [{ name: 'content-type', value: type }] : [],
  };
}

/** Returns the values of JSON, of a form, or of the query. Undefined if the body has another format. */
function parseBody({ method, query, headers, body }: CallbackRequest): unknown {
  if (method === 'GET') return query;
  const text = body.toString('utf8');
  if (headers['content-type']?.includes('form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function showReport({ external_id, status, state, code, at, detail }: Report): WirePayload {
  const values = {
    ...{ external_id, status, state, code },
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    ...detail,
  };
  const fields = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === '' || name === 'price' ? [] : [{ name, value: String(value) }],
  );
  return { direction: 'received', title: 'Status in a callback', fields, body: '', is_cut: false };
}
