/**
 * Any provider that takes a message by an HTTP request. Templates and paths in the settings describe its API. A secret
 * in the callback URL or an HMAC of the body authenticates its callbacks: a query, a form, or JSON.
 */
import { createHmac } from 'node:crypto';
import { GenericSettings } from '@parley/contract/channels/sms/providers/generic.ts';
import type { CallbackRequest, Outgoing, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { maskNumbers, parseJson, toText } from '../wire_json.ts';
import { FORM_HEADERS, JSON_HEADERS, smsProvider } from './bind.ts';
import {
  accepted,
  hasKey,
  MEANINGS,
  messageCallback,
  received,
  refused,
  report,
  respond,
  toAddress,
  toReference,
} from './provider.ts';

export const generic = smsProvider<GenericSettings>({
  name: 'generic',
  readSettings: (settings) => GenericSettings.parse(settings),
  request(settings, message, connection) {
    const { base_url, method, format, authorization, headers, body, callback_secret } = settings;
    const values = readValues(settings, message, messageCallback(connection, message, callback_secret));
    const url = fill(base_url.replace(/%7B(\w+)%7D/gi, '{$1}'), values, encodeURIComponent);
    const shared = format === 'json' && method === 'POST' ? JSON_HEADERS : FORM_HEADERS;
    const own = [...(authorization ? [`authorization: ${authorization}`] : []), ...headers.split(/\r?\n/)]
      .filter((line) => line.includes(':'))
      .map((line) => {
        const [name, ...rest] = line.split(':');
        return [name!.toLowerCase(), fill(rest.join(':').trim(), values, toHeaderValue)];
      });
    const filled = fill(body, values, format === 'json' && method === 'POST' ? toJsonText : encodeURIComponent);
    const all = { ...shared, ...Object.fromEntries(own) };
    return method === 'GET' ? { method, url: `${url}?${filled}`, headers: all } : { url, headers: all, body: filled };
  },
  read(status, body, { id_path, error_path }) {
    const document = parseJson(body);
    const external_id = toId(readPath(document, id_path));
    if (status >= 200 && status < 300 && external_id !== '') return accepted(external_id);
    // A success without an ID: the provider has the message, and no receipt can be matched to it.
    const reason = maskNumbers(readPath(document, error_path));
    if (status >= 200 && status < 300 && reason === '')
      return refused({ kind: 'unknown', code: '', text: 'The response contains no message ID' });
    if (status >= 200 && status < 300) return refused({ kind: 'rejected', code: String(status), text: reason });
    if (status === 401) return refused({ ...MEANINGS.credentials, code: `HTTP ${status}` });
    // The other statuses are not about this message.
    if (reason === '' || ![400, 402, 404, 409, 422].includes(status)) return refused(unreadable(status));
    return refused({ kind: 'rejected', code: String(status), text: reason });
  },
  callback(settings, request, session) {
    if (!isAuthentic(settings, request)) return respond(403);
    const document = readDocument(request);
    const read = (path: string, max_length = 64) => toText(readPath(document, path), max_length);
    const external_id = read(settings.callback_id_path);
    const [from, to] = [read(settings.callback_from_path), read(settings.callback_to_path)];
    const text = read(settings.callback_text_path, 10_000);
    const state = read(settings.callback_status_path, 60);
    const status = toStatus(settings, state);
    // A receipt can repeat the text of our message. Only the callback URLs of our messages contain a reference.
    const isReceipt = state !== '' && toReference(request.query.reference) !== null;
    if (text !== '' && !status && !isReceipt)
      return respond(200, { incoming: received(session, { provider: 'generic', external_id, from, to, text }) });
    if (external_id === '' || !status) return respond(200);
    return respond(200, { reports: [report(request, { external_id, status, state, number: to, sender: from })] });
  },
});

/** The values of the placeholders. */
function readValues(
  { account, api_secret }: GenericSettings,
  { to, from, text, reference, valid_seconds }: Outgoing,
  callback_url: string,
): Record<string, string> {
  const basic = Buffer.from(`${account}:${api_secret}`).toString('base64');
  return {
    ...{ to, to_e164: toAddress(to), from, from_e164: toAddress(from), text, callback_url },
    ...{ reference: String(reference), validity_seconds: String(valid_seconds) },
    ...{ account, secret: api_secret, basic },
  };
}

const fill = (template: string, values: Record<string, string>, encode: (value: string) => string): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name]!) : placeholder,
  );

const toJsonText = (value: string): string => JSON.stringify(value).slice(1, -1);
/** A line break would start another header. */
const toHeaderValue = (value: string): string => value.replace(/[^\x20-\x7e]/g, '');

function isAuthentic(settings: GenericSettings, request: CallbackRequest): boolean {
  const { signature_header, signature_algorithm, signature_secret, callback_secret } = settings;
  if (signature_header === '') return hasKey(callback_secret, request);
  // The header may begin with the name of the algorithm, such as `sha256=`.
  const signature = (request.headers[signature_header] ?? '').replace(/^\w+=(?=[\da-f]{40,}$)/i, '');
  const hmac = createHmac(signature_algorithm, signature_secret).update(request.body).digest();
  const isHex = /^[\da-f]+$/i.test(signature);
  const expected = isHex ? hmac.toString('hex') : hmac.toString('base64');
  return signature_secret !== '' && isSecret(expected, isHex ? signature.toLowerCase() : signature);
}

/** Some providers write a missing ID as a word. */
const toId = (value: unknown): string => toText(value, 64).replace(/^(none|null|undefined)$/i, '');

/** Reads the value at a path such as `messages.0.id`, or at the first of several paths that has one. */
function readPath(document: unknown, paths: string): unknown {
  for (const path of paths.split('|')) {
    const value = readOnePath(document, path);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function readOnePath(document: unknown, path: string): unknown {
  if (path === '') return undefined;
  let value = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function readDocument({ method, query, headers, body }: CallbackRequest): unknown {
  if (method === 'GET') return query;
  const text = body.toString('utf8');
  return (headers['content-type'] ?? '').includes('json')
    ? parseJson(text)
    : { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
}

function toStatus({ delivered_words, failed_words }: GenericSettings, state: string): Report['status'] | null {
  const has = (words: string) =>
    words
      .split(',')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== '')
      .includes(state.toLowerCase());
  return has(delivered_words) ? 'delivered' : has(failed_words) ? 'failed' : null;
}
