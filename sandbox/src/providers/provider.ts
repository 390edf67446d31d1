/**
 * An SMS provider with an HTTP API, as the sandbox simulates it: how it reads a request, writes its responses, and
 * signs its callbacks. The rules for phones, magic numbers, receipts, and replies are those of the SMPP carrier
 * (`world/`).
 */

/** The key, token, or secret that every provider of the sandbox accepts and signs with. */
export const SANDBOX_SECRET = 'sandbox-secret-0001';
/** The number that the account has at every provider. */
export const SANDBOX_SENDER = '447400990001';

export interface SmsRequest {
  from: string;
  to: string;
  text: string;
  /** The URL for receipts and inbound messages. Empty if the request names none. */
  callback_url: string;
  /** Our reference, if the request has a field for it. */
  reference: string;
  /** The ID that the client chose for the message. A second message with the same ID is refused. */
  key?: string;
}

/** A call besides the one that sends a message: for example, one that sets the callback URL. */
export interface AccountCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path below `/providers`. */
  readonly path: string;
  answer(request: AccountRequest): ProviderResponse;
}

export interface AccountRequest {
  fields: Fields;
  query: Fields;
  /** The callback URL of the account; empty if there is none. */
  url: string;
  setUrl(url: string): void;
  /** The accepted messages to a number, or all if it is empty, oldest first. */
  sent(to: string): readonly SentText[];
}

interface SentText {
  id: string;
  from: string;
  to: string;
  text: string;
  time: number;
  reference: string;
}

/** Sets the callback URL of the account, if the request contains one. */
export function noteUrl(request: AccountRequest, value: unknown): void {
  const url = text(value);
  if (URL.canParse(url)) request.setUrl(url);
}

export type Refusal = 'credentials' | 'invalid' | 'number' | 'sender' | 'throttled' | 'busy' | 'rejected';

export interface ProviderResponse {
  status: number;
  body: unknown;
}

export interface Receipt {
  id: string;
  to: string;
  from: string;
  state: 'delivered' | 'expired' | 'undelivered' | 'rejected' | 'sent';
  time: number;
  reference: string;
}
export interface InboundText {
  id: string;
  from: string;
  to: string;
  text: string;
  time: number;
}

export interface CallbackPost {
  headers: Record<string, string>;
  body: string;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;
export type Fields = Readonly<Record<string, unknown>>;

export interface SmsProvider {
  readonly name: string;
  /** The path of the call that sends a message, below `/providers`. */
  readonly path: string;
  /** The settings of a connection to this provider, besides `base_url`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The path of the `base_url`, below `/providers`. */
  readonly base: string;
  isAllowed(headers: Headers, fields: Fields): boolean;
  read(fields: Fields): SmsRequest;
  accept(id: string, request: SmsRequest, segments: number): ProviderResponse;
  refuse(refusal: Refusal): ProviderResponse;
  /** The response to a second message with the same key. */
  repeat?(): ProviderResponse;
  receipt(receipt: Receipt, url: string): CallbackPost;
  inbound(message: InboundText, url: string): CallbackPost;
  readonly calls?: readonly AccountCall[];
}

export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const object = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
export const json = (body: unknown, headers: Record<string, string> = {}): CallbackPost => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
export const plus = (address: string): string => (/^\d{7,}$/.test(address) ? `+${address}` : address);
export const bearer = (headers: Headers): string => text(headers.authorization).replace(/^\w+ /, '');
