/**
 * Calls the API through the contract: the endpoint types the path, query, body, and response. Errors are ApiErrors with
 * the codes from the catalog. Errors that every page treats alike (401, 403/USER_BLOCKED, 429) are announced to the
 * session here.
 */

import {
  type AnyEndpoint,
  type Data,
  endpointPath,
  type Input,
  type Pagination,
  queryString,
} from '@parley/contract/endpoint.ts';
import type { WireError } from '@parley/contract/problem.ts';
import { type ClientProblem, clientProblem } from '@parley/contract/problem_codes.ts';
import { reportNoResponse, reportResponse } from './connection.ts';
import { parseResponse } from './own_links.ts';
import { isRenewed, renewing } from './renewal.ts';
import { readToken, wasRenewed } from './token.ts';

const TIMEOUT_MS = 30_000;
/** Endpoints that switch to another company. A user who is blocked there may still use the current one. */
const OTHER_COMPANY_ENDPOINTS: ReadonlySet<string> = new Set(['users.switch', 'auth_sessions.create']);
/** Endpoints that return a new token for the current session. */
const RENEWING_ENDPOINTS: ReadonlySet<string> = new Set(['sessions.change_password']);
/** The rate limits for requests and exports; UNKNOWN means a response from a proxy, which has no code. */
const RATE_LIMIT_PROBLEMS: ReadonlySet<ClientProblem> = new Set<ClientProblem>([
  'RATE_LIMIT_EXCEEDED',
  'EXPORT_LIMIT_REACHED',
  'UNKNOWN',
]);

export class ApiError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The name of the first problem. */
  override readonly name: ClientProblem;
  readonly errors: readonly WireError[];
  readonly request_id: string | null;
  /** True once the session has shown the error; no other code may show it again. */
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
/** The params, query, and body of a call; optional if the endpoint has none. */
export type CallInput<E extends AnyEndpoint> = Given<E>;

export interface CallOptions {
  signal?: AbortSignal;
  idempotency_key?: string;
  /** Additional headers; `authorization` replaces the header of the session. */
  headers?: Readonly<Record<string, string>>;
  /** Lets the request complete even when the page is closed. */
  keepalive?: boolean;
}

export interface ApiResponse<E extends AnyEndpoint> {
  data: Data<E>;
  pagination: E extends { list: true } ? Pagination : undefined;
}

type Announcement =
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
  if (RENEWING_ENDPOINTS.has(endpoint.id)) return renewing(() => callAndParse(endpoint, input, options), accessToken);
  return callAndParse(endpoint, input, options);
}

const accessToken = ({ data }: { data: unknown }): string => (data as { access_token: string }).access_token;

async function callAndParse<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
): Promise<ApiResponse<E>> {
  const response = await callResponse(endpoint, input, options);
  if (response.status === 204) return { data: null, pagination: undefined } as unknown as ApiResponse<E>;
  return parseResponse<ApiResponse<E>>(await response.text());
}

/** Calls an endpoint whose response is not JSON. */
export async function callResponse(
  endpoint: AnyEndpoint,
  input: { params?: unknown; query?: unknown; body?: unknown },
  options: CallOptions,
): Promise<Response> {
  const query = queryString((input.query ?? {}) as Record<string, unknown>);
  const url = endpointPath(endpoint.path, (input.params ?? {}) as Record<string, unknown>) + (query ? `?${query}` : '');
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = readToken();
  if (token && endpoint.needs !== 'public') headers.authorization = `Bearer ${token}`;
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (options.idempotency_key) headers['idempotency-key'] = options.idempotency_key;
  Object.assign(headers, options.headers);
  // A page that is closing during sign-out may start a request without a token. That request is aborted.
  if (options.signal && endpoint.needs !== 'public' && !headers.authorization)
    throw new DOMException('Not signed in', 'AbortError');
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
    reportNoResponse();
    throw new ApiError(
      0,
      [],
      timeout.aborted
        ? 'The server did not respond in time. Check whether the change was made before you try again.'
        : 'The server cannot be reached. Check your connection and try again.',
    );
  }
  reportResponse(response.status);
  recordServerTime(response, token);
  if (response.ok) return response;
  const isSessionToken = token !== null && headers.authorization === `Bearer ${token}`;
  if (response.status === 401 && isSessionToken && !RENEWING_ENDPOINTS.has(endpoint.id) && (await isRenewed(token)))
    return callResponse(endpoint, input, options);
  throw await toApiError(response, endpoint, headers.authorization);
}

