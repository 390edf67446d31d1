/** Sends calls: authentication, time limits, repetitions, and errors. */
import { ParleyError, type Refusal } from './error.ts';
import { type Api, CALLS, type CallRow } from './generated.ts';

export interface Options {
  /** The API key. Do not use keys in browsers: other people could read them. */
  key?: string;
  /** The token of a session, instead of a key. */
  token?: string;
  /** The address of Parley, without `/v1`. */
  base_url: string;
  /** The header of the key. The default is `X-API-Key`. */
  key_header?: string;
  /** How often a failed call is repeated. The default is 2. */
  retries?: number;
  /** How long a call waits for a response, in milliseconds. The default is 30,000. */
  timeout_ms?: number;
  fetch?: typeof fetch;
}

/** The calls by module: `parley.messages.create({ body: { ... } })`. */
export type Parley = Api;

interface Input {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  idempotency_key?: string;
  signal?: AbortSignal;
}

const NO_RESPONSE = 0;
/** Statuses after which the same call can succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([NO_RESPONSE, 408, 429, 500, 502, 503, 504]);
/** The first call with this idempotency key is still being carried out. */
const KEY_IN_USE = 1010;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;

export function createParley(options: Options): Parley {
  const api: Record<string, Record<string, unknown>> = {};
  for (const [id, row] of Object.entries(CALLS)) {
    const [module = '', verb = ''] = id.split('.');
    api[module] ??= {};
    api[module][verb] = (input: Input = {}) => run(options, row, input);
  }
  return api as unknown as Parley;
}

async function run(options: Options, row: CallRow, input: Input): Promise<unknown> {
  const [method, , kind] = row;
  // A key makes it safe to repeat a call whose response was lost.
  const key = kind.includes('i') ? (input.idempotency_key ?? crypto.randomUUID()) : undefined;
  const canRepeat = method !== 'POST' || key !== undefined;
  for (let left = options.retries ?? 2, wait = FIRST_WAIT_MS; ; left--, wait *= 2) {
    const outcome = await attempt(options, row, input, key);
    if ('value' in outcome) return outcome.value;
    const { error, wait_ms } = outcome;
    // A limited call was not carried out, so any call can be repeated.
    const isTemporary = error.code === KEY_IN_USE || error.status === 429 || (canRepeat && TEMPORARY.has(error.status));
    if (left <= 0 || !isTemporary || input.signal?.aborted) throw error;
    const delay = wait_ms ?? wait * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, Math.min(delay, LONGEST_WAIT_MS)));
  }
}

type Outcome = { value: unknown } | { error: ParleyError; wait_ms: number | null };

async function attempt(options: Options, row: CallRow, input: Input, key: string | undefined): Promise<Outcome> {
  const [, , kind] = row;
  try {
    const response = await send(options, row, input, key);
    if (response.ok) return { value: kind.includes('r') ? response : await readBody(response, kind) };
    const seconds = response.headers.get('retry-after');
    return { error: await readError(response), wait_ms: seconds === null ? null : Number(seconds) * 1_000 };
  } catch (cause) {
    return { error: new ParleyError(NO_RESPONSE, [], 'Parley did not respond', { cause }), wait_ms: null };
  }
}

function send(options: Options, [method, path, kind]: CallRow, input: Input, key: string | undefined) {
  const { base_url, key_header = 'X-API-Key', timeout_ms = 30_000, fetch: request = fetch } = options;
  const { params = {}, query = {}, body, signal } = input;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const form = kind.includes('u');
  const time = AbortSignal.timeout(timeout_ms);
  return request(`${base_url.replace(/\/+$/, '')}${filled}${writeQuery(query)}`, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { [key_header]: options.key }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: form ? writeForm(body) : JSON.stringify({ data: body }) }),
    signal: signal ? AbortSignal.any([signal, time]) : time,
  });
}

/** Lists are separated by commas. */
function writeQuery(query: Record<string, unknown>): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(parts.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The fields come before the file, because the server reads them first. */
function writeForm({ file, ...fields }: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
  if (file instanceof File) form.set('file', file, file.name);
  else if (file instanceof Blob) form.set('file', file);
  return form;
}

async function readBody(response: Response, kind: string): Promise<unknown> {
  if (response.status === 204) return undefined;
  const body = (await response.json()) as { data: unknown };
  return kind.includes('l') ? body : body.data;
}

async function readError(response: Response): Promise<ParleyError> {
  const body = (await response.json().catch(() => null)) as { errors?: Refusal[] } | null;
  const errors = Array.isArray(body?.errors) ? body.errors : [];
  return new ParleyError(response.status, errors, errors[0]?.message ?? `The server responded with ${response.status}`);
}
