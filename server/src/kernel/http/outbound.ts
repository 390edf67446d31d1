/**
 * Requests to URLs that customers enter (webhooks, media, and previews). Such a request never reaches a private
 * network. The scheme, the port, and every address of the host are checked, and the connection goes to a checked
 * address, so changing the DNS record between the check and the request has no effect. Through a proxy, the tunnel
 * leads to the checked address. Redirects pass the same checks. Never fetch a customer's URL in any other way.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SecureContextOptions } from 'node:tls';
import type { Config } from '../settings/config.ts';
import { keptAgent, singleAgent } from './forward_proxy.ts';
import { isPublic } from './public_address.ts';

type Refusal = 'address' | 'scheme' | 'port' | 'credentials' | 'name' | 'redirect' | 'timeout' | 'network';

/**
 * The request was refused or got no complete response. `reason` is for programs; the message is for the person who
 * entered the URL.
 */
export class OutboundError extends Error {
  readonly reason: Refusal;
  constructor(reason: Refusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

/** The server had closed a kept connection before the request arrived. */
class StaleConnection extends Error {}
/** A connection that ends later was closed because of the request. */
const STALE_MS = 1_000;

interface GuardedRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
  headers?: Record<string, string>;
  /** A stream is sent once, so it does not survive a redirect. Its `content-length` must be in the headers. */
  body?: string | Uint8Array | Readable;
  /** Time limit for the whole request, including redirects. */
  timeout_ms?: number;
  /** Maximum number of bytes to read. The rest of the response is ignored. */
  max_bytes?: number;
  /** Number of redirects to follow. With 0, the caller gets the 3xx response. */
  redirects?: number;
  signal?: AbortSignal;
  /** A client certificate with its key, and the certificate authorities to trust instead of the public ones. */
  tls?: Pick<SecureContextOptions, 'cert' | 'key' | 'ca'>;
  /**
   * Uses a connection that an earlier request left open, if there is one. The connection went to a checked address.
   * The server may close it at any time, and the request is then sent again. So use it only for a body that is not a
   * stream, and for requests that the server may receive twice.
   */
  keep_alive?: boolean;
  /** Gets each part of a body as it arrives, for responses that are streams. */
  onPart?: (part: Buffer, status: number) => void;
}

export interface GuardedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  truncated: boolean;
  /** The final URL after redirects. */
  url: string;
}

interface Address {
  address: string;
  family: number;
}
export type Lookup = (host: string) => Promise<readonly Address[]>;
export type GuardedFetch = (url: string, init?: GuardedRequest) => Promise<GuardedResponse>;
export interface Outbound {
  fetch: GuardedFetch;
  /** Throws OutboundError if the URL would be refused, so that a form can report the error early. */
  check(url: string): Promise<void>;
  /**
   * Opens a connection for a protocol other than HTTP, with the same rules for addresses, and to these ports only. It
   * does not use the proxy.
   */
  connect(target: GuardedTarget): Promise<Socket>;
  /** Throws OutboundError if `connect` would refuse the target. */
  checkConnect(target: GuardedTarget): Promise<void>;
  /** Checks the URL, and returns a `lookup` that leads to the checked addresses. Throws OutboundError. */
  pin(url: string): Promise<LookupFunction>;
}

interface GuardedTarget {
  host: string;
  port: number;
  /** The allowed ports. Addresses in OUTBOUND_ALLOW_CIDRS can have any port. */
  ports: readonly number[];
  timeout_ms?: number;
  signal?: AbortSignal;
}

type OutboundConfig = Pick<Config, 'OUTBOUND_ALLOW_CIDRS' | 'OUTBOUND_PORTS'>;

interface Target {
  url: URL;
  addresses: readonly Address[];
}

