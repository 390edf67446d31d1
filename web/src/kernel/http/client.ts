/**
 * Calls the API through the contract: path, query, body and answer are typed by the endpoint. Errors come out as ApiError with the codes of the
 * catalogue. What every page would do the same about an error (401, 403/USER_BLOCKED, 429) is announced to the session
 * here and nowhere else.
 */

import {
  type AnyEndpoint,
  type Data,
  type Input,
  type Pagination,
  pathOf,
  queryString,
} from '@parley/contract/endpoint.ts';
import type { WireError } from '@parley/contract/problem.ts';
import { type ClientProblem, clientProblem } from '@parley/contract/problem_codes.ts';
import { isRenewed, renewing } from './renewal.ts';
import { readToken, wasRenewed } from './token.ts';

const TIMEOUT_MS = 30_000;
/** Ways into another company: who is blocked there is not who is here. */
const ABOUT_ANOTHER: ReadonlySet<string> = new Set(['users.switch', 'auth_sessions.create']);
/** They answer with another token for the session they were called in. */
const RENEWS: ReadonlySet<string> = new Set(['sessions.change_password']);
/** The limit of requests, the limit of exports, and an answer of something in front of the server that gives no code. */
const TOO_MANY: ReadonlySet<ClientProblem> = new Set<ClientProblem>([
  'RATE_LIMIT_EXCEEDED',
  'EXPORT_LIMIT_REACHED',
  'UNKNOWN',
]);

export class ApiError extends Error {
  /** 0: no answer came. */
  readonly status: number;
  /** Of the first problem. */
  override readonly name: ClientProblem;
  readonly errors: readonly WireError[];
  readonly request_id: string | null;
  /** The session has told it already; nothing else may show it again. */
  announced = false;

  constructor(status: number, errors: readonly WireError[], fallback: string, request_id: string | null = null) {
    super(errors[0]?.message ?? fallback);
    this.status = status;
    this.name = clientProblem(errors[0]?.code);
    this.errors = errors;
    this.request_id = errors[0]?.request_id ?? request_id;
  }
}

type Given<E extends AnyEndpoint> = {
  [K in keyof Input<E> as undefined extends Input<E>[K] ? never : K]: Input<E>[K];
} & Partial<Input<E>>;
/** Params, query and body of one call; may be left out where the endpoint has none. */
export type CallInput<E extends AnyEndpoint> = Given<E>;

export interface CallOptions {
  signal?: AbortSignal;
  idempotency_key?: string;
  /** Further headers; an `authorization` of one's own goes before the session's. */
  headers?: Readonly<Record<string, string>>;
  /** It goes on when the page does not. */
  keepalive?: boolean;
}

export interface ApiResponse<E extends AnyEndpoint> {
  data: Data<E>;
  pagination: E extends { list: true } ? Pagination : undefined;
}

export type Announcement =
  | { kind: 'signed_out' }
  | { kind: 'blocked'; message: string }
  | { kind: 'too_many'; error: ApiError };

const listeners = new Set<(announcement: Announcement) => void>();
export function onAnnouncement(listener: (announcement: Announcement) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const announce = (announcement: Announcement) => {
  for (const listener of listeners) listener(announcement);
};

export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E> = {} as CallInput<E>,
  options: CallOptions = {},
): Promise<ApiResponse<E>> {
  if (RENEWS.has(endpoint.id)) return renewing(() => answerOf(endpoint, input, options), tokenIn);
  return answerOf(endpoint, input, options);
}

const tokenIn = ({ data }: { data: unknown }): string => (data as { access_token: string }).access_token;

async function answerOf<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
): Promise<ApiResponse<E>> {
  const response = await request(endpoint, input as Partial<Record<'params' | 'query' | 'body', unknown>>, options);
  if (response.status === 204) return { data: null, pagination: undefined } as unknown as ApiResponse<E>;
  return (await response.json()) as ApiResponse<E>;
}

/** For endpoints that answer with a file. */
export async function callFile<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Blob> {
  return (await request(endpoint, input as Partial<Record<'params' | 'query' | 'body', unknown>>, options)).blob();
}

