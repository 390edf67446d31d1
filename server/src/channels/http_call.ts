/**
 * One HTTP request to a carrier. When it fails, the error says whether the carrier may have received it. There are no
 * retries and no redirects. Operators configure where carriers are, so any address can be called; addresses from
 * messages are called with a `lookup` that checks them.
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';

export interface HttpCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string | number>>;
  body?: string | Buffer | Readable;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** No response. `sent`: the carrier may have received the request. */
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
  /** Closes all connections, those in use included. */
  destroy(): void;
}

/** Keeps connections open for the next requests, up to a limit. */
export function keepConnections(most: number): Keeper {
  const options = {
    keepAlive: true,
    maxSockets: most,
    maxFreeSockets: Math.min(most, 32),
    scheduling: 'lifo',
  } as const;
  const keeper = { plain: new Agent(options), tls: new TlsAgent(options) };
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
  /** A longer response counts as no response. */
  max_bytes?: number;
  /** Resolves a host to addresses. With it, no shared connection is used. */
  lookup?: LookupFunction;
}

const MAX_ANSWER = 4 * 1024 * 1024;

/** Returns the whole response, whatever its status. Throws `CallFailed` when there is none. */
export async function callHttp(call: HttpCall, options: CallOptions): Promise<HttpAnswer> {
  const { response, end } = await open(call, options);
  const most = options.max_bytes ?? MAX_ANSWER;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > most) throw new Error(`the answer is longer than ${most} bytes`);
      pieces.push(piece);
    }
    if (!response.complete) throw new Error('the answer was cut off');
  } catch (error) {
    response.destroy();
    throw new CallFailed(true, (error as Error).message);
  } finally {
    end();
  }
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) };
}

/**
 * Returns the response as a stream, for files; the reader closes it. `timeout_ms` limits the time to the first octet,
 * and then each pause.
 */
export async function openHttp(
  call: HttpCall,
  options: CallOptions,
): Promise<{ status: number; headers: IncomingHttpHeaders; stream: IncomingMessage }> {
  const { response, end } = await open(call, options);
  end();
  const silent = () => response.destroy(new Error(`nothing came for ${options.timeout_ms} ms`));
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
        ...(keeper ? { agent: secure ? keeper.tls : keeper.plain } : {}),
        ...(options.lookup ? { agent: false, lookup: options.lookup } : {}),
      });
    } catch (error) {
      reject(new CallFailed(false, (error as Error).message));
      return;
    }
    const timer = setTimeout(() => fail(`no answer within ${options.timeout_ms} ms`), options.timeout_ms);
    const aborted = () => fail('given up');
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
      // What is written earlier waits in memory, and is dropped when the connection fails.
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
