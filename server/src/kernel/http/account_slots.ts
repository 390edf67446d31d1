/**
 * Gives accounts their turns on the database connections, so that the calls of one account delay no other account. An
 * account uses at most a part of the connections, and free ones go to the waiting accounts in turn. A call that waits
 * too long is refused with 503 and Retry-After.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Tx } from '../db/db.ts';
import type { Kernel } from '../kernel.ts';
import type { Actor } from '../security/auth.ts';
import { type FairSlots, fairSlots } from '../untrusted/fair_slots.ts';

const RETRY_SECONDS = 5;
const WAITING_PER_ACCOUNT = 200;
/** Connections for calls that the slots do not cover: lookups of sessions, health checks, and groups of messages. */
const RESERVED = 2;

interface AccountSlots {
  calls: FairSlots;
  lists: FairSlots;
}

const slots = new WeakMap<Db, AccountSlots>();

function slotsFor({ db }: Kernel): AccountSlots {
  let found = slots.get(db.root);
  if (!found) {
    const lists = db.through('lists').size;
    found = {
      calls: accountSlots(db.size, Math.max(1, db.size - RESERVED)),
      lists: accountSlots(lists, Math.max(1, Math.floor(lists / 2))),
    };
    slots.set(db.root, found);
  }
  return found;
}

const accountSlots = (total: number, per_tenant: number): FairSlots =>
  fairSlots({
    ...{ total, per_tenant, unverified: per_tenant, waiting_per_tenant: WAITING_PER_ACCOUNT },
    refuse: () => refusal(),
  });

const refusal = (): Problem => new Problem('ACCOUNT_BUSY', { retry_after: RETRY_SECONDS });

/** Calls of lists and of endpoints that read as many rows use their own connections. */
export const isListCall = ({ list, scans, raw }: AnyEndpoint): boolean => !raw && (list || scans) === true;

/** Runs a list in a transaction whose statements have a time limit. `read` gets the reads of this transaction. */
export const runList = <R>(kernel: Kernel, actor: Actor, read: (tx: Tx) => Promise<R>): Promise<R> =>
  takeTurn(kernel, slotsFor(kernel).lists, actor, () => kernel.db.through('lists').tx(read, 'list'));

/** Runs any other call. */
export const runCall = <R>(kernel: Kernel, actor: Actor, call: () => Promise<R>): Promise<R> =>
  takeTurn(kernel, slotsFor(kernel).calls, actor, call);

async function takeTurn<R>(
  { config }: Kernel,
  turns: FairSlots,
  { account_id, verified }: Actor,
  work: () => Promise<R>,
): Promise<R> {
  const limit = AbortSignal.timeout(config.LIST_TIMEOUT_SECONDS * 1_000);
  let started = false;
  try {
    return await turns.run(
      { account_id, verified },
      () => {
        started = true;
        return work();
      },
      limit,
    );
  } catch (error) {
    if (!started && error === limit.reason) throw refusal();
    throw error;
  }
}
