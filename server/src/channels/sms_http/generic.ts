/**
 * Any provider that takes a message by an HTTP POST. Templates and paths in the settings describe its API. The secret
 * in the callback URL authenticates its callbacks, which come as a query, a form, or JSON.
 */
import { GenericSettings } from '@parley/contract/channels/sms/providers/generic.ts';
import type { CallbackRequest, Outgoing, Report } from '../channel.ts';
import { unreadable } from '../unreadable.ts';
import { maskNumbers, parseJson, toText } from '../wire_json.ts';
import { FORM_HEADERS, JSON_HEADERS, smsProvider } from './bind.ts';
import { accepted, hasKey, messageCallback, received, refused, report, respond } from './provider.ts';

export const generic = smsProvider<GenericSettings>({
  name: 'generic',
  readSettings: (settings) => GenericSettings.parse(settings),
  request(settings, message, connection) {
    const { base_url, format, authorization, callback_secret } = settings;
    const headers = format === 'json' ? JSON_HEADERS : FORM_HEADERS;
    return {
      url: base_url,
      headers: authorization ? { ...headers, authorization } : headers,
      body: fillBody(settings, message, messageCallback(connection, message, callback_secret)),
    };
  },
  read(status, body, { id_path, error_path }) {
    const document = parseJson(body);
    const external_id = toText(readPath(document, id_path), 64);
    if (status >= 200 && status < 300 && external_id !== '') return accepted(external_id);
    // A success without an ID: the provider has the message, and no receipt can be matched to it.
    if (status >= 200 && status < 300)
      return refused({ kind: 'unknown', code: '', text: 'The response contains no message ID' });
    const reason = maskNumbers(readPath(document, error_path));
    // The other statuses say nothing about this message.
    if (reason === '' || ![400, 402, 404, 409, 422].includes(status)) return refused(unreadable(status));
    return refused({ kind: 'rejected', code: String(status), text: reason });
  },
  callback(settings, request, session) {
    if (!hasKey(settings.callback_secret, request)) return respond(403);
    const document = readDocument(request);
    const read = (path: string, max_length = 64) => toText(readPath(document, path), max_length);
    const external_id = read(settings.callback_id_path);
    const [from, to] = [read(settings.callback_from_path), read(settings.callback_to_path)];
    const text = read(settings.callback_text_path, 10_000);
    const state = read(settings.callback_status_path, 60);
    if (text !== '' && !toStatus(settings, state))
      return respond(200, { incoming: received(session, { provider: 'generic', external_id, from, to, text }) });
    const status = toStatus(settings, state);
    if (external_id === '' || !status) return respond(200);
    return respond(200, { reports: [report(request, { external_id, status, state, number: to, sender: from })] });
  },
});

/** Puts the values of a message into the template of the body. */
export function fillBody({ body, format }: GenericSettings, message: Outgoing, callback_url: string): string {
  const { to, from, text, reference, valid_seconds } = message;
  const values: Record<string, string> = {
    ...{ to, from, text, callback_url, reference: String(reference), validity_seconds: String(valid_seconds) },
  };
  const encode = (value: string) =>
    format === 'json' ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value);
  return body.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name]!) : placeholder,
  );
}

/** Reads the value at a path such as `messages.0.id`. */
function readPath(document: unknown, path: string): unknown {
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
