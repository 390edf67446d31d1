/**
 * Runs the calls of one account that wait at the same time in one transaction, so that they share its statements, its
 * locks, and its commit. Each call keeps its own response, idempotency record, and refusal. A call that cannot share a
 * transaction runs by itself.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Db, runTogether, type Tx } from '../db/db.ts';
import { Gather } from '../db/gather.ts';
import { failpoint } from '../failpoint.ts';
import type { Kernel } from '../kernel.ts';
import type { Actor } from '../security/auth.ts';
import { type KeyedRequest, rememberAll, replayAll, type Stored } from './idempotency.ts';

/** The result of a call, its refusal, or null if it must run by itself. */
export type Outcome<R> = { readonly result: R } | Problem | null;

export interface GroupedCall<I> {
  readonly actor: Actor;
  readonly input: I;
  /** The IP address of the caller. */
  readonly address: string;
}

export interface Grouping<I = never, P = unknown> {
  /** False if the call needs work that other calls cannot share. */
  accepts(input: I): boolean;
  /**
   * Reads what `run` needs, in the same round trip as the stored responses. So it also reads for calls that are then
   * answered with these, and must write nothing.
   */
  prepare?(tx: Tx, kernel: Kernel, calls: readonly GroupedCall<I>[], attempt: number): Promise<P>;
  /**
   * Runs the calls of one account, in their order, and writes nothing for a call that it does not accept. `attempt` is
   * 1 at first. Throws GroupConflict to run them again.
   */
  run(
    tx: Tx,
    kernel: Kernel,
    calls: readonly GroupedCall<I>[],
    attempt: number,
    prepared?: P,
  ): Promise<Outcome<unknown>[]>;
}

/** Thrown if other transactions changed the data that the group had read. */
export class GroupConflict extends Error {}

interface Waiting extends GroupedCall<never> {
  readonly keyed: KeyedRequest | null;
}
type Reply = Stored | Problem | null;

/** One group has about as many calls as a busy client has connections. */
const MAX_CALLS = 64;
/** The second group is prepared while the first one is being written to disk. */
const AT_ONCE = 1;
const MAX_ATTEMPTS = 3;

const gathers = new WeakMap<Db, Map<string, Gather<Waiting, Reply>>>();

/** Returns the response, or null if the call must run by itself. */
export async function callInGroup(
  kernel: Kernel,
  endpoint: AnyEndpoint,
  grouping: Grouping,
  encode: (result: unknown) => Stored,
  call: Waiting,
): Promise<Stored | null> {
  const byAccount = gathers.get(kernel.db.root) ?? new Map<string, Gather<Waiting, Reply>>();
  gathers.set(kernel.db.root, byAccount);
  const { account_id } = call.actor;
  const name = `${endpoint.id} ${account_id}`;
  let gather = byAccount.get(name);
  if (!gather) {
    gather = new Gather((calls) => runGroup(kernel, grouping, encode, account_id, calls), {
      max: MAX_CALLS,
      at_once: AT_ONCE,
    });
    byAccount.set(name, gather);
  }
  const reply = await gather.add(call).finally(() => {
    if (gather.idle) byAccount.delete(name);
  });
  if (reply instanceof Problem) throw reply;
  return reply;
}

async function runGroup(
  kernel: Kernel,
  grouping: Grouping,
  encode: (result: unknown) => Stored,
  account_id: string,
  calls: readonly Waiting[],
): Promise<Reply[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const replies = await kernel.db.tx(async (tx) => {
        const work = await runCalls(tx, kernel, grouping, encode, account_id, calls, attempt);
        failpoint('before_group_commit');
        return work;
      });
      failpoint('after_group_commit');
      return replies;
    } catch (error) {
      if (error instanceof GroupConflict && attempt < MAX_ATTEMPTS) continue;
      // Each call runs by itself, so that a value that the database rejects fails only its own call.
      if (error instanceof GroupConflict || isDataError(error)) return calls.map(() => null);
      throw error;
    }
  }
}

async function runCalls(
  tx: Tx,
  kernel: Kernel,
  grouping: Grouping,
  encode: (result: unknown) => Stored,
  account_id: string,
  calls: readonly Waiting[],
  attempt: number,
): Promise<Reply[]> {
  const requests = calls.map(({ keyed }) => keyed);
  // The locks of the keys are in the first statement, so everything is read after them.
  const [replies, prepared]: [Reply[], unknown] = await runTogether(
    replayAll(tx, account_id, requests),
    grouping.prepare?.(tx, kernel, calls, attempt) ?? Promise.resolve(undefined),
  );
  const fresh = calls.flatMap((call, index) => (replies[index] === null ? [{ call, index }] : []));
  if (fresh.length === 0) return replies;
  const outcomes = await grouping.run(
    tx,
    kernel,
    fresh.map(({ call }) => call),
    attempt,
    prepared,
  );
  const done: { keyed: KeyedRequest; stored: Stored }[] = [];
  for (const [place, { call, index }] of fresh.entries()) {
    const outcome = outcomes[place]!;
    if (outcome === null || outcome instanceof Problem) replies[index] = outcome;
    else {
      const stored = encode(outcome.result);
      replies[index] = stored;
      if (call.keyed) done.push({ keyed: call.keyed, stored });
    }
  }
  if (done.length > 0) tx.beforeCommit('idempotency', (last) => rememberAll(last, account_id, done));
  return replies;
}

/** Recognizes SQLSTATE classes 22 (data exception) and 23 (constraint violation). */
const isDataError = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');
