/**
 * Limits what one client can hold open: connections and running requests per IP address, and running requests per
 * session or API key. Bodies must keep arriving. A client that sends a byte now and then would otherwise occupy a
 * connection, memory, and a file forever.
 */
import { STATUS_CODES } from 'node:http';
import { BlockList, isIPv6, Socket } from 'node:net';
import { Problem, type ProblemName, problemCode } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../settings/config.ts';
import { callerKey } from './network.ts';
import { refusalHeaders } from './security_headers.ts';

/** The time for the URL and the headers. */
export const HEADERS_MS = 15_000;
/** After the grace period, a body must have arrived at least at this rate on average. */
const MIN_BYTES_PER_SECOND = 4_096;
const CHECK_MS = 500;
const RETRY_SECONDS = 5;

type Limits = Pick<
  Config,
  'CONNECTIONS_PER_ADDRESS' | 'PUBLIC_URL' | 'REQUESTS_IN_PROGRESS' | 'SLOW_BODY_SECONDS' | 'TRUST_PROXY'
>;

/** Counts the open connections and requests of each caller. */
function counter(): { enter(name: string, limit: number): (() => void) | null } {
  const open = new Map<string, number>();
  return {
    enter(name, limit) {
      const count = open.get(name) ?? 0;
      if (count >= limit) return null;
      open.set(name, count + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const rest = open.get(name)! - 1;
        if (rest > 0) open.set(name, rest);
        else open.delete(name);
      };
    },
  };
}

export interface RequestSlots {
  /** Counts the request until its response ends. Throws REQUESTS_IN_PROGRESS_EXCEEDED. */
  enter(caller: string, reply: Pick<FastifyReply, 'raw'>): void;
}

export function requestSlots(limit: number): RequestSlots {
  const callers = counter();
  return {
    enter(caller, { raw }) {
      const leave = callers.enter(caller, limit);
      if (!leave) throw new Problem('REQUESTS_IN_PROGRESS_EXCEEDED', { retry_after: RETRY_SECONDS });
      raw.once('close', leave);
    },
  };
}

export function limitConnections(http: FastifyInstance, limits: Limits): void {
  const connections = counter();
  const proxies = trustedProxies(limits.TRUST_PROXY);
  http.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // All clients behind a proxy share its connections. Their requests are limited below.
    if (!address || proxies(address)) return;
    const leave = connections.enter(callerKey(address), limits.CONNECTIONS_PER_ADDRESS);
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
  const requests = requestSlots(limits.CONNECTIONS_PER_ADDRESS);
  const endSlowBody = watchBodies(http, limits);
  http.addHook('onRequest', async (request, reply) => {
    requests.enter(callerKey(request.ip), reply);
    endSlowBody(request, reply);
  });
}

function trustedProxies(list: string | false): (address: string) => boolean {
  const trusted = new BlockList();
  for (const part of list ? list.split(',') : []) {
    const [address = '', bits] = part.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (address) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

interface Arriving {
  request: FastifyRequest;
  reply: FastifyReply;
  bytes_before: number;
  elapsed_ms: number;
}

function watchBodies(
  http: FastifyInstance,
  limits: Pick<Limits, 'PUBLIC_URL' | 'SLOW_BODY_SECONDS'>,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const grace_ms = limits.SLOW_BODY_SECONDS * 1_000;
  const headers = refusalHeaders(limits);
  const arriving = new Set<Arriving>();
  const check = () => {
    for (const body of arriving) {
      const { raw } = body.request;
      // A request without a socket has lost its connection.
      if (raw.complete || !raw.socket || raw.socket.destroyed) arriving.delete(body);
      // Bytes that this process has not taken yet are not the client's delay.
      else if (raw.readableLength === 0) {
        body.elapsed_ms += CHECK_MS;
        const required = ((body.elapsed_ms - grace_ms) / 1_000) * MIN_BYTES_PER_SECOND;
        if (body.elapsed_ms < grace_ms || raw.socket.bytesRead - body.bytes_before >= required) continue;
        arriving.delete(body);
        if (body.reply.raw.headersSent) raw.socket.destroy();
        else refuseConnection(raw.socket, 'REQUEST_TIMEOUT', headers);
      }
    }
  };
  const timer = setInterval(check, CHECK_MS).unref();
  http.addHook('onClose', async () => clearInterval(timer));
  return (request, reply) => {
    const { raw } = request;
    // Requests from inside the process, such as the calls of agents, have no connection.
    if (!(raw.socket instanceof Socket)) return;
    const length = raw.headers['content-length'];
    if (raw.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return;
    arriving.add({ request, reply, bytes_before: raw.socket.bytesRead, elapsed_ms: 0 });
  };
}

/** Sends an error in the usual format outside the framework, with the given headers, and closes the connection. */
export function refuseConnection(socket: Socket, name: ProblemName, headers: Readonly<Record<string, string>>): void {
  const { status, message } = new Problem(name);
  const body = JSON.stringify({ errors: [{ code: problemCode(name), message }] });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      Object.entries(headers)
        .map(([header, value]) => `${header}: ${value}\r\n`)
        .join('') +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
