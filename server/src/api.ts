/**
 * The HTTP server of a process: the API endpoints, the live stream, the health checks, the OpenAPI document, the signed
 * files, and the web app.
 */
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ENDPOINTS, EVENTS, namedSchemas } from '@parley/contract/index.ts';
import { streamEvents } from '@parley/contract/live/live.ts';
import { MODULE_TEXTS } from '@parley/contract/module_texts.ts';
import { Problem } from '@parley/contract/problem.ts';
import { listFeed } from '@parley/contract/webhooks/feed.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { gate } from './auth/auth.ts';
import { listFramedPages, panelGate } from './crm/crm.ts';
import { mountDocumentation } from './documentation.ts';
import {
  type Brand,
  brandOrigin,
  brandText,
  DEFAULT_BRAND,
  INSTALLATION,
  readHostBrand,
  requestHost,
} from './kernel/brand/brand.ts';
import { raw, sql } from './kernel/db/db.ts';
import { listMissingMigrations } from './kernel/db/migrate.ts';
import { hasFullDisk } from './kernel/disk.ts';
import { type Methods, methodFinder } from './kernel/http/allowed_methods.ts';
import { implement, implementOutside } from './kernel/http/endpoint.ts';
import { createHttp, mount } from './kernel/http/http.ts';
import { type Audience, openapi } from './kernel/http/openapi/document.ts';
import type { Kernel } from './kernel/kernel.ts';
import { Live } from './kernel/live/live.ts';
import { Streams } from './kernel/live/stream.ts';
import { mountMcp } from './mcp/mcp.ts';
import { assertComplete, DOORS, type Loop, ROUTES } from './modules.ts';
import { loadPage } from './page.ts';
import { Feed } from './webhooks/feed.ts';

const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface Api extends Loop {
  readonly http: FastifyInstance;
  readonly port: number;
}

export async function startApi(kernel: Kernel): Promise<Api> {
  const access = { ...gate(kernel.db), panel: panelGate(kernel) };
  const live = new Live(kernel.db, EVENTS, (error) => kernel.log.error({ err: error }, 'live stream'));
  const streams = new Streams(live, access);
  const feed = new Feed(live, access);
  const routes = [
    ...ROUTES,
    implement(streamEvents, (ctx, { query }) => streams.serve(ctx, query.last_event_time)),
    implementOutside(listFeed, (ctx, { query }) => feed.list(ctx, query)),
  ];
  assertComplete(routes);
  const http = createHttp(kernel);
  let stopping = false;
  const methods: Methods = new Map();
  http.after(() => {
    const limit = mount(http, kernel, access, routes, methods);
    mountMcp(http, kernel, access, limit);
    mountHealth(http, kernel, () => stopping);
    mountFiles(http, kernel);
    for (const mountDoor of DOORS) mountDoor(http, kernel);
    mountDocument(http, kernel, '/v1/openapi.json', 'customer');
    mountDocumentation(http, kernel, () => makeDocument(kernel, 'customer'));
    mountDocument(http, kernel, '/v1/openapi.operator.json', 'operator');
    mountWebApp(http, kernel, methods);
  });
  await live.start();
  await http.listen({ port: kernel.config.PORT, host: kernel.config.HOST });
  const address = http.server.address();
  return {
    http,
    port: typeof address === 'object' && address ? address.port : kernel.config.PORT,
    async stop() {
      stopping = true;
      streams.close();
      feed.stop();
      await http.close();
      await live.stop();
    },
  };
}

const makeDocument = (kernel: Kernel, audience: Audience): object =>
  openapi({ endpoints: ENDPOINTS, schemas: namedSchemas(), modules: MODULE_TEXTS }, audience, kernel.config);

/**
 * The document is made on the first request, because most processes are never asked for it. It has the name and the
 * address of the brand that the host name belongs to.
 */