export function createOutbound(
  config: OutboundConfig,
  lookup: Lookup = (host) => systemLookup(host, { all: true, verbatim: true }),
): Outbound {
  const allowed = { 4: new BlockList(), 6: new BlockList() };
  for (const network of config.OUTBOUND_ALLOW_CIDRS) {
    const [address, bits] = network.split('/');
    const family = isIP(address!) as 4 | 6;
    allowed[family].addSubnet(address!, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  const isAllowed = (address: string): boolean => {
    const family = isIP(address);
    return (family === 4 || family === 6) && allowed[family].check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
  const canReach = (address: string): boolean => isAllowed(address) || isPublic(address);

  async function checkTarget(text: string, ports = config.OUTBOUND_PORTS): Promise<Target> {
    const url = parse(text);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const literal = isIP(host);
    const addresses = literal ? [{ address: host, family: literal }] : await resolveHost(host, lookup);
    // A host that resolves to both public and private addresses is an attack or a mistake, so it is refused.
    if (!addresses.every(({ address }) => canReach(address)))
      throw new OutboundError('address', 'The URL points to a private network');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (!ports.includes(port) && !addresses.every(({ address }) => isAllowed(address)))
      throw new OutboundError('port', `Port ${port} is not allowed`);
    return { url, addresses };
  }

  return {
    async check(url) {
      await checkTarget(url);
    },
    async checkConnect({ host, port, ports }) {
      await checkTarget(socketUrl(host, port), ports);
    },
    async connect({ host, port, ports, timeout_ms = 15_000, signal }) {
      const expiry = AbortSignal.timeout(timeout_ms);
      const stop = signal ? AbortSignal.any([expiry, signal]) : expiry;
      const { addresses } = await raceAbort(stop, checkTarget(socketUrl(host, port), ports));
      return openSocket(port, addresses, stop, canReach);
    },
    pin: async (url) => pinnedLookup((await checkTarget(url)).addresses),
    async fetch(url, init = {}) {
      const expiry = AbortSignal.timeout(init.timeout_ms ?? 15_000);
      const signal = init.signal ? AbortSignal.any([expiry, init.signal]) : expiry;
      let request = init;
      let next = url;
      for (let left = init.redirects ?? 0; ; left--) {
        const reached = await raceAbort(signal, checkTarget(next));
        const response = await sendRequest(reached, request, signal, canReach).catch((error) => {
          if (!(error instanceof StaleConnection)) throw error;
          return sendRequest(reached, { ...request, keep_alive: false }, signal, canReach);
        });
        const location = response.headers.location;
        if (
          response.status < 300 ||
          response.status > 399 ||
          typeof location !== 'string' ||
          (init.redirects ?? 0) === 0
        )
          return response;
        if (left <= 0) throw new OutboundError('redirect', 'Too many redirects');
        next = redirectUrl(location, reached.url);
        request = followUp(request, response.status, reached.url, next);
      }
    },
  };
}

/** The URL parser also decodes unusual notations of IP addresses. */
const socketUrl = (host: string, port: number): string => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

function openSocket(
  port: number,
  addresses: readonly Address[],
  signal: AbortSignal,
  canReach: (address: string) => boolean,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host: 'checked.invalid', port, lookup: pinnedLookup(addresses) });
    const stop = () => socket.destroy(timeoutError(signal));
    const fail = (error: Error) => {
      signal.removeEventListener('abort', stop);
      reject(error instanceof OutboundError ? error : new OutboundError('network', 'The connection failed', error));
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      if (!canReach(socket.remoteAddress ?? '')) {
        socket.destroy(new OutboundError('address', 'The host resolves to a private network'));
        return;
      }
      signal.removeEventListener('abort', stop);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function parse(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new OutboundError('scheme', 'The URL is not valid');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('scheme', 'The URL must begin with http:// or https://');
  if (url.username || url.password) throw new OutboundError('credentials', 'The URL must not contain a username');
  return url;
}

async function resolveHost(host: string, lookup: Lookup): Promise<readonly Address[]> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw new OutboundError('name', 'The host name was not found', error);
  });
  if (addresses.length === 0) throw new OutboundError('name', 'The host name was not found');
  return addresses;
}

function redirectUrl(location: string, from: URL): string {
  try {
    return new URL(location, from).href;
  } catch {
    throw new OutboundError('redirect', 'The redirect is not valid');
  }
}

