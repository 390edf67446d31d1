/**
 * The shared part of all SMS providers over HTTP. A provider is one file: how a message becomes a request, what the
 * response means, and how its callbacks are verified and read. A provider divides long texts itself, so a message has
 * one part.
 */
import { createHash } from 'node:crypto';
import type { Callback, CallbackRequest, ConnectionSpec, Incoming, Outgoing, Report, SendFailure } from '../channel.ts';
import type { Reading } from '../http_bind.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { toText } from '../wire_json.ts';

/** A number in international format; short codes and names unchanged. */
export const toAddress = (code: string): string => (/^\d{7,15}$/.test(code) ? `+${code}` : code);
/** An address from a provider, without the leading plus sign of a number. */
export const fromAddress = (value: unknown): string => toText(value, 30).replace(/^\+(?=\d)/, '');

/** The URL for callbacks about a message. The provider returns our reference in it, which is evidence after a crash. */
export function messageCallback({ callback_url = '' }: ConnectionSpec, { reference }: Outgoing, secret = ''): string {
  const query = new URLSearchParams({ reference: String(reference), ...(secret ? { key: secret } : {}) });
  return `${callback_url}?${query}`;
}
export const toReference = (text = ''): number | null => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : null);

/** True if the callback contains the connection's secret, for providers that sign nothing. */
export const hasKey = (secret: string, { query }: CallbackRequest): boolean => isSecret(secret, query.key ?? '');

export const accepted = (external_id: string, detail: Reading['detail'] = {}, segments?: number): Reading => ({
  parts: 1,
  accepted: [{ part: 1, external_id }],
  failure: null,
  detail: { ids: [external_id], ...detail },
  ...(segments === undefined ? {} : { segments }),
});
export const refused = (failure: SendFailure, options: { narrow?: boolean } = {}): Reading => ({
  parts: 1,
  accepted: [],
  failure,
  detail: {},
  ...options,
});

/** The meaning of a provider's codes; `text` is the public text. */
export type Meaning = Omit<SendFailure, 'code'>;
const UNAVAILABLE = 'The carrier is not available at the moment';

/** Meanings that many providers share. */
export const MEANINGS = {
  bad_number: { kind: 'rejected', text: 'The number cannot receive this message' },
  bad_sender: { kind: 'config', text: 'The carrier does not accept this sender' },
  bad_message: { kind: 'invalid', text: 'The carrier could not read the message' },
  opted_out: { kind: 'opted_out', text: 'The recipient has opted out of messages from this sender' },
  blocked: { kind: 'rejected', text: 'The carrier blocks messages to this country or number' },
  throttled: { kind: 'throttled', text: 'The carrier is limiting the message rate' },
  busy: { kind: 'connection', text: 'The carrier cannot accept messages right now' },
  credentials: {
    kind: 'connection',
    text: UNAVAILABLE,
    internal: 'The provider refused the credentials of the connection',
    pauses: true,
  },
  unpaid: {
    kind: 'connection',
    text: UNAVAILABLE,
    internal: 'The account at the provider has no balance or is suspended',
    pauses: true,
  },
} as const satisfies Readonly<Record<string, Meaning>>;

/**
 * A refusal with a code of the provider. An unknown code rejects the message, unless the HTTP status reports an error
 * of the provider: then the message may have been sent.
 */
export function refusal(meanings: Readonly<Record<string, Meaning>>, code: string, status = 400): Reading {
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (!meaning && status >= 500) return refused(unreadable(status));
  return refused({ ...(meaning ?? { kind: 'rejected', text: 'The carrier rejected the message' }), code });
}

export const respond = (status: number, parts: Partial<Callback> = {}): Callback => ({
  status,
  body: '',
  reports: [],
  incoming: [],
  notices: [],
  ...parts,
});

interface Receipt {
  external_id: string;
  status: Report['status'];
  state: string;
  code?: string | null;
  text?: string;
  number: unknown;
  sender: unknown;
  at?: number | undefined;
  /** The provider's price for the message, with the currency. */
  price?: string;
}

export function report(request: CallbackRequest, receipt: Receipt): Report {
  const { external_id, status, state, code = null, text, number, sender, at, price } = receipt;
  return {
    ...{ external_id, status, state, code, reference: toReference(request.query.reference) },
    ...{ number: fromAddress(number), sender: fromAddress(sender) },
    ...(text ? { failure: { kind: 'rejected', text } } : {}),
    ...(at === undefined ? {} : { at }),
    detail: { id: external_id, state, ...(price ? { price: price.slice(0, 30) } : {}) },
  };
}

interface Received {
  provider: string;
  external_id: string;
  from: unknown;
  to: unknown;
  text: unknown;
  at?: number | undefined;
}

/** An inbound message; none if it has no ID or no addresses. */
export function received(session: string, { provider, external_id, from, to, text, at }: Received): Incoming[] {
  const [sender, recipient] = [fromAddress(from), fromAddress(to)];
  if (external_id === '' || sender === '' || recipient === '') return [];
  return [
    {
      from: sender,
      to: recipient,
      text: toText(text),
      part: null,
      digest: createHash('sha256').update(`${provider} ${external_id}`).digest(),
      session,
      external_id,
      ...(at === undefined ? {} : { at }),
    },
  ];
}

/** True if this is the URL of a connection here, such as one that was replaced. */
export const isEarlier = (current: string, url: string): boolean =>
  current.startsWith(url.slice(0, url.lastIndexOf('/') + 1));

/** The text of an inbound message, followed by the links to its files. */
export const withLinks = (text: unknown, links: readonly unknown[]): string =>
  [toText(text), ...links.map((link) => toText(link, 2_000))].filter((line) => line !== '').join('\n');

/** Returns undefined if the text is not a time. */
export function readTime(value: unknown): number | undefined {
  const at = Date.parse(toText(value, 40));
  return Number.isNaN(at) ? undefined : at;
}