function mountDocument(http: FastifyInstance, kernel: Kernel, path: string, audience: Audience): void {
  const { db, config } = kernel;
  let text: string | undefined;
  http.get(path, async ({ hostname }, reply) => {
    text ??= JSON.stringify(makeDocument(kernel, audience));
    const brand = await readHostBrand(db, config, requestHost(hostname));
    const name = JSON.stringify(brand.name).slice(1, -1);
    const shown = brandText(text, { name }).replaceAll(config.PUBLIC_URL, () => brandOrigin(config, brand));
    return reply.type('application/json; charset=utf-8').send(shown);
  });
}

function mountHealth(http: FastifyInstance, kernel: Kernel, stopping: () => boolean): void {
  // The process is live if its event loop runs. A supervisor must not restart it because the database is unavailable.
  http.get('/livez', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_, reply) => {
    const problems: string[] = [];
    // The API works while sending is held, so this does not make the process unavailable.
    let sending = 'unknown';
    if (stopping()) problems.push('stopping');
    try {
      const missing = await Promise.race([
        listMissingMigrations((text) => kernel.db.rows<{ name: string }>(raw(text))),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), 500)),
      ]);
      if (missing === null) problems.push('database is slow');
      else if (missing.length > 0) problems.push('migrations are missing');
      sending = (await kernel.db.one<{ state: string }>(sql`select state from database_epoch`)).state;
      if (await hasFullDisk(kernel)) problems.push('disk is full');
    } catch {
      problems.push('database is unavailable');
    }
    return reply
      .code(problems.length ? 503 : 200)
      .send({ status: problems.length ? 'not ready' : 'ok', problems, sending });
  });
}

// A signed link lets anyone who has it read one file until it expires. The headers prevent the file from running as a
// page of this origin.
function mountFiles(http: FastifyInstance, kernel: Kernel): void {
  http.get('/v1/files', async (request, reply) => {
    const link = kernel.storage.verify(request.query as Record<string, unknown>, kernel.clock.now());
    if (!link) throw new Problem('FILE_LINK_EXPIRED');
    const file = await kernel.storage.open(link.key);
    if (!file) throw new Problem('FILE_NOT_FOUND');
    const name = encodeURIComponent(link.filename ?? 'file');
    reply
      .header('content-type', 'application/octet-stream')
      .header('content-length', file.bytes)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`);
    return reply.send(file.stream);
  });
}

function mountWebApp(http: FastifyInstance, kernel: Kernel, methods: Methods): void {
  const findMethods = methodFinder(methods);
  const { config } = kernel;
  const show = loadPage(WEB, config);
  const framed = listFramedPages(kernel);
  let last = DEFAULT_BRAND;
  /** While the database is unavailable, pages have the last brand of the installation that was read. */
  const readBrandFor = async ({ hostname }: FastifyRequest): Promise<Brand> => {
    try {
      const brand = await readHostBrand(kernel.db, config, requestHost(hostname));
      if (brand.account_id === INSTALLATION) last = brand;
      return brand;
    } catch (error) {
      kernel.log.warn({ err: error }, 'the brand of a page could not be read');
      return last;
    }
  };
  if (show) {
    http.register(fastifyStatic, {
      root: WEB,
      index: false,
      // The build writes compressed copies next to each file. These copies are not served under their own names.
      preCompressed: true,
      // Every file has an ending, so a path without one is a page of the app.
      allowedPath: (path) => /\.\w+$/.test(path) && !/\.(br|gz)$/.test(path) && path !== '/index.html',
      setHeaders(reply, path) {
        const isHashed = /[/\\]assets[/\\]/.test(path);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  http.setNotFoundHandler(async (request, reply) => {
    // Programs look for metadata under /.well-known/ and must not get a page.
    const isPage =
      request.method === 'GET' &&
      !/^\/+(v\d+|\.well-known)(?![^/?])/.test(request.url) &&
      !/\.\w+$/.test(request.url.split('?')[0]!);
    if (show && isPage) return show(reply, await readBrandFor(request), framed.get(request.url.split('?')[0]!));
    const supported = findMethods(request.url);
    if (!supported) throw new Problem('ENDPOINT_NOT_FOUND');
    reply.header('allow', supported.join(', '));
    throw new Problem('METHOD_NOT_ALLOWED');
  });
}
