/**
 * Where carriers call back over HTTP: `/callbacks/{connection}`. Outside the spine, since nobody of ours calls it: the body is read as it came, the
 * adapter checks who it is from and says what it means, and all of it is written down before the carrier hears "taken". A carrier that hears anything
 * else calls again, and what came twice changes nothing. Strangers are slowed down before they cost anything.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Callback } from '../channels/channel.ts';
import { type OpenConnection, openConnection } from '../connections/connections.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { metrics } from '../kernel/metrics.ts';
import { InboundIntake } from './inbound.ts';
import { takeNotices } from './notices.ts';
import { gatherReports } from './reports.ts';

const MOST_BYTES = 3 * 1024 * 1024;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const callbacksTotal = metrics.counter('carrier_callbacks_total', 'Callbacks of carriers', ['status']);

type Request = FastifyRequest<{ Params: { id: string } }>;

export function callbackDoor(http: FastifyInstance, kernel: Kernel): void {
  const reports = gatherReports(kernel.db);
  const inbound = new InboundIntake(kernel);
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  const take = async (connection: OpenConnection, { reports: told, incoming, notices }: Callback): Promise<void> => {
    const { id, name, channel, adapter, spec } = connection;
    const row = { id, name, channel, adapter: adapter.name, settings: spec.settings };
    const stored = [
      ...told.map((report) => reports.add({ connection_id: id, report })),
      ...incoming.map((one) => inbound.take(row, one)),
    ];
    if (notices.length > 0) stored.push(kernel.db.tx((tx) => takeNotices(tx, id, notices)));
    // All of them are waited for: an answer while some are under way would be a promise nobody can keep.
    const failed = (await Promise.allSettled(stored)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  };
  const answer = async (request: Request, reply: FastifyReply) => {
    const { id } = request.params;
    const connection = UUID.test(id) ? await openConnection(kernel, kernel.db, id) : null;
    if (!connection?.adapter.callbacks) {
      limit.refused(request.ip);
      throw new Problem('CONNECTION_NOT_FOUND');
    }
    const callback = connection.adapter.callbacks.read(connection.spec, {
      method: request.method === 'GET' ? 'GET' : 'POST',
      query: texts(request.query),
      headers: texts(request.headers),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
    callbacksTotal.inc({ status: String(callback.status) });
    if (callback.status < 300) await take(connection, callback);
    else {
      limit.refused(request.ip);
      kernel.log.warn({ connection: connection.name, status: callback.status }, 'a callback was refused');
    }
    return reply
      .code(callback.status)
      .header('content-type', 'text/plain; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(callback.body);
  };
  http.register(async (scope) => {
    // Before the body is read, the connection looked up and its secret opened.
    scope.addHook('onRequest', async ({ ip }) => limit.demand(ip));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body));
    scope.addHook('onClose', async () => {
      await reports.idle();
      await inbound.idle();
    });
    scope.get('/callbacks/:id', answer);
    scope.post('/callbacks/:id', { bodyLimit: MOST_BYTES }, answer);
  });
}

/** Of a name that was given twice, neither: no carrier does that. */
const texts = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((given ?? {}) as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
