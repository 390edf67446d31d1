/**
 * Shares a few processes or connections fairly between tenants. A tenant holds at most its own share, and free slots go
 * to the tenants in turn, so a tenant with many tasks delays its own tasks and no others. Companies that are not
 * approved yet cannot hold all of the slots together.
 */
import { Problem } from '@parley/contract/problem.ts';
import { type HostLimit, holdHostSlots } from './host_slots.ts';

export interface Tenant {
  account_id: string;
  /** False for a company that is not approved yet. Anyone can create as many of those as they like. */
  verified: boolean;
}

interface Limits {
  /** The slots of this process, or of the host. */
  total: number;
  per_tenant: number;
  /** The slots that all unverified tenants together may hold. */
  unverified: number;
  /** A tenant with this many waiting tasks gets RATE_LIMIT_EXCEEDED, or the problem from `refuse`. */
  waiting_per_tenant: number;
  refuse?: (waiting: number) => Problem;
  /** The name under which all processes of the installation on this host share the slots. */
  host?: string;
}

export interface FairSlots {
  /** Runs the task as soon as the tenant gets a slot. If the signal aborts while the task waits, it never starts. */
  run<T>(tenant: Tenant, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiter {
  tenant: Tenant;
  start(): void;
}

const RETRY_SECONDS = 5;

const refuseFile = (waiting: number): Problem =>
  new Problem('RATE_LIMIT_EXCEEDED', {
    message: 'Too many of your files are being read at the moment. Try again in a few seconds.',
    internal: `the tenant already has ${waiting} files that wait for a reader`,
    retry_after: RETRY_SECONDS,
  });

/** The limits of a tenant come first, so that a process that waits for one of them holds none of the common slots. */
const hostLimits = (host: string, limits: Limits, { account_id, verified }: Tenant): HostLimit[] => [
  { name: `${host}/tenant/${account_id}`, size: limits.per_tenant },
  ...(verified ? [] : [{ name: `${host}/unverified`, size: limits.unverified }]),
  { name: `${host}/all`, size: limits.total },
];

export function fairSlots(limits: Limits): FairSlots {
  /** In the order in which the tenants get their next turn. */
  const waiting = new Map<string, Waiter[]>();
  const held = new Map<string, number>();
  let running = 0;
  let unverified = 0;

  const isFree = ({ account_id, verified }: Tenant): boolean =>
    running < limits.total &&
    (held.get(account_id) ?? 0) < limits.per_tenant &&
    (verified || unverified < limits.unverified);

  const count = ({ account_id, verified }: Tenant, change: 1 | -1): void => {
    running += change;
    if (!verified) unverified += change;
    const slots = (held.get(account_id) ?? 0) + change;
    if (slots > 0) held.set(account_id, slots);
    else held.delete(account_id);
  };

  const leave = (waiter: Waiter): void => {
    const { account_id } = waiter.tenant;
    const rest = (waiting.get(account_id) ?? []).filter((other) => other !== waiter);
    // Deleting the entry first moves the tenant to the end of the order.
    waiting.delete(account_id);
    if (rest.length > 0) waiting.set(account_id, rest);
  };

  const startNext = (): void => {
    for (;;) {
      const next = [...waiting.values()].map(([first]) => first!).find(({ tenant }) => isFree(tenant));
      if (!next) return;
      leave(next);
      count(next.tenant, 1);
      next.start();
    }
  };

  const acquire = (tenant: Tenant, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    const queue = waiting.get(tenant.account_id) ?? [];
    if (queue.length >= limits.waiting_per_tenant) throw (limits.refuse ?? refuseFile)(queue.length);
    return new Promise((resolve, reject) => {
      const abort = () => {
        leave(waiter);
        reject(signal!.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const waiter: Waiter = { tenant, start };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.set(tenant.account_id, [...queue, waiter]);
      startNext();
    });
  };

  return {
    async run(tenant, task, signal) {
      await acquire(tenant, signal);
      let release = async () => {};
      try {
        if (limits.host) release = await holdHostSlots(hostLimits(limits.host, limits, tenant), signal);
        return await task();
      } finally {
        await release();
        count(tenant, -1);
        startNext();
      }
    },
  };
}