async function request(
  endpoint: AnyEndpoint,
  input: { params?: unknown; query?: unknown; body?: unknown },
  options: CallOptions,
): Promise<Response> {
  const query = queryString((input.query ?? {}) as Record<string, unknown>);
  const url = pathOf(endpoint.path, (input.params ?? {}) as Record<string, unknown>) + (query ? `?${query}` : '');
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = readToken();
  if (token && endpoint.needs !== 'public') headers.authorization = `Bearer ${token}`;
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (options.idempotency_key) headers['idempotency-key'] = options.idempotency_key;
  Object.assign(headers, options.headers);
  // A page that is being left may still want something in that moment: nobody is asked in nobody's name.
  if (options.signal && endpoint.needs !== 'public' && !headers.authorization)
    throw new DOMException('Nobody is signed in', 'AbortError');
  const timeout = AbortSignal.timeout(endpoint.timeout_ms ?? TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(url, {
      method: endpoint.method,
      headers,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(options.keepalive ? { keepalive: true } : {}),
      ...(input.body !== undefined ? { body: JSON.stringify({ data: input.body }) } : {}),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const late = timeout.aborted;
    throw new ApiError(
      0,
      [],
      late
        ? 'The server did not answer in time. Check whether it was done before you try again.'
        : 'The server cannot be reached. Check your connection and try again.',
    );
  }
  hearTime(response, token);
  if (response.ok) return response;
  const own = token !== null && headers.authorization === `Bearer ${token}`;
  if (response.status === 401 && own && !RENEWS.has(endpoint.id) && (await isRenewed(token)))
    return request(endpoint, input, options);
  throw await refusal(response, endpoint, headers.authorization);
}

let heardAt: string | null = null;
let lastAt: string | null = null;
let heardBy: string | null = null;
function hearTime(response: Response, token: string | null): void {
  if (token !== heardBy) heardAt = token !== null && wasRenewed(token) ? lastAt : null;
  heardBy = token;
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  lastAt = new Date(date).toISOString();
  heardAt ??= lastAt;
}
/** The server's clock when it first answered in this session: from then on the live stream must miss nothing. Under a renewed token it goes on from
 * the last answer. */
export function firstHeard(): string | null {
  const token = readToken();
  return token !== heardBy && token !== null && wasRenewed(token) ? lastAt : heardAt;
}

/**
 * `authorization`: what it was asked with. What is said about a session that this tab has left since is no news about the present one. Of two answers
 * at once the first may lead out, so it is looked at when there is something to announce and not before.
 */
export async function refusal(response: Response, endpoint?: AnyEndpoint, authorization?: string): Promise<ApiError> {
  const errors = await response
    .json()
    .then((body: { errors?: WireError[] }) => body.errors ?? [])
    .catch(() => []);
  const error = new ApiError(
    response.status,
    errors,
    `The server answered with ${response.status}.`,
    response.headers.get('x-request-id'),
  );
  const announcement = announcementOf(error, endpoint);
  if (announcement) {
    error.announced = true;
    // Whether the token was replaced meanwhile is known when that is over.
    if (error.status === 401 && authorization && !RENEWS.has(endpoint?.id ?? ''))
      await isRenewed(authorization.replace(/^Bearer /, ''));
    if (authorization === undefined || authorization === `Bearer ${readToken()}`) announce(announcement);
  }
  return error;
}

/** What concerns the whole app. A 429 that says more than "too many" (a blocked sign-in, a limited verification) belongs to its form. */
function announcementOf(error: ApiError, endpoint: AnyEndpoint | undefined): Announcement | null {
  // The way in with a key tells of the limit by a page of its own.
  if (error.status === 429 && TOO_MANY.has(error.name) && endpoint?.id !== 'auth_sessions.open')
    return { kind: 'too_many', error };
  if (endpoint?.needs === 'public') return null;
  if (error.status === 401) return { kind: 'signed_out' };
  if (error.status === 403 && error.name === 'USER_BLOCKED' && !ABOUT_ANOTHER.has(endpoint?.id ?? ''))
    return { kind: 'blocked', message: error.message };
  return null;
}

/** Sign-in: the one call with credentials of its own. */
export async function callWithBasic<E extends AnyEndpoint>(
  endpoint: E,
  email: string,
  password: string,
): Promise<ApiResponse<E>> {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  const basic = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  let response: Response;
  try {
    response = await fetch(endpoint.path, {
      headers: { accept: 'application/json', authorization: `Basic ${basic}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ApiError(0, [], 'The server cannot be reached. Check your connection and try again.');
  }
  if (!response.ok) throw await refusal(response, endpoint);
  return (await response.json()) as ApiResponse<E>;
}

/** Multipart, with real progress from 0 to 1. `fields` go before the file. */
export function callUpload<E extends AnyEndpoint>(
  endpoint: E,
  fields: Record<string, string | undefined>,
  file: File,
  options: { signal?: AbortSignal; onProgress?: (part: number) => void } = {},
): Promise<ApiResponse<E>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(endpoint.method, endpoint.path);
    const token = readToken();
    if (token) xhr.setRequestHeader('authorization', `Bearer ${token}`);
    // The time counts from the last byte that moved: a big file on a slow line is not cut off, a line that is dead is.
    const limit = endpoint.timeout_ms ?? TIMEOUT_MS;
    let silent = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        silent = true;
        xhr.abort();
      }, limit);
    };
    const interrupted = () =>
      reject(new ApiError(0, [], 'The upload was interrupted. Check your connection and try again.'));
    xhr.upload.onprogress = (event) => {
      watch();
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    xhr.onloadend = () => clearTimeout(timer);
    xhr.onerror = interrupted;
    xhr.onabort = () => (silent ? interrupted() : reject(new DOMException('Canceled', 'AbortError')));
    xhr.onload = () => {
      const response = new Response(xhr.responseText, { status: xhr.status });
      if (response.ok) resolve(JSON.parse(xhr.responseText) as ApiResponse<E>);
      else refusal(response, endpoint, token ? `Bearer ${token}` : undefined).then(reject, reject);
    };
    options.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    if (options.signal?.aborted) return reject(new DOMException('Canceled', 'AbortError'));
    watch();
    xhr.send(form);
  });
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
