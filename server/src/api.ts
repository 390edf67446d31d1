/** The HTTP side of a process: the spine mounted, the live stream, health, the OpenAPI document, signed files and the web app. */
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ENDPOINTS, EVENTS } from '@parley/contract/index.ts';
import { streamEvents } from '@parley/contract/live/live.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance } from 'fastify';
import { gate } from './auth/auth.ts';
import { sql } from './kernel/db/db.ts';
import { missingMigrations } from './kernel/db/migrate.ts';
import { implement } from './kernel/http/endpoint.ts';
import { createHttp, mount } from './kernel/http/http.ts';
import { openapi } from './kernel/http/openapi.ts';
import type { Kernel } from './kernel/kernel.ts';
import { Live } from './kernel/live/live.ts';
import { Streams } from './kernel/live/stream.ts';
import { DOORS, demandComplete, type Loop, ROUTES } from './modules.ts';
import { pageOf } from './page.ts';

const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface Api extends Loop {
  readonly http: FastifyInstance;
  readonly port: number;
}

export async function startApi(kernel: Kernel): Promise<Api> {
  const door = gate(kernel.db);
  const live = new Live(kernel.db, EVENTS, (error) => kernel.log.error({ err: error }, 'live stream'));
  const streams = new Streams(live, door);
  const routes = [...ROUTES, implement(streamEvents, (ctx, { query }) => streams.serve(ctx, query.last_event_time))];
  demandComplete(routes);
  const http = createHttp(kernel);
  let stopping = false;
  http.after(() => {
    mount(http, kernel, door, routes);
    health(http, kernel, () => stopping);
    files(http, kernel);
    for (const open of DOORS) open(http, kernel);
    const document = openapi(ENDPOINTS, kernel.config.API_KEY_HEADERS);
    http.get('/v1/openapi.json', async () => document);
    app(http);
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
      await http.close();
      await live.stop();
    },
  };
}

function health(http: FastifyInstance, kernel: Kernel, stopping: () => boolean): void {
  // Alive means the event loop turns: a database that is away must not make a supervisor restart everything.
  http.get('/livez', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_, reply) => {
    const problems: string[] = [];
    if (stopping()) problems.push('stopping');
    try {
      const answer = await Promise.race([
        missingMigrations((text) => kernel.db.rows<{ name: string }>({ strings: [text], values: [] })),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), 500)),
      ]);
      if (answer === null) problems.push('database is slow');
      else if (answer.length > 0) problems.push('migrations are missing');
      await kernel.db.run(sql`select 1`);
    } catch {
      problems.push('database is away');
    }
    return reply.code(problems.length ? 503 : 200).send({ status: problems.length ? 'not ready' : 'ok', problems });
  });
}

// Signed links: whoever holds one may read that file until it expires. Nothing in them runs in our origin.
function files(http: FastifyInstance, kernel: Kernel): void {
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

function app(http: FastifyInstance): void {
  const show = pageOf(WEB);
  if (show) {
    http.register(fastifyStatic, {
      root: WEB,
      wildcard: false,
      index: false,
      // The build leaves a compressed twin beside each file; asked for by its own name it is not there.
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
      setHeaders(reply, path) {
        const hashed = /[/\\]assets[/\\]/.test(path);
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  http.setNotFoundHandler(async (request, reply) => {
    const page =
      request.method === 'GET' && !request.url.startsWith('/v1') && !/\.\w+$/.test(request.url.split('?')[0]!);
    if (show && page) return show(reply);
    throw new Problem('ENDPOINT_NOT_FOUND');
  });
}
