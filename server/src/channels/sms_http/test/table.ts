/**
 * The table of tests of an SMS provider over HTTP: examples from the provider's documentation, and what Parley must
 * make of them. `providers.test.ts` runs every table, and `findGaps` names what a table lacks.
 */
import { createHmac } from 'node:crypto';
import type { FailureKind, Incoming, Report } from '../../channel.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Signs the callbacks, and stands in the URL of callbacks without signatures. The sandbox uses the same secret. */
export const SECRET = 'sandbox-secret-0001';
/** The message in each request. */
export const MESSAGE = { from: '447400999999', to: '447700900123', text: 'Your table is ready', reference: 4711 };
/** The callback URL of the connection, to which requests add the reference. */
export const CALLBACK = 'https://parley.example/callbacks/c1';

/** A callback as the provider posts it. `query` is added to the URL. */
export interface Post {
  query?: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Signing {
  url: string;
  secret: string;
  /** In seconds, for providers that sign the time. */
  time_s: number;
}

/** The receipt of a message in the sandbox, for callbacks that attack it. */
export interface SandboxReceipt {
  id: string;
  from: string;
  to: string;
  state: 'sent' | 'delivered' | 'failed';
}

export interface ProviderTable {
  /** Pages of the provider's documentation that contain the examples. */
  sources: readonly string[];
  /** Settings of a connection, without `base_url`. Callbacks are verified with `SECRET`. */
  settings: Readonly<Record<string, string>>;
  /** The settings that verify callbacks. If they are empty, every callback is refused. */
  verified_by: string;
  /** The request for `MESSAGE`: the path below `base_url`, headers, and fields of the form or JSON document. */
  request: { path: string; headers?: Readonly<Record<string, string>>; fields: Fields };
  /** The status and body of a response, what it means, and the message ID or the code of the refusal. */
  responses: readonly (readonly [status: number, body: unknown, meaning: 'accepted' | FailureKind, code: string])[];
  /** The fields of a callback, and the report that Parley makes of them. */
  receipts: readonly (readonly [fields: Fields, report: Partial<Report>])[];
  inbound: readonly (readonly [fields: Fields, message: Partial<Incoming>])[];
  /** Writes and signs a callback. */
  post(fields: Fields, signing: Signing): Post;
  /** The fields of a receipt and of an inbound message for a message in the sandbox. */
  receipt(receipt: SandboxReceipt): Fields;
  text(message: { id: string; from: string; to: string; text: string }): Fields;
  /** Older callbacks are refused as repeated recordings. Omitted if the provider signs no time. */
  max_age_s?: number;
  /** Fields that name another account or phone. Omitted if callbacks name none. */
  foreign?: Fields;
}

export const hmac = (algorithm: string, key: string, text: string) => createHmac(algorithm, key).update(text);
export const joined = (fields: Fields, between = ''): string =>
  Object.keys(fields)
    .sort()
    .map((name) => `${name}${between}${fields[name]}`)
    .join('');

export const json = (fields: unknown, headers: Readonly<Record<string, string>> = {}): Post => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(fields),
});
export const form = (fields: Fields, headers: Readonly<Record<string, string>> = {}): Post => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields as Record<string, string>).toString(),
});
/** For providers that sign nothing: the callback secret is in the URL. */
export const keyed = (fields: Fields, { secret }: Signing): Post => ({ ...json(fields), query: { key: secret } });

/** The required content of each table: a response with each of these meanings ... */
const MEANINGS = ['accepted', 'rejected', 'connection', 'throttled', 'unknown'] as const;
/** ... and a receipt with a status from each of these groups. */
const OUTCOMES: readonly (readonly Report['status'][])[] = [
  ['delivered'],
  ['failed', 'rejected', 'expired', 'unsubscribed'],
];

/** Returns the gaps in a table, as instructions to its author. */
export function findGaps(name: string, table: ProviderTable): string[] {
  const { sources, request, responses, receipts, inbound } = table;
  const gaps = [
    sources.length === 0 && 'sources: add the URLs of the documentation pages that contain the examples',
    sources.some((url) => !/^https:\/\/\S+\/\S*$/.test(url)) && 'sources: each one must be an https:// URL of a page',
    (request.path === '' || Object.keys(request.fields).length === 0) &&
      'request: add the path and the fields of the request for MESSAGE, from the documentation',
    ...MEANINGS.map(
      (meaning) =>
        !responses.some((row) => row[2] === meaning) && `responses: add a published response that means "${meaning}"`,
    ),
    ...OUTCOMES.map(
      (statuses) =>
        !receipts.some(([, { status }]) => status && statuses.includes(status)) &&
        `receipts: add a published callback with the status ${statuses.map((status) => `"${status}"`).join(' or ')}`,
    ),
    inbound.length === 0 && 'inbound: add a published callback of an inbound message',
  ];
  return gaps.filter((gap) => gap !== false).map((gap) => `${name}: ${gap}`);
}

/** The number of examples in a table. */
export const countRows = ({ responses, receipts, inbound }: ProviderTable): number =>
  1 + responses.length + receipts.length + inbound.length;
