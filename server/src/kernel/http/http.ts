/**
 * The HTTP server: reads requests, writes responses and errors, and applies limits. It does not depend on any module.
 */

import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import { type AnyEndpoint, queryString } from '@parley/contract/endpoint.ts';
import { Problem, problemCode, type WireError } from '@parley/contract/problem.ts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { requestHost } from '../brand/brand.ts';
import { newId } from '../clock.ts';
import type { Paged } from '../db/list.ts';
import { noteFullDisk } from '../disk.ts';
import type { Kernel } from '../kernel.ts';
import { metrics } from '../metrics.ts';
import { type Actor, type Gate, RefusedKey, requireAccess } from '../security/auth.ts';
import { listAmbiguous, type Methods } from './allowed_methods.ts';
import { authenticate, requireAudience } from './authenticate.ts';
import { decodeBodies } from './body_encoding.ts';
import { HEADERS_MS, limitConnections, refuseConnection, requestSlots } from './connections.ts';
import { execute, type Implementation } from './endpoint.ts';
import { proxyWatch } from './proxy.ts';
import { announceRate, type RateLimiter, rateLimiter } from './rate.ts';
import { keepRefusal } from './refusals.ts';
import { type LoggedRequest, startRequestLog } from './request_log/request_log.ts';
import { browserHeaders, refusalHeaders, strictTransport, transportSecurity } from './security_headers.ts';
import { readUpload, type Upload } from './upload.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No browser reads the responses, so they have no headers for browsers. */
    for_programs?: boolean;
  }
}

const ANONYMOUS: Actor = {
  kind: 'user',
  account_id: '00000000-0000-0000-0000-000000000000',
  user_id: null,
  real_user_id: null,
  session_id: null,
  key_id: null,
  permissions: {},
  operator: false,
  verified: false,
  pending: null,
  trial_expired: false,
};

/** Maximum size of the URL and headers together. */
const MAX_HEAD_BYTES = 16_384;

const durations = metrics.histogram('http_server_request_duration_seconds', 'Duration of HTTP requests', [
  'method',
  'route',
  'status',
]);

export function createHttp(kernel: Kernel): FastifyInstance {
  const http = fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: 1024 * 1024,
    trustProxy: kernel.config.TRUST_PROXY,
    forceCloseConnections: 'idle',
    routerOptions: {
      // Longer than any valid URL, so that the endpoint itself refuses a parameter that is too long.
      maxParamLength: MAX_HEAD_BYTES,
      querystringParser: readQuery,
      // Clients join base URLs and paths with one slash too many, or end URLs with one.
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
    http: { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000 },
    frameworkErrors: (error, request, reply) => sendError(kernel, error, request, reply),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, refusalHeaders(kernel.config)),
  });
  limitConnections(http, kernel.config);
  decodeBodies(http);
  http.removeContentTypeParser('text/plain');
  // Many clients send a content type on every call, even without a body. `readBody` checks whether a body is required.
  const readJson = http.getDefaultJsonParser('error', 'error');
  http.removeContentTypeParser('application/json');
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, undefined) : readJson(request, text, done),
  );
  http.register(multipart);
  const headers = browserHeaders(kernel.config);
  http.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.for_programs) reply.headers(headers);
    done();
  });
  if (transportSecurity(kernel.config))
    http.addHook('onSend', async (request, reply) => {
      const secure = strictTransport(kernel.config, requestHost(request.hostname));
      if (secure) reply.header('strict-transport-security', secure);
    });
  const watchProxy = proxyWatch(kernel.log, kernel.config);
  http.addHook('onRequest', async (request, reply) => {
    watchProxy(request);
    reply.header('x-request-id', request.id);
  });
  http.addHook('onResponse', async (request, reply) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? '', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    const { actor } = request as LoggedRequest;
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    kernel.log[level](
      {
        req_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account_id: actor?.account_id,
        user_id: actor?.user_id,
      },
      'request',
    );
  });
  http.setErrorHandler((error, request, reply) => {
    keepRefusal(kernel, error, request);
    if (error instanceof RefusedKey) (request as LoggedRequest).refused_key = error;
    return sendError(kernel, error, request, reply);
  });
  closeOnShutdown(http);
  return http;
}

/**
 * Sends an error in the usual format for a request that is not valid HTTP. The connection is then closed, because the
 * start of the next request is unknown.
 */
function refuseUnreadable(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  headers: ReturnType<typeof refusalHeaders>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (error.code === 'HPE_HEADER_OVERFLOW')
    refuseConnection(socket, isLongLine(error.rawPacket) ? 'URL_TOO_LONG' : 'REQUEST_TOO_LARGE', headers);
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseConnection(socket, 'REQUEST_TIMEOUT', headers);
  else refuseConnection(socket, 'REQUEST_INVALID', headers);
}