let firstServerTime: string | null = null;
let lastServerTime: string | null = null;
/** The session token to which the recorded times belong. */
let timedToken: string | null = null;
function recordServerTime(response: Response, token: string | null): void {
  if (token !== timedToken) firstServerTime = token !== null && wasRenewed(token) ? lastServerTime : null;
  timedToken = token;
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  lastServerTime = new Date(date).toISOString();
  firstServerTime ??= lastServerTime;
}
/**
 * The server's time in the first response of this session. The live stream starts there, so that it does not miss any
 * later events. After a token renewal, it starts at the last response under the old token.
 */
export function sessionStartTime(): string | null {
  const token = readToken();
  return token !== timedToken && token !== null && wasRenewed(token) ? lastServerTime : firstServerTime;
}

/**
 * Turns a failed response into an ApiError and announces it. `authorization` is the header of the request: errors from
 * a session that this tab has left are not announced. The header is compared only now because an earlier response may
 * have ended the session in the meantime.
 */
export async function toApiError(
  response: Response,
  endpoint?: AnyEndpoint,
  authorization?: string,
): Promise<ApiError> {
  const errors = await response
    .json()
    .then((body: { errors?: WireError[] }) => body.errors ?? [])
    .catch(() => []);
  const error = new ApiError(
    response.status,
    errors,
    `The server responded with status ${response.status}.`,
    response.headers.get('x-request-id'),
  );
  const announcement = toAnnouncement(error, endpoint);
  if (announcement) {
    error.announced = true;
    // Waits for a pending renewal, because it may replace the token.
    if (error.status === 401 && authorization && !RENEWING_ENDPOINTS.has(endpoint?.id ?? ''))
      await isRenewed(authorization.replace(/^Bearer /, ''));
    if (authorization === undefined || authorization === `Bearer ${readToken()}`) announce(announcement);
  }
  return error;
}

/**
 * The announcement for an error that concerns the whole app. A 429 with a different code, such as a blocked sign-in, is
 * handled by its form.
 */
function toAnnouncement(error: ApiError, endpoint: AnyEndpoint | undefined): Announcement | null {
  // Opening a session with a key has its own rate limit page, and assistance shows the error in the composer.
  if (
    error.status === 429 &&
    RATE_LIMIT_PROBLEMS.has(error.name) &&
    !['auth_sessions.open', 'assistance.create'].includes(endpoint?.id ?? '')
  )
    return { kind: 'too_many', error };
  if (endpoint?.needs === 'public') return null;
  if (error.status === 401) return { kind: 'signed_out' };
  if (error.status === 403 && error.name === 'USER_BLOCKED' && !OTHER_COMPANY_ENDPOINTS.has(endpoint?.id ?? ''))
    return { kind: 'blocked', message: error.message };
  return null;
}

/** Signs in. This is the only call that sends a user name and password. */
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
  if (!response.ok) throw await toApiError(response, endpoint);
  return parseResponse<ApiResponse<E>>(await response.text());
}

/** Uploads a file as multipart, with `fields` before it. Progress ranges from 0 to 1. */
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
    // The timer restarts whenever bytes are sent, because a large file may take a long time, but a dead connection is
    // aborted.
    const timeout_ms = endpoint.timeout_ms ?? TIMEOUT_MS;
    let timedOut = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timedOut = true;
        xhr.abort();
      }, timeout_ms);
    };
    const interrupted = () =>
      reject(new ApiError(0, [], 'The upload was interrupted. Check your connection and try again.'));
    xhr.upload.onprogress = (event) => {
      watch();
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    xhr.onloadend = () => clearTimeout(timer);
    xhr.onerror = interrupted;
    xhr.onabort = () => (timedOut ? interrupted() : reject(new DOMException('Canceled', 'AbortError')));
    xhr.onload = () => {
      const response = new Response(xhr.responseText, { status: xhr.status });
      if (response.ok) resolve(parseResponse<ApiResponse<E>>(xhr.responseText));
      else toApiError(response, endpoint, token ? `Bearer ${token}` : undefined).then(reject, reject);
    };
    options.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    if (options.signal?.aborted) return reject(new DOMException('Canceled', 'AbortError'));
    watch();
    xhr.send(form);
  });
}
