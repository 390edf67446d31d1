/**
 * Shows the callback of a carrier as the receipt of one message, or as one inbound message. A callback can contain
 * several, of several accounts, so it is shown as a whole only if it contains a single one. Otherwise, the values that
 * were read from it are shown.
 */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import type { Callback, CallbackRequest, Incoming, Report } from '../../channels/channel.ts';
import { listSecretTexts } from '../../channels/http_exchange.ts';
import type { WirePayload } from '../../channels/wire_payload.ts';
import type { OpenConnection } from '../../connections/connections.ts';
import { maskBody } from '../../kernel/http/request_log/masked_body.ts';

/** Fields with the message's text. */
const TEXT_FIELDS = ['body', 'Body', 'message', 'Message', 'content', 'msg'];
const MASK = '••••';

export function showCallback(
  connection: OpenConnection,
  request: CallbackRequest,
  callback: Callback,
  report: Report,
): WirePayload {
  const whole = isSingle(callback) ? showWhole(connection, request, TEXT_FIELDS) : null;
  return whole ?? showReport(report);
}

export function showIncoming(
  connection: OpenConnection,
  request: CallbackRequest,
  callback: Callback,
  incoming: Incoming,
): WirePayload {
  const whole = isSingle(callback) ? showWhole(connection, request, []) : null;
  return whole ?? showMessage(incoming);
}

const isSingle = ({ reports, incoming, notices }: Callback): boolean =>
  reports.length + incoming.length + notices.length === 1;

/** Returns null if the body has an unknown format. `masks` are fields that are masked completely. */
function showWhole(
  { adapter, spec }: OpenConnection,
  request: CallbackRequest,
  masks: readonly string[],
): WirePayload | null {
  const parsed = parseBody(request);
  if (parsed === undefined) return null;
  const names = ADAPTERS[adapter.name as keyof typeof ADAPTERS].secrets.options;
  const secrets = listSecretTexts({ ...(spec.settings as object) }, names);
  const text = maskBody(parsed, masks).text ?? '';
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
  return { direction: 'received', title: 'Status in a callback', fields: listFields(values), body: '', is_cut: false };
}

function showMessage({ from, to, text, external_id, profile_name }: Incoming): WirePayload {
  const fields = listFields({ external_id, from, to, profile_name, text });
  return { direction: 'received', title: 'Message in a callback', fields, body: '', is_cut: false };
}

const listFields = (values: Readonly<Record<string, unknown>>): { name: string; value: string }[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' || name === 'price' ? [] : [{ name, value: String(value) }],
  );