/** True if the URL, and not the headers, takes most of the space. */
function isLongLine(packet: unknown): boolean {
  const end = Buffer.isBuffer(packet) ? packet.indexOf('\r\n') : 0;
  return end < 0 || end > MAX_HEAD_BYTES / 2;
}

/**
 * Lets a shutdown wait for running requests and for nothing else. Node closes the connections that are idle at that
 * moment. This function closes the rest: connections that never carried a request (browsers open them in advance, and
 * some arrive a moment late), and connections whose response was still running, which Node would keep open for more
 * than a minute.
 */
function closeOnShutdown(http: FastifyInstance): void {
  const unused = new Set<Socket>();
  let stopping = false;
  http.server.on('connection', (socket: Socket) => {
    if (stopping) return socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  http.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    response.once('finish', () => {
      if (stopping) socket.destroySoon();
    });
  });
  http.addHook('preClose', async () => {
    stopping = true;
    for (const socket of unused) socket.destroy();
  });
}

/** Returns the rate limiter of the endpoints. `methods` receives the methods of each path. */
export function mount(
  http: FastifyInstance,
  kernel: Kernel,
  gate: Gate,
  implementations: readonly Implementation[],
  methods: Methods,
): RateLimiter {
  const limit = rateLimiter(kernel.config.REQUESTS_PER_SECOND);
  const running = requestSlots(kernel.config.REQUESTS_IN_PROGRESS);
  startRequestLog(http, kernel, gate, limit);
  for (const implementation of implementations) {
    const { endpoint } = implementation;
    const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
    methods.set(url, (methods.get(url) ?? new Set()).add(endpoint.method));
    http.route({
      method: endpoint.method,
      url,
      exposeHeadRoute: false,
      config: { endpoint, keeps_refusals: endpoint.keeps_refusals ?? false },
      // The caller is counted before the body is read, so that refused calls count too and announce the limit.
      onRequest: async (request, reply) => {
        const actor =
          endpoint.needs === 'public' ? ANONYMOUS : await authenticate(kernel, gate, request, endpoint, limit);
        (request as LoggedRequest).actor = actor;
        limit.consume(actor, request, reply);
        requireAudience(actor, endpoint);
      },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const actor = (request as LoggedRequest).actor!;
        // Live streams stay open and have their own limit.
        const caller = endpoint.raw === 'text/event-stream' ? null : (actor.key_id ?? actor.session_id);
        if (caller) running.enter(caller, reply);
        // Checked before the body is read, so that callers without permission cannot fill the storage.
        requireAccess(actor, endpoint);
        const { upload, body } = await readBody(kernel, endpoint, request);
        const { status, response } = await execute(
          kernel,
          implementation,
          { endpoint, params: request.params, query: request.query, body, idempotency_key: idempotencyKey(request) },
          { actor, request_id: request.id, address: request.ip, headers: request.headers, upload, reply },
        ).catch(async (error: unknown) => {
          if (upload) await kernel.storage.remove(upload.key);
          throw error;
        });
        if (endpoint.raw) return reply;
        if (status === 204) return reply.code(204).send();
        const answer = endpoint.list ? withLinks(request, response as Paged<unknown>) : response;
        (request as LoggedRequest).answer = answer;
        return reply.code(status).send(answer);
      },
    });
  }
  for (const { url, method, supported } of listAmbiguous(methods)) {
    http.route({
      method,
      url,
      exposeHeadRoute: false,
      handler: async (_, reply) => {
        reply.header('allow', supported.join(', '));
        throw new Problem('METHOD_NOT_ALLOWED');
      },
    });
  }
  return limit;
}

async function readBody(
  kernel: Kernel,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
): Promise<{ upload: Upload | null; body: unknown }> {
  if (endpoint.upload) return readUpload(kernel, request, endpoint.upload.max_bytes);
  const body = request.body as { data?: unknown } | null | undefined;
  const isWrapped = body !== null && typeof body === 'object' && body.data !== undefined && body.data !== null;
  // An endpoint without a body accepts an empty body. `execute` rejects its fields.
  if (!endpoint.body) return { upload: null, body: isWrapped ? body.data : (body ?? undefined) };
  if (!isWrapped) {
    // If all of an endpoint's fields are optional, it accepts a request without a body.
    if (body === undefined && endpoint.body.safeParse({}).success) return { upload: null, body: {} };
    throw new Problem(endpoint.empty ?? 'REQUEST_DATA_REQUIRED');
  }
  refuseBeside(body);
  if (endpoint.empty && isEmpty(body.data)) throw new Problem(endpoint.empty);
  return { upload: null, body: body.data };
}

/** Rejects fields next to `data`, which would otherwise be dropped silently. */
function refuseBeside(body: object): void {
  const [field] = Object.keys(body).filter((name) => name !== 'data');
  if (field !== undefined)
    throw new Problem('VALUE_INVALID', { field, message: `Unknown field next to data: ${field}` });
}

