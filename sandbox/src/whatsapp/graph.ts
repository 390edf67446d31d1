// The Graph API's door on the HTTP port: versions, the token, bodies in the forms clients send them, and which call is whose. Every
// refusal has the Graph API's shape; what the calls do is elsewhere.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { Body } from './body.ts';
import { actOf, type Call } from './calls.ts';
import { GraphError, invalidParameter, noSuchObject } from './graph_error.ts';
import type { Whatsapp } from './whatsapp.ts';

const oldest = 17;
const biggest = 120 * 1024 * 1024;

export function graphRoutes(api: FastifyInstance, whatsapp: Whatsapp): void {
  api.register(
    async (graph) => {
      graph.removeAllContentTypeParsers();
      graph.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: biggest }, (_request, body, done) =>
        done(null, body),
      );
      graph.setErrorHandler((error: Error & { statusCode?: number }, _request, answer) => {
        const known = graphErrorOf(error);
        if (!(error instanceof GraphError) && known.status >= 500) process.stderr.write(`sandbox: ${error.stack}\n`);
        return answer.status(known.status).send(known.toJSON());
      });
      graph.setNotFoundHandler((request) => {
        throw new GraphError(100, `Unknown path components: ${request.url}`);
      });
      graph.get<{ Querystring: Record<string, string> }>('/attachments', (request, answer) => {
        authorize(whatsapp, request);
        const { mid = '', ext = '', hash = '' } = request.query;
        const found = whatsapp.media.download(mid, ext, hash);
        if (!found) return answer.status(404).send({ error: 'The address has expired, or there is no such file' });
        return answer.type(found.record.mime).send(found.bytes);
      });
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const route = (request: FastifyRequest, answer: FastifyReply) => dispatch(whatsapp, method, request, answer);
        graph.route({ method, url: '/:version/:id', bodyLimit: biggest, handler: route });
        graph.route({ method, url: '/:version/:id/:edge', bodyLimit: biggest, handler: route });
      }
    },
    { prefix: '/graph' },
  );
}

async function dispatch(whatsapp: Whatsapp, method: string, request: FastifyRequest, answer: FastifyReply) {
  const { version, id, edge } = request.params as { version: string; id: string; edge?: string };
  const given = /^v(\d+)\.0$/.exec(version);
  if (!given) throw new GraphError(100, `Unknown path components: /${version}`);
  if (Number(given[1]) < oldest)
    throw new GraphError(2635, `${version} is no longer served; the oldest version is v${oldest}.0`);
  authorize(whatsapp, request);
  const query = request.query as Record<string, string>;
  const call: Call = { whatsapp, id, query, input: { ...query, ...readBody(request) }, request, answer };
  const act = actOf(whatsapp, method, id, edge);
  if (!act) throw edge === undefined ? noSuchObject(id) : unsupported(method, id, edge);
  return act(call);
}

const unsupported = (method: string, id: string, edge: string) =>
  invalidParameter(`Unsupported ${method.toLowerCase()} request. Object with ID '${id}' has no '${edge}'`, {
    subcode: 33,
  });

function authorize({ account }: Whatsapp, { headers, query }: FastifyRequest): void {
  const given =
    /^(?:Bearer|OAuth) (\S+)$/i.exec(headers.authorization ?? '')?.[1] ??
    (query as Record<string, string>).access_token;
  if (given === undefined) throw new GraphError(190, 'An access token is required to request this resource.');
  if (given !== account.config.token) {
    throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  }
}

/** JSON, or a form with JSON in its fields; files are read by those who want them. */
function readBody({ body, headers }: FastifyRequest): Body {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(
      [...new URLSearchParams(body.toString())].map(([name, value]) => [name, unfolded(value)]),
    );
  }
  if (!type.startsWith('application/json')) return {};
  try {
    const value = JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw invalidParameter('The body must be a JSON object');
}

function unfolded(value: string): unknown {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function graphErrorOf(error: Error & { statusCode?: number }): GraphError {
  if (error instanceof GraphError) return error;
  if (error instanceof Problem)
    return error.status === 503 ? new GraphError(131016, error.message) : invalidParameter(error.message);
  if (error.statusCode && error.statusCode < 500) return invalidParameter(error.message);
  return new GraphError(131000, 'The sandbox failed; its log says why');
}
