/**
 * The HTTP server: the API, the page, and a single JSON format for all errors. It has no sign-in. To keep out other
 * websites in the same browser, it accepts only this machine's host names and requests from its own page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Google } from '../identity/google.ts';
import { Problem } from '../problem.ts';
import type { Parts } from './parts.ts';
import { addRoutes } from './routes.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export async function openApi(
  parts: Parts,
  port: number,
  host: string,
): Promise<{ port: number; api: FastifyInstance }> {
  const api = fastify({ logger: false, forceCloseConnections: true, bodyLimit: 64 * 1024 });
  const loopback = /^(127\.|localhost$|::1$)/.test(host);

  api.addHook('onRequest', async (request) => {
    if (loopback && !isThisMachine(request.hostname)) {
      throw new Problem(403, 'forbidden', `${request.hostname} is not a name of this machine`);
    }
    if (isForeign(request)) throw new Problem(403, 'forbidden', 'requests from other websites are refused');
  });
  api.setErrorHandler((error: Error & { statusCode?: number }, _request, response) => {
    const problem = error instanceof Problem ? error : toProblem(error);
    if (problem.status === 500) process.stderr.write(`sandbox: ${error.stack}\n`);
    return response.status(problem.status).send(problem.toJSON());
  });
  api.setNotFoundHandler((request, response) =>
    response
      .status(404)
      .send(new Problem(404, 'not_found', `there is no route ${request.method} ${request.url}`).toJSON()),
  );
  // Many clients post an empty body with a JSON content type.
  api.removeContentTypeParser('application/json');
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(new Problem(400, 'malformed', 'the body is not valid JSON'), undefined);
    }
  });

  addRoutes(api, parts);
  addPage(api);
  addGoogle(api, parts.google);
  await api.listen({ port, host });
  const address = api.server.address();
  const openPort = typeof address === 'object' && address ? address.port : port;
  parts.google.open(openPort);
  return { port: openPort, api };
}

/** The sign-in provider reads requests itself, including their bodies. */
function addGoogle(api: FastifyInstance, google: Google): void {
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    for (const url of ['/google', '/google/*']) {
      scope.all(url, (request, response) => {
        response.hijack();
        return google.handle(request.raw, response.raw);
      });
    }
  });
}

function addPage(api: FastifyInstance): void {
  const directory = new URL('../../page/', import.meta.url);
  const fonts = new URL('files/', import.meta.resolve('@fontsource-variable/inter/package.json'));
  for (const [path] of readFileSync(new URL('styles/fonts.css', directory), 'utf8').matchAll(/(?<=\/)[\w-]+\.woff2/g)) {
    const content = readFileSync(new URL(path, fonts));
    api.get(`/fonts/${path}`, (_request, response) =>
      response.header('cache-control', 'max-age=86400').type('font/woff2').send(content),
    );
  }
  for (const name of readdirSync(directory, { encoding: 'utf8', recursive: true })) {
    const type = types[extname(name)];
    if (!type) continue;
    const content = readFileSync(new URL(name, directory));
    api.get(name === 'index.html' ? '/' : `/${name}`, (_request, response) =>
      response
        .header('cache-control', 'no-cache')
        .header(
          'content-security-policy',
          `default-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${
            // Shops on this machine show the card form in a frame.
            name.startsWith('stripe/') ? 'http://localhost:* http://*.localhost:* http://127.0.0.1:*' : "'self'"
          }`,
        )
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send(content),
    );
  }
}

function toProblem(error: Error & { statusCode?: number }): Problem {
  const status = error.statusCode ?? 500;
  if (status >= 500) return new Problem(500, 'internal', 'the sandbox failed; see its log for the reason');
  return new Problem(status, 'malformed', error.message);
}

const isThisMachine = (name: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(name);

function isForeign({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || !headers.origin) return false;
  return headers.origin.replace(/^https?:\/\//, '') !== headers.host;
}
