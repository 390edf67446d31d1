/** Counts the checked people of a request against the account's limits, and leaves out those without room. */
import {
  type Counted,
  describeLimit,
  type Guard,
  loadFrequencyCap,
  noteRefusal,
  reserve,
  stopFinder,
  stopProblem,
  type Way,
} from '../../guard/guard.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { FallbackStep } from '../model/fallback_steps.ts';
import type { Passed, Refused } from './recipients.ts';

/** The parts of a request and of the gate's data that counting needs. */
interface Counting {
  readonly request: {
    readonly account_id: string;
    readonly channel: string;
    readonly key_id?: string | null;
    readonly user_id?: string | null;
    readonly campaign_id?: string | null;
    readonly address?: string | null;
    readonly recipients: readonly { readonly to: string }[];
    readonly refusal: 'throw' | 'skip';
    readonly source: string;
  };
  readonly guard: Guard;
  readonly sender: { readonly id: string };
}

/** Three lists in the same order. */
interface Checked<O> {
  readonly passed: readonly Passed[];
  readonly origins: readonly O[] | null;
  readonly steps: FallbackStep[][] | null;
}

/** The people who are accepted, and why those from `waits_from` on wait. */
interface Taken<O> extends Checked<O> {
  readonly refused: Refused[];
  readonly waits_from: number | null;
  readonly waits_for: 'TRAFFIC_LIMIT_REACHED' | 'TRAFFIC_STOPPED' | null;
}

/**
 * Throws TRAFFIC_STOPPED if the request must be accepted as a whole and the account has stopped a destination. In other
 * requests, the first person there and those after it wait.
 */
export async function takePeople<O>(tx: Tx, counting: Counting, checked: Checked<O>): Promise<Taken<O>> {
  const { request, guard } = counting;
  const findStop = stopFinder(guard.stops, request.source);
  const stopped = findStop ? checked.passed.findIndex((person) => findStop(person) !== null) : -1;
  if (stopped < 0) return countPeople(tx, counting, checked);
  const { index, ...person } = checked.passed[stopped]!;
  if (request.refusal === 'throw') throw stopProblem(findStop!(person)!);
  const before = {
    passed: checked.passed.slice(0, stopped),
    origins: checked.origins?.slice(0, stopped) ?? null,
    steps: checked.steps?.slice(0, stopped) ?? null,
  };
  const counted = await countPeople(tx, counting, before);
  return counted.waits_from === null ? { ...counted, waits_from: index, waits_for: 'TRAFFIC_STOPPED' } : counted;
}

/**
 * Throws TRAFFIC_LIMIT_REACHED if the request must be accepted as a whole and does not fit. A message counts for its
 * own channel and for those of its fallbacks, at the price that its hold covers.
 */
async function countPeople<O>(tx: Tx, { request, guard, sender }: Counting, checked: Checked<O>): Promise<Taken<O>> {
  const { account_id, channel, recipients } = request;
  const all = { ...checked, refused: [], waits_from: null, waits_for: null };
  if (checked.passed.length === 0) return all;
  const caps = request.source === 'campaign' ? await loadFrequencyCap(tx, account_id, tx.now) : [];
  const rules = { ...guard, limits: [...caps, ...guard.limits] };
  if (rules.limits.length === 0) return all;
  const people = checked.passed;
  const takes = request.refusal === 'throw' ? 'all' : 'first';
  const ways = readWays({ channel, sender_id: sender.id }, people, checked.steps);
  const [grant] = await reserve(tx, account_id, rules, [{ origin: request, people, ...ways, takes }]);
  const { reached, granted, skipped, capped } = grant!;
  if (granted.length === people.length) return all;
  if (reached && takes === 'all') throw describeLimit(tx, account_id, reached, people.length);
  // The people who were granted or skipped come before the first waiting one.
  const waiting = reached ? granted.length + skipped.length : null;
  if (reached) noteRefusal(tx, account_id, reached, 0);
  return {
    passed: granted.map((n) => checked.passed[n]!),
    origins: checked.origins && granted.map((n) => checked.origins![n]!),
    steps: checked.steps && granted.map((n) => checked.steps![n]!),
    refused: skipped.map((n): Refused => {
      const { index } = checked.passed[n]!;
      const code = capped.includes(n) ? ('FREQUENCY_CAP_REACHED' as const) : ('RECIPIENT_LIMIT_REACHED' as const);
      return { index, number: recipients[index]!.to, code };
    }),
    waits_from: waiting === null ? null : checked.passed[waiting]!.index,
    waits_for: waiting === null ? null : 'TRAFFIC_LIMIT_REACHED',
  };
}

/** All messages without fallbacks share one list of ways. */
export function readWays(
  own: Way,
  people: readonly Pick<Passed, 'price_micros'>[],
  steps: readonly (readonly FallbackStep[])[] | null = null,
): Pick<Counted, 'ways' | 'price'> {
  const alone = [own];
  if (!steps?.some((list) => list.length > 0)) return { ways: () => alone };
  const all = steps.map((list) => (list.length === 0 ? alone : [own, ...list]));
  return {
    ways: (n) => all[n]!,
    price: (n) => steps[n]!.reduce((most, step) => Math.max(most, step.price_micros), people[n]!.price_micros),
  };
}
