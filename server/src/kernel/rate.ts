/** Requests per second and caller: a token bucket in memory. Money has limits of its own, in the database. */
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from './auth.ts';
import type { Kernel } from './kernel.ts';

interface Bucket {
  tokens: number;
  at: number;
}

export function rateLimiter(kernel: Kernel): (actor: Actor, request: FastifyRequest, reply: FastifyReply) => void {
  const rate = kernel.config.REQUESTS_PER_SECOND;
  const burst = rate * 3;
  const buckets = new Map<string, Bucket>();
  return (actor, request, reply) => {
    const name = actor.key_id ?? actor.session_id ?? request.ip;
    const now = performance.now();
    let bucket = buckets.get(name);
    if (!bucket) {
      if (buckets.size > 20_000) buckets.clear();
      bucket = { tokens: burst, at: now };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
    bucket.at = now;
    reply.header('ratelimit-limit', String(rate));
    reply.header('ratelimit-remaining', String(Math.max(0, Math.floor(bucket.tokens) - 1)));
    if (bucket.tokens < 1) throw new Problem(1999, { retry_after: 1 });
    bucket.tokens -= 1;
  };
}
