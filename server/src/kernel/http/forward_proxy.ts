/**
 * Sends requests through the forward proxy (HTTPS_PROXY, HTTP_PROXY, and NO_PROXY). Both http and https use a tunnel
 * (CONNECT), so the proxy never determines the destination. If a request has its own `lookup`, the tunnel leads to the
 * address that the lookup returned, because the caller has checked that address. Requests to this machine always
 * bypass the proxy.
 */
import { Agent, type AgentOptions, type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { BlockList, isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Config } from '../settings/config.ts';

type ProxySettings = Pick<Config, 'HTTPS_PROXY' | 'HTTP_PROXY' | 'NO_PROXY'>;

const CONNECT_MS = 10_000;
const NONE: ProxySettings = { HTTPS_PROXY: null, HTTP_PROXY: null, NO_PROXY: [] };
const LOOPBACK = ['localhost', '127.0.0.0/8', '::1/128'];

/** The process's settings. All of its requests use the same proxy. */
let settings = NONE;
let isExempt: (host: string, port: number) => boolean = () => false;

export function useForwardProxy(next: ProxySettings = NONE): void {
  settings = next;
  isExempt = matchExemptions([...LOOPBACK, ...next.NO_PROXY]);
}

/** Networks match only hosts that are IP addresses. A name matches itself and the names below it. */
function matchExemptions(entries: readonly string[]): (host: string, port: number) => boolean {
  const networks = { 4: new BlockList(), 6: new BlockList() };
  const names: { name: string; port: number | null }[] = [];
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 4 || family === 6)
      networks[family].addSubnet(address, Number(bits ?? (family === 4 ? 32 : 128)), family === 4 ? 'ipv4' : 'ipv6');
    else {
      const [, name = '', at] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      names.push({ name: entry === '*' ? '*' : name, port: at ? Number(at) : null });
    }
  }
  return (host, port) => {
    const family = isIP(host);
    if (family === 4 || family === 6) return networks[family].check(host, family === 4 ? 'ipv4' : 'ipv6');
    const name = host.toLowerCase();
    return names.some(
      (entry) =>
        (entry.port === null || entry.port === port) &&
        (entry.name === '*' || name === entry.name || name.endsWith(`.${entry.name}`)),
    );
  };
}

/** Returns the proxy for a host, or null if requests to it bypass the proxy. */
function findProxy(secure: boolean, host: string, port: number): URL | null {
  const proxy = secure ? settings.HTTPS_PROXY : settings.HTTP_PROXY;
  return proxy === null || settings.NO_PROXY.includes('*') || isExempt(host, port) ? null : new URL(proxy);
}

interface Target {
  host?: string | null;
  port?: number | string | null;
  lookup?: LookupFunction;
}
type Done = (error: Error | null, socket?: Socket) => void;

/** Opens the connection for an agent: directly, or through a tunnel. */
function connect(
  secure: boolean,
  target: Target,
  direct: () => Socket,
  done: Done,
  finish: (tunnel: Socket) => Socket,
) {
  const host = (target.host ?? 'localhost').replace(/^\[(.*)\]$/, '$1');
  const port = Number(target.port ?? (secure ? 443 : 80));
  const proxy = findProxy(secure, host, port);
  if (!proxy) return direct();
  connectTunnel(proxy, host, port, target.lookup).then(
    (tunnel) => {
      try {
        done(null, tunnel ? finish(tunnel) : direct());
      } catch (error) {
        done(error as Error);
      }
    },
    (error: Error) => done(error),
  );
  return undefined;
}

/** Returns null if requests to an address of the host bypass the proxy. */
async function connectTunnel(proxy: URL, host: string, port: number, lookup?: LookupFunction): Promise<Socket | null> {
  const hosts = lookup && !isIP(host) ? await resolveHost(lookup, host) : [host];
  if (hosts.some((address) => isIP(address) && isExempt(address, port))) return null;
  let failure: unknown;
  for (const address of hosts) {
    try {
      return await openTunnel(proxy, address, port);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const resolveHost = (lookup: LookupFunction, host: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve([addresses].flat().map((entry) => (typeof entry === 'string' ? entry : entry.address)));
    });
  });

function openTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(username ? { 'proxy-authorization': `Basic ${credentials}` } : {}) },
      agent: false,
    });
    const timer = setTimeout(() => request.destroy(new Error('the proxy does not respond')), CONNECT_MS);
    request.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`proxy ${proxy.host}: ${error.message}`, { cause: error }));
    });
    request.once('connect', (response, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`proxy ${proxy.host} refused the connection to ${authority} (HTTP ${response.statusCode})`));
    });
    // Some proxies send an ordinary response instead of opening a tunnel.
    request.once('response', (response) => {
      response.resume();
      request.destroy(new Error(`HTTP ${response.statusCode}`));
    });
    request.end();
  });
}

type Create = (options: object, done?: Done) => Socket;
const superCreate = (agent: Agent): Create => (agent as unknown as { createConnection: Create }).createConnection;

/** Agents that open connections through the proxy, if there is one. */
export function proxyAgents(options: AgentOptions = {}): { plain: Agent; tls: TlsAgent } {
  const plain = new Agent(options);
  const tls = new TlsAgent(options);
  for (const [agent, secure] of [
    [plain, false],
    [tls, true],
  ] as const) {
    const create = superCreate(agent).bind(agent);
    const through = (target: Target, done: Done) =>
      connect(
        secure,
        target,
        () => create(target),
        done,
        (tunnel) => (secure ? create({ ...target, socket: tunnel }) : tunnel),
      );
    Object.assign(agent, { createConnection: through });
  }
  return { plain, tls };
}

/** Agents for single requests, which do not keep connections alive. */
const single = proxyAgents({ keepAlive: false });
export const singleAgent = (secure: boolean): Agent => (secure ? single.tls : single.plain);

/** Agents that keep idle connections for a few seconds, less than most servers do. */
const kept = proxyAgents({ keepAlive: true, maxFreeSockets: 20, timeout: 4_000 });
export const keptAgent = (secure: boolean): Agent => (secure ? kept.tls : kept.plain);

type Fetched = Pick<RequestInit, 'method' | 'headers' | 'signal'> & { body?: unknown };

/** Like `fetch`, but with the proxy. Does not follow redirects. The request body must be text. */
export async function fetchThroughProxy(address: string | URL, init: Fetched = {}): Promise<Response> {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const body = init.body === undefined || init.body === null ? undefined : String(init.body);
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (secure ? requestHttps : requestHttp)(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers ?? {})),
      agent: singleAgent(secure),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const status = response.statusCode!;
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers))
        for (const each of [value ?? []].flat()) headers.append(name, each);
      const hasBody = status >= 200 && ![204, 205, 304].includes(status);
      if (!hasBody) response.resume();
      resolve(
        new Response(hasBody ? (Readable.toWeb(response) as ReadableStream<Uint8Array>) : null, { status, headers }),
      );
    });
    request.end(body);
  });
}

useForwardProxy();
