/**
 * The HTTP endpoint for carrier callbacks: `/callbacks/{connection}`. It is outside the API contract: the adapter
 * authenticates and parses the raw body, and everything is stored before the carrier gets its acknowledgment. If the
 * carrier gets any other status, it repeats the call, and repeated calls change nothing. Unauthenticated callers are
 * rate limited first.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Callback, CallbackRequest } from '../../channels/channel.ts';
import { singleValues } from '../../channels/single_values.ts';
import { type OpenConnection, shareOpenings } from '../../connections/connections.ts';
import { refusalLimiter } from '../../kernel/http/rate.ts';
import { refusalHeaders } from '../../kernel/http/security_headers.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { metrics } from '../../kernel/metrics.ts';
import { InboundIntake } from '../inbound/intake.ts';
import { applyNotices } from '../inbound/notices.ts';
import { CarrierRecorder } from '../payloads/recorder.ts';
import { showCallback, showIncoming } from '../payloads/shown_callbacks.ts';
import { createReportBatcher } from '../status/reports.ts';

const MAX_BYTES = 3 * 1024 * 1024;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const callbacksTotal = metrics.counter('carrier_callbacks_total', 'Carrier callbacks by response status', ['status']);

type Request = FastifyRequest<{ Params: { id: string } }>;

export function mountCallbacks(http: FastifyInstance, kernel: Kernel): void {
  const reports = createReportBatcher(kernel.db);
  const recorder = new CarrierRecorder(kernel.db);
  const inbound = new InboundIntake(kernel, recorder);
  const open = shareOpenings(kernel);
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  const storeCallback = async (connection: OpenConnection, request: CallbackRequest, callback: Callback) => {
    const { id, name, channel, adapter, spec } = connection;
    const row = { id, name, channel, adapter: adapter.name, settings: spec.settings };
    if (callback.reports.length + callback.incoming.length > 0) await recorder.keepFresh();
    for (const report of callback.reports)
      recorder.watchReceipt(id, report, () => showCallback(connection, request, callback, report));
    const stored = [
      ...callback.reports.map((report) => reports.add({ connection_id: id, report })),
      ...callback.incoming.map((incoming) =>
        inbound.add(row, incoming, () => showIncoming(connection, request, callback, incoming)),
      ),
    ];
    // Waits until all items are stored, because an earlier response would acknowledge items that may still fail to be
    // stored.
    const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
    // A notice can refer to a message of the same callback.
    if (callback.notices.length > 0) await kernel.db.tx((tx) => applyNotices(tx, id, callback.notices));
    if (failed) throw failed.reason;
  };
  const respond = async (request: Request, reply: FastifyReply) => {
    const { id } = request.params;
    const connection = UUID.test(id) ? await open(id) : null;
    if (!connection?.adapter.callbacks) {
      limit.recordRefusal(request.ip);
      throw new Problem('CONNECTION_NOT_FOUND');
    }
    const received: CallbackRequest = {
      method: request.method === 'GET' ? 'GET' : 'POST',
      url: `${kernel.config.PUBLIC_URL}${request.raw.url ?? ''}`,
      query: singleValues(request.query),
      headers: singleValues(request.headers),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
    const callback = connection.adapter.callbacks.read(connection.spec, received);
    callbacksTotal.inc({ status: String(callback.status) });
    if (callback.status < 300) await storeCallback(connection, received, callback);
    else {
      limit.recordRefusal(request.ip);
      kernel.log.warn({ connection: connection.name, status: callback.status }, 'refused a carrier callback');
    }
    return reply.code(callback.status).header('content-type', 'text/plain; charset=utf-8').send(callback.body);
  };
  const headers = refusalHeaders(kernel.config);
  http.register(async (scope) => {
    // Runs before the body is read, the connection is looked up, and its secret is decrypted.
    scope.addHook('onRequest', (request, reply, done) => {
      limit.check(request.ip);
      reply.headers(headers);
      done();
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) => done(null, body));
    scope.addHook('onClose', async () => {
      await reports.idle();
      await inbound.idle();
      await recorder.stop();
    });
    // No browser reads the responses, and building the headers for browsers costs as much as checking a signature.
    scope.get('/callbacks/:id', { config: { for_programs: true } }, respond);
    scope.post('/callbacks/:id', { bodyLimit: MAX_BYTES, config: { for_programs: true } }, respond);
  });
}
