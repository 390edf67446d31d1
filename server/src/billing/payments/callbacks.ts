/**
 * The endpoint for the payment provider's callbacks. A callback only reports that something has changed: a job then
 * reads the payment from the provider. So a repeated, late, or reordered callback is harmless, and a forged one that
 * passed the signature check could only cause a read.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance } from 'fastify';
import { refusalLimiter } from '../../kernel/http/rate.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findProvider } from '../cards/cards.ts';
import { CallbackRefused } from '../cards/provider.ts';
import { syncJob } from './sync.ts';

const MAX_BYTES = 512 * 1024;

export function paymentDoors(http: FastifyInstance, kernel: Kernel): void {
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  http.register(async (scope) => {
    scope.addHook('onRequest', async ({ ip }) => limit.check(ip));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) => done(null, body));
    scope.post('/callbacks/payments/stripe', { bodyLimit: MAX_BYTES }, async (request, reply) => {
      const provider = await findProvider(kernel);
      const signature = request.headers['stripe-signature'];
      if (!provider || typeof signature !== 'string' || !Buffer.isBuffer(request.body)) {
        limit.recordRefusal(request.ip);
        throw new Problem(provider ? 'CALLBACK_SIGNATURE_INVALID' : 'ENDPOINT_NOT_FOUND');
      }
      try {
        const ids = await provider.readCallback(request.body, signature);
        if (ids.length > 0)
          await kernel.db.tx(async (tx) => {
            for (const provider_id of ids) await enqueue(tx, syncJob, { provider_id });
          });
      } catch (error) {
        if (!(error instanceof CallbackRefused)) throw error;
        limit.recordRefusal(request.ip);
        kernel.log.warn({ err: error }, 'refused a payment callback');
        throw new Problem('CALLBACK_SIGNATURE_INVALID');
      }
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
}
