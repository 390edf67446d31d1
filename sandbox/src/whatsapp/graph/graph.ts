/**
 * The routes of the Graph API: checks the version and the token, reads bodies in all formats that clients send, and
 * finds the action for a call. Every error has the Graph API's format.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import type { Whatsapp } from '../whatsapp.ts';
import type { Body } from './body.ts';
import { type Call, findAction } from './calls.ts';
import { GraphError, invalidParameter, noSuchObject } from './graph_error.ts';

const minVersion = 17;
const maxBodyBytes = 120 * 1024 * 1024;

export function graphRoutes(api: FastifyInstance, whatsapp: Whatsapp): void {
  api.register(
    async (graph) => {
      graph.removeAllContentTypeParsers();
      graph.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
        done(null, body),
      );
      graph.setErrorHandler((error: Error & { statusCode?: number }, _request, response) => {
        const graphError = toGraphError(error);
        if (!(error instanceof GraphError) && graphError.status >= 500)
          process.stderr.write(`sandbox: ${error.stack}\n`);
        return response.status(graphError.status).send(graphError.toJSON());
      });
      graph.setNotFoundHandler((request) => {
        throw new GraphError(100, `Unknown path components: ${request.url}`);
      });
      graph.get<{ Querystring: Record<string, string> }>('/attachments', (request, response) => {
        authorize(whatsapp, request);
        const { mid = '', ext = '', hash = '' } = request.query;
        const file = whatsapp.media.download(mid, ext, hash);
        if (!file) return response.status(404).send({ error: 'The address has expired or the file does not exist' });
        return response.type(file.record.mime).send(file.bytes);
      });
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const handle = (request: FastifyRequest, response: FastifyReply) =>
          dispatch(whatsapp, method, request, response);
        graph.route({ method, url: '/:version/:id', bodyLimit: maxBodyBytes, handler: handle });
        graph.route({ method, url: '/:version/:id/:edge', bodyLimit: maxBodyBytes, handler: handle });
      }
    },
    { prefix: '/graph' },
  );
}

async function dispatch(whatsapp: Whatsapp, method: string, request: FastifyRequest, response: FastifyReply) {
  const { version, id, edge } = request.params as { version: string; id: string; edge?: string };
  const match = /^v(\d+)\.0$/.exec(version);
  if (!match) throw new GraphError(100, `Unknown path components: /${version}`);
  if (Number(match[1]) < minVersion)
    throw new GraphError(2635, `${version} is no longer served; the oldest version is v${minVersion}.0`);
  authorize(whatsapp, request);
  const query = request.query as Record<string, string>;
  const call: Call = { whatsapp, id, query, input: { ...query, ...readBody(request) }, request, response };
  const action = findAction(whatsapp, method, id, edge);
  if (!action) throw edge === undefined ? noSuchObject(id) : unsupported(method, id, edge);
  return action(call);
}

const unsupported = (method: string, id: string, edge: string) =>
  invalidParameter(`Unsupported ${method.toLowerCase()} request. Object with ID '${id}' has no '${edge}'`, {
    subcode: 33,
  });

function authorize({ account }: Whatsapp, { headers, query }: FastifyRequest): void {
  const token =
    /^(?:Bearer|OAuth) (\S+)$/i.exec(headers.authorization ?? '')?.[1] ??
    (query as Record<string, string>).access_token;
  if (token === undefined) throw new GraphError(190, 'An access token is required to request this resource.');
  if (token !== account.config.token) {
    throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  }
}

/** Reads JSON, or a form whose fields may contain JSON. Calls that take files read them themselves. */
function readBody({ body, headers }: FastifyRequest): Body {
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(
      [...new URLSearchParams(body.toString())].map(([name, value]) => [name, parseField(value)]),
    );
  }
  if (!type.startsWith('application/json')) return {};
  try {
    const value = JSON.parse(body.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw invalidParameter('The body must be a JSON object');
}

function parseField(value: string): unknown {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function toGraphError(error: Error & { statusCode?: number }): GraphError {
  if (error instanceof GraphError) return error;
  if (error instanceof Problem)
    return error.status === 503 ? new GraphError(131016, error.message) : invalidParameter(error.message);
  if (error.statusCode && error.statusCode < 500) return invalidParameter(error.message);
  return new GraphError(131000, 'The sandbox failed. See its log for the reason.');
}
