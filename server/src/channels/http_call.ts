/**
 * One HTTP request to a carrier. If it fails, the error states whether the carrier may have received it. There are no
 * retries and no redirects. Operators configure the carriers' URLs, so any address can be called. URLs from messages
 * are called with a `lookup` that checks their addresses.
 */
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { type Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { proxyAgents, singleAgent } from '../kernel/http/forward_proxy.ts';

export interface HttpCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string | number>>;
  body?: string | Buffer | Readable;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Thrown when there is no response. `sent` means that the carrier may have received the request. */
export class CallFailed extends Error {
  readonly sent: boolean;
  constructor(sent: boolean, text: string) {
    super(text);
    this.name = 'CallFailed';
    this.sent = sent;
  }
}

export interface Keeper {
  plain: Agent;
  tls: TlsAgent;
  /** Closes all connections, including those in use. */
  destroy(): void;
}

/**
 * The time until an idle connection is closed. Many servers close idle connections after 5 seconds without saying so,
 * and a request on a connection that is just being closed has an unknown outcome.
 */
const IDLE_MS = 4_000;

/** Keeps connections open for later requests, up to a limit. */
export function keepConnections(limit: number): Keeper {
  const options = {
    keepAlive: true,
    maxSockets: limit,
    maxFreeSockets: limit,
    scheduling: 'lifo',
    timeout: IDLE_MS,
  } as const;
  const keeper = proxyAgents(options);
  return {
    ...keeper,
    destroy() {
      keeper.plain.destroy();
      keeper.tls.destroy();
    },
  };
}

export interface CallOptions {
  timeout_ms: number;
  keeper?: Keeper;
  signal?: AbortSignal;
  /** A longer response is treated as a missing response. */
  max_bytes?: number;
  /** Resolves a host to addresses. If it is set, no shared connection is used. */
  lookup?: LookupFunction;
}

const MAX_RESPONSE = 4 * 1024 * 1024;

/** Returns the whole response, regardless of its status. Throws `CallFailed` if there is none. */
export async function callHttp(call: HttpCall, options: CallOptions): Promise<HttpResponse> {
  const { response, end } = await open(call, options);
  try {
    const body = await readAll(response, options.max_bytes ?? MAX_RESPONSE);
    return { status: response.statusCode!, headers: response.headers, body };
  } catch (error) {
    response.destroy();
    throw new CallFailed(true, (error as Error).message);
  } finally {
    end();
  }
}

/** Reads with events, because an iterator costs as much as the rest of the request. */
function readAll(response: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > limit) reject(new Error(`the response is longer than ${limit} bytes`));
      else pieces.push(piece);
    });
    response.once('error', reject);
    response.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)));
    response.once('close', () => reject(new Error('the response was cut off')));
  });
}

/**
 * Returns the response as a stream, for files. The reader closes it. `timeout_ms` limits the time to the first octet,
 * and then each pause between octets.
 */
export async function openHttp(
  call: HttpCall,
  options: CallOptions,
): Promise<{ status: number; headers: IncomingHttpHeaders; stream: IncomingMessage }> {
  const { response, end } = await open(call, options);
  end();
  const silent = () => response.destroy(new Error(`no data for ${options.timeout_ms} ms`));
  response.setTimeout(options.timeout_ms, silent);
  return { status: response.statusCode!, headers: response.headers, stream: response };
}

function open(call: HttpCall, options: CallOptions): Promise<{ response: IncomingMessage; end: () => void }> {
  return new Promise((resolve, reject) => {
    const { promise, signal } = { promise: { resolve, reject }, signal: options.signal };
    const secure = call.url.startsWith('https:');
    const { keeper } = options;
    const { body } = call;
    const length = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : null;
    let sent = false;
    let answer: IncomingMessage | null = null;
    const fail = (text: string) => {
      end();
      promise.reject(new CallFailed(sent, text));
      (answer ?? request).destroy(new Error(text));
    };
    let request: ReturnType<typeof plainRequest>;
    try {
      request = (secure ? tlsRequest : plainRequest)(call.url, {
        method: call.method ?? 'POST',
        headers: { ...(length === null ? {} : { 'content-length': length }), ...call.headers },
        agent: keeper && !options.lookup ? (secure ? keeper.tls : keeper.plain) : singleAgent(secure),
        ...(options.lookup ? { lookup: options.lookup } : {}),
      });
    } catch (error) {
      reject(new CallFailed(false, (error as Error).message));
      return;
    }
    const timer = setTimeout(() => fail(`no response within ${options.timeout_ms} ms`), options.timeout_ms);
    const aborted = () => fail('the call was canceled');
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    };
    if (signal?.aborted) queueMicrotask(aborted);
    else signal?.addEventListener('abort', aborted);
    request.on('socket', (socket) => {
      const connected = () => {
        sent = true;
      };
      // Anything written before the connection is established waits in memory, and is dropped if the connection fails.
      if (socket.connecting || (secure && !request.reusedSocket))
        socket.once(secure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    request.once('error', (error) => {
      end();
      promise.reject(
        new CallFailed(sent, error.message || (error as { code?: string }).code || 'the connection failed'),
      );
    });
    request.once('response', (response) => {
      answer = response;
      promise.resolve({ response, end });
    });
    if (body === undefined || length !== null) request.end(body);
    else {
      const stream = body as Readable;
      stream.once('error', (error) => fail(error.message));
      request.once('close', () => stream.destroy());
      stream.pipe(request);
    }
  });
}
