/**
 * How many there are, for the log: counting costs more than the page itself, so a total that took long, or is beyond what is counted at all, is
 * kept for a while in proportion. What is counted quickly is counted every time.
 */
import { CAP } from '../kernel/db/list.ts';

const CHEAP_MS = 10;
const CAPPED_MS = 60_000;
const TIMES_ITS_COST = 50;
const MOST_MS = 60_000;
const KEPT = 2_000;

const totals = new Map<string, { total: number; until: number }>();

export async function rememberedTotal(scope: object, count: () => Promise<number>): Promise<number> {
  const key = JSON.stringify(scope);
  const started = performance.now();
  const known = totals.get(key);
  if (known && known.until > started) return known.total;
  const total = await count();
  const ended = performance.now();
  const cost = ended - started;
  const keep = total > CAP ? CAPPED_MS : cost > CHEAP_MS ? Math.min(MOST_MS, cost * TIMES_ITS_COST) : 0;
  totals.delete(key);
  if (keep > 0) totals.set(key, { total, until: ended + keep });
  if (totals.size > KEPT) totals.delete(totals.keys().next().value!);
  return total;
}
