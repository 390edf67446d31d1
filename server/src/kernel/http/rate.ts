/**
 * Rate limits per caller, as token buckets in memory. Invalid tokens and keys are counted by IP address. If an address
 * sends too many, its credentials are not looked up for a while, except those already known to be valid. Spending
 * limits are separate and are stored in the database.
 */
import { createHash } from 'node:crypto';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../security/auth.ts';
import { callerKey } from './network.ts';

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_ENTRIES = 20_000;
/** The rate is a number of requests per second. */
const WINDOW_SECONDS = 1;

export interface RateLimiter {
  /** Throws RATE_LIMIT_EXCEEDED, or API_KEY_RATE_LIMIT_REACHED at the limit of the key itself. */
  consume(actor: Actor, request: Pick<FastifyRequest, 'ip'>, reply: Pick<FastifyReply, 'header'>): void;
  /**
   * Call this before a token or key is looked up. Throws RATE_LIMIT_EXCEEDED after too many invalid ones from the
   * address. The caller reports the outcome through the returned function.
   */
  beginLookup(credential: string, address: string): (isGood: boolean) => void;
}

/**
 * Limits calls to public endpoints that need no token. Valid requests cost nothing. After too many refused requests, an
 * address is blocked for a while and gets RATE_LIMIT_EXCEEDED.
 */
interface RefusalLimiter {
  /** Throws RATE_LIMIT_EXCEEDED. */
  check(address: string): void;
  recordRefusal(address: string): void;
}

const clock = () => performance.now();

function buckets(usual: number, now: () => number): (name: string, rate?: number) => Bucket {
  const entries = new Map<string, Bucket>();
  return (name, rate = usual) => {
    const burst = rate * 3;
    const bucket = entries.get(name) ?? { tokens: burst, at: now() };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now() - bucket.at) / 1000) * rate);
    bucket.at = now();
    touch(entries, name, bucket);
    return bucket;
  };
}

export function refusalLimiter(rate: number, now = clock): RefusalLimiter {
  const currentBucket = buckets(rate, now);
  return {
    check(address) {
      if (currentBucket(callerKey(address)).tokens < 1)
        throw new Problem('RATE_LIMIT_EXCEEDED', { retry_after: WINDOW_SECONDS });
    },
    recordRefusal(address) {
      const bucket = currentBucket(callerKey(address));
      bucket.tokens = Math.max(0, bucket.tokens - 1);
    },
  };
}

export function rateLimiter(rate: number, now = clock): RateLimiter {
  const good = new Map<string, true>();
  const currentBucket = buckets(rate, now);
  return {
    consume(actor, { ip }, reply) {
      const own = actor.requests_per_second ?? null;
      const allowed = own === null ? rate : Math.min(own, rate);
      const bucket = currentBucket(actor.key_id ?? actor.session_id ?? callerKey(ip), allowed);
      // In one second, the bucket gets at least `rate` tokens. Bursts above the rate are allowed, but not announced.
      const left = Math.max(0, Math.min(allowed, Math.floor(bucket.tokens - 1)));
      reply.header('ratelimit-policy', `"default";q=${allowed};w=${WINDOW_SECONDS}`);
      announceRate(reply, { limit: allowed, left, seconds: WINDOW_SECONDS });
      spend(bucket, allowed < rate ? 'API_KEY_RATE_LIMIT_REACHED' : 'RATE_LIMIT_EXCEEDED');
    },
    beginLookup(credential, address) {
      const name = hash(credential);
      // The attempt is counted first and refunded later, so that simultaneous calls cannot all pass.
      const bucket = good.has(name) ? null : currentBucket(`wrong ${callerKey(address)}`);
      if (bucket) spend(bucket);
      return (isGood) => {
        if (!isGood) good.delete(name);
        else {
          touch(good, name, true);
          if (bucket) bucket.tokens += 1;
        }
      };
    },
  };
}

/** Announces the limit by the current draft of the RateLimit fields, and in the three fields of the earlier ones. */
export function announceRate(
  reply: Pick<FastifyReply, 'header'>,
  { limit, left, seconds }: { limit?: number; left: number; seconds: number },
): void {
  if (limit !== undefined) reply.header('ratelimit-limit', String(limit));
  reply.header('ratelimit', `"default";r=${left};t=${seconds}`);
  reply.header('ratelimit-remaining', String(left));
  reply.header('ratelimit-reset', String(seconds));
}

function spend(bucket: Bucket, problem: ProblemName = 'RATE_LIMIT_EXCEEDED'): void {
  if (bucket.tokens < 1) throw new Problem(problem, { retry_after: WINDOW_SECONDS });
  bucket.tokens -= 1;
}

/** Moves the entry to the end, and drops the least recently used entry if the map is too large. */
function touch<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value!);
}

const hash = (credential: string): string => createHash('sha256').update(credential).digest('base64');
