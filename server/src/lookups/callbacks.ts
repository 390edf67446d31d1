/** Takes results that a provider reports by callback. They are stored before the provider gets its acknowledgment. */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isCallback } from './callback_url.ts';
import { currentProvider } from './providers/current.ts';
import type { LookupResult } from './providers/provider.ts';
import { applyResults } from './results.ts';

type Request = FastifyRequest<{ Params: { account_id: string; batch_id: string; signature: string } }>;

export function lookupDoors(http: FastifyInstance, kernel: Kernel): void {
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  http.post('/callbacks/lookups/:account_id/:batch_id/:signature', async (request: Request, reply: FastifyReply) => {
    limit.check(request.ip);
    const { account_id, batch_id, signature } = request.params;
    const provider = currentProvider(kernel.config);
    if (!provider?.readCallback || !isCallback(kernel, account_id, batch_id, signature)) {
      limit.recordRefusal(request.ip);
      throw new Problem('LOOKUP_NOT_FOUND');
    }
    let results: LookupResult[];
    try {
      results = provider.readCallback(request.body);
    } catch (error) {
      kernel.log.warn({ err: error, provider: provider.name }, 'a lookup callback cannot be read');
      throw new Problem('REQUEST_INVALID');
    }
    await kernel.db.tx((tx) => applyResults(tx, account_id, batch_id, results));
    return reply.code(204).send();
  });
}