const isEmpty = (data: unknown): boolean =>
  data === null || (typeof data === 'object' && !Array.isArray(data) && Object.keys(data).length === 0);

const idempotencyKey = (request: FastifyRequest): string | undefined => {
  const value = request.headers['idempotency-key'];
  return typeof value === 'string' ? value : undefined;
};

/** `filter[name]=x` becomes `{filter: {name: x}}`. The values of a repeated name become a comma-separated list. */
function readQuery(text: string): Record<string, unknown> {
  // Has no prototype, so that a parameter can have any name.
  const query: Record<string, unknown> = Object.create(null);
  const filter: Record<string, string> = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const name = /^filter\[(\w{1,40})\](?:\[\d{0,3}\])?$/.exec(key)?.[1];
    if (name) filter[name] = name in filter ? `${filter[name]},${value}` : value;
    else query[key] = value;
  }
  if (Object.keys(filter).length > 0) query.filter = filter;
  return query;
}

// Old clients expect the token after another parameter, so it never comes first.
function withLinks(request: FastifyRequest, { data, pagination, ...beside }: Paged<unknown>): unknown {
  const path = request.url
    .split('?')[0]!
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const query = { ...(request.query as Record<string, unknown>) };
  delete query.page_token;
  delete query.page;
  delete query.page_size;
  const link = (more: Record<string, unknown>) =>
    `${path}?${queryString({ page_size: pagination.size, ...query, ...more })}`;
  const { next, ...numbers } = pagination;
  return {
    data,
    pagination: {
      ...numbers,
      links: {
        first: link({ page: 1 }),
        current: link({ page: pagination.number }),
        previous: pagination.number > 1 ? link({ page: pagination.number - 1 }) : null,
        next: next ? link({ page_token: next }) : null,
      },
    },
    ...beside,
  };
}

/**
 * Codes of a database that rejects or closes connections or recovers, for example during a failover:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const DATABASE_AWAY = /^(08\d\d\d|57P0[1-5]|53300|25006|ECONNREFUSED)$/;
/** Messages of node-postgres errors that have no code. */
const CONNECTION_LOST = /^Connection terminated|^timeout exceeded when trying to connect$/;
/** The code of a statement that reached its time limit on the server, and the message of the limit of node-postgres. */
const TIMED_OUT = { code: '57014', message: 'Query read timeout' };
const RETRY_SECONDS = { full: 30, away: 5, slow: 5 };

function toProblem(kernel: Kernel, error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { message: internal } = error as Error;
  if (noteFullDisk(kernel, error)) return new Problem('DISK_FULL', { retry_after: RETRY_SECONDS.full, internal });
  if (DATABASE_AWAY.test((error as { code?: string }).code ?? '') || CONNECTION_LOST.test(internal))
    return new Problem('DATABASE_UNAVAILABLE', { retry_after: RETRY_SECONDS.away, internal });
  if ((error as { code?: string }).code === TIMED_OUT.code || internal === TIMED_OUT.message)
    return new Problem('QUERY_TIMEOUT', { retry_after: RETRY_SECONDS.slow, internal });
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('REQUEST_TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('CONTENT_TYPE_NOT_SUPPORTED');
  // The client or the time limit ended the connection. The text reaches only the log.
  if (code === 'ECONNRESET') return new Problem('REQUEST_TIMEOUT');
  if (statusCode === 400) return new Problem('REQUEST_INVALID');
  return null;
}

function sendError(kernel: Kernel, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(kernel, error);
  if (!problem) kernel.log.error({ err: error, req_id: request.id, route: request.routeOptions.url }, 'request failed');
  else if (problem.status >= 500)
    kernel.log.warn({ problem: problem.name, req_id: request.id, route: request.routeOptions.url }, problem.internal);
  const sent = problem ?? new Problem('INTERNAL_ERROR');
  const first = { code: sent.name, message: sent.message, ...(sent.field ? { field: sent.field } : {}) };
  const errors: WireError[] = [first, ...sent.others].map((detail) => ({
    timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
    path: request.url.split('?')[0]!,
    method: request.method,
    status: sent.status,
    code: problemCode(detail.code),
    message: detail.message ?? '',
    ...(detail.field ? { field: detail.field } : {}),
    request_id: request.id,
  }));
  if (sent.status === 401) reply.header('www-authenticate', 'Bearer');
  if (sent.retry_after !== undefined) {
    reply.header('retry-after', String(sent.retry_after));
    // Another limit refused the request, so its wait replaces the one of the rate limit.
    if (sent.status === 429 && reply.hasHeader('ratelimit-limit'))
      announceRate(reply, { left: 0, seconds: sent.retry_after });
  }
  reply.header('cache-control', 'no-store');
  (request as LoggedRequest).answer = { errors };
  reply.code(sent.status).send({ errors });
}
