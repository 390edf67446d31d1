/**
 * Shows a request to a provider and its response to operators. Secrets are masked in every encoding that a request can
 * contain, and texts are bounded.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { HttpExchange, ShownRequest, ShownResponse } from '@parley/contract/connections/connection_tests.ts';
import type { HttpCall, HttpResponse } from './http_call.ts';

/** Records the request of a test message and its response, because operators see both. */
export interface ExchangeObserver {
  /** Checks the address of the request, because a response from a private network must not be shown. */
  pin(url: string): Promise<LookupFunction>;
  record(exchange: HttpExchange): void;
}

const MASK = '••••';
const MAX_BODY = 8_000;
const MAX_HEADER = 500;
/** A shorter text would also mask unrelated parts of a body. */
const MIN_SECRET = 4;

/** Headers whose values cannot contain a secret of the connection. All others are masked. */
const PLAIN_HEADERS = new Set(['accept', 'content-type', 'content-length']);
/** Headers of a response that explain it. The others, such as cookies, are not shown. */
const SHOWN_HEADERS = /^(content-type|retry-after|location|www-authenticate|date|.*request-?id|.*rate-?limit.*)$/;

/** All spellings of the secrets in these settings, longest first. */
export function listSecretTexts(settings: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const values = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const secrets = values.filter(([name]) => names.includes(name)).flatMap(([, value]) => [value, ...listParts(value)]);
  const accounts = values.filter(([name]) => !names.includes(name)).map(([, value]) => value);
  const spellings = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ s: secret }).toString().slice(2),
      JSON.stringify(secret).slice(1, -1),
      ...['', ...accounts.map((account) => `${account}:`)].map((prefix) => toBase64(`${prefix}${secret}`)),
    ]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

/** A secret template, such as a list of headers, can contain keys among other words. */
const listParts = (template: string): string[] =>
  template.split(/[\s:,;=]+/).filter((part) => part.length >= 8 && !part.includes('{'));

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

const mask = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);

/** A text that can be stored as JSON. */
const clean = (text: string, max_length: number): string =>
  text.slice(0, max_length).replaceAll('\0', '�').toWellFormed();

export function showRequest(call: HttpCall, secrets: readonly string[]): ShownRequest {
  const body = typeof call.body === 'string' || Buffer.isBuffer(call.body) ? call.body.toString() : '';
  return {
    method: call.method ?? 'POST',
    url: clean(mask(call.url, secrets), MAX_BODY),
    headers: Object.entries(call.headers ?? {}).map(([name, value]) => ({
      name: name.toLowerCase(),
      value: clean(showHeader(name.toLowerCase(), String(value), secrets), MAX_HEADER),
    })),
    body: clean(mask(body, secrets), MAX_BODY),
  };
}

/** Keeps the scheme of an authorization, because a wrong one is a common mistake. */
function showHeader(name: string, value: string, secrets: readonly string[]): string {
  if (PLAIN_HEADERS.has(name)) return mask(value, secrets);
  const scheme = name === 'authorization' ? /^[A-Za-z]{1,12}(?= )/.exec(value)?.[0] : undefined;
  return scheme ? `${scheme} ${MASK}` : MASK;
}

export function showResponse({ status, headers, body }: HttpResponse, secrets: readonly string[]): ShownResponse {
  // A secret at the end of the text would be cut before it is masked.
  const text = mask(body.subarray(0, MAX_BODY * 4).toString('utf8'), secrets);
  return {
    status,
    headers: listHeaders(headers).map(({ name, value }) => ({ name, value: clean(mask(value, secrets), MAX_HEADER) })),
    body: clean(text, MAX_BODY),
    is_cut: text.length > MAX_BODY || body.length > MAX_BODY * 4,
  };
}

const listHeaders = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).flatMap(([name, value]) =>
    SHOWN_HEADERS.test(name) && value !== undefined ? [{ name, value: String(value) }] : [],
  );
