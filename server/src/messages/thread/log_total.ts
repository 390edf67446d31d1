/**
 * Caches totals of the message log. Counting costs more than the page itself, so a total that took long is cached for a
 * time in proportion to its cost, and a total above the counting limit is cached for a minute. Cheap totals are counted
 * every time.
 */
import { CAP } from '../../kernel/db/list.ts';

const CHEAP_MS = 10;
const CAPPED_KEEP_MS = 60_000;
const KEEP_FACTOR = 50;
const MAX_KEEP_MS = 60_000;
const MAX_ENTRIES = 2_000;

const totals = new Map<string, { total: number; until: number }>();

export async function readCachedTotal(scope: object, count: () => Promise<number>): Promise<number> {
  const key = JSON.stringify(scope);
  const started = performance.now();
  const cached = totals.get(key);
  if (cached && cached.until > started) return cached.total;
  const total = await count();
  const ended = performance.now();
  const cost = ended - started;
  const keep = total > CAP ? CAPPED_KEEP_MS : cost > CHEAP_MS ? Math.min(MAX_KEEP_MS, cost * KEEP_FACTOR) : 0;
  totals.delete(key);
  if (keep > 0) totals.set(key, { total, until: ended + keep });
  if (totals.size > MAX_ENTRIES) totals.delete(totals.keys().next().value!);
  return total;
}