// Follows redirects as browsers do: 307 and 308 repeat the request, all other redirects become GET requests, and
// secrets are not sent to another origin.
function followUp(request: GuardedRequest, status: number, from: URL, to: string): GuardedRequest {
  const next = { ...request, headers: { ...request.headers } };
  if (status !== 307 && status !== 308 && next.method !== 'HEAD') {
    next.method = 'GET';
    delete next.body;
  }
  if (new URL(to).origin !== from.origin) {
    delete next.tls;
    for (const name of Object.keys(next.headers)) {
      if (/^(authorization|cookie|proxy-authorization)$/i.test(name)) delete next.headers[name];
    }
  }
  return next;
}

async function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) throw timeoutError(signal);
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(timeoutError(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const timeoutError = (signal: AbortSignal): OutboundError =>
  new OutboundError('timeout', 'The server did not respond in time', signal.reason);

const pinnedLookup =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all) done(null, [...addresses]);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };

function sendRequest(
  { url, addresses }: Target,
  init: GuardedRequest,
  signal: AbortSignal,
  canReach: (address: string) => boolean,
): Promise<GuardedResponse> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      if (error instanceof OutboundError) reject(error);
      else if (signal.aborted) reject(timeoutError(signal));
      else if (request.reusedSocket && !responded && performance.now() - started < STALE_MS)
        reject(new StaleConnection());
      else reject(new OutboundError('network', connectionFailure(error), error));
    };
    const secure = url.protocol === 'https:';
    let responded = false;
    const started = performance.now();
    const request = (secure ? httpsRequest : httpRequest)(
      url,
      {
        method: init.method ?? 'GET',
        headers: { 'user-agent': 'Parley', 'accept-encoding': 'identity', ...init.headers },
        agent: init.keep_alive ? keptAgent(secure) : singleAgent(secure),
        signal,
        ...(secure ? init.tls : {}),
        // Connects to the checked addresses, even if the name now resolves to different ones.
        lookup: pinnedLookup(addresses),
      },
      (response) => {
        responded = true;
        const { statusCode: status = 0 } = response;
        read(response, init.max_bytes ?? 64 * 1024, (part) => init.onPart?.(part, status)).then(
          ({ body, truncated }) => resolve({ status, headers: response.headers, body, truncated, url: url.href }),
          fail,
        );
      },
    );
    request.on('socket', (socket: Socket) => {
      // A kept connection has been checked when it was opened.
      if (!request.reusedSocket)
        socket.once('connect', () => {
          if (!canReach(socket.remoteAddress ?? ''))
            request.destroy(new OutboundError('address', 'The URL points to a private network'));
        });
    });
    request.on('error', fail);
    // A server may respond before it has received the whole body. The response then states the reason.
    if (init.body instanceof Readable) pipeline(init.body, request).catch((error: Error) => request.destroy(error));
    else request.end(init.body);
  });
}

async function read(
  response: IncomingMessage,
  max_bytes: number,
  onPart: (part: Buffer) => void,
): Promise<{ body: Buffer; truncated: boolean }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    const room = max_bytes - bytes;
    if (part.length > room) {
      parts.push(part.subarray(0, room));
      response.destroy();
      return { body: Buffer.concat(parts), truncated: true };
    }
    parts.push(part);
    bytes += part.length;
    onPart(part);
  }
  return { body: Buffer.concat(parts), truncated: false };
}

/** Why a connection failed, for the person who entered its URL or its certificates. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/CERTIFICATE_REQUIRED/, 'The server demands a client certificate'],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED|HANDSHAKE_FAILURE)/,
    'The server refused the client certificate or the TLS settings',
  ],
  [/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/, 'No trusted authority has signed the certificate of the server'],
  [/ALTNAME_INVALID/, 'The certificate of the server is for another name'],
  [/^(ECONNRESET|EPIPE)$/, 'The server closed the connection'],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the server has expired'],
];

function connectionFailure(error: unknown): string {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection failed';
}
