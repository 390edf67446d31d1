/**
 * Sends receipts and inbound messages to the sessions of this process, each at least once and in order per message. A
 * delivery is removed only after its program has confirmed it. Each account has its own window, so a slow or dead
 * program delays only its own deliveries.
 */
import type { BindType } from '@parley/contract/smpp/smpp.ts';
import { SessionError } from '@parley/smpp/session.ts';
import { STATUS, statusName } from '@parley/smpp/status.ts';
import { type Db, sql } from '../kernel/db/db.ts';
import { Gather } from '../kernel/db/gather.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type DeliveryBody, toPdus } from './delivery_pdus.ts';
import { type Member, type Members, noteError } from './members.ts';

const POLL_MS = { least: 100, most: 1_000 } as const;
/** Longer than the time that a program has for its response. */
const LEASE_SECONDS = 90;
/** Deliveries that one account can have in progress in this process. */
const MAX_IN_PROGRESS = 500;
const PAUSES_SECONDS = [1, 5, 15, 60, 300];
/** The program rejects the delivery permanently. */
const REJECTIONS: readonly number[] = [STATUS.ESME_RX_P_APPN, STATUS.ESME_RX_R_APPN];

const RECEIVERS: readonly BindType[] = ['transceiver', 'receiver'];
const canReceive = ({ bind_type, session }: Member): boolean => RECEIVERS.includes(bind_type) && session.open;

interface Claimed {
  account_id: string;
  id: string;
  smpp_account_id: string;
  body: DeliveryBody;
  tries: number;
}

interface Result extends Claimed {
  /** Null: the delivery is over. Otherwise, it is due again after this many seconds. */
  again_seconds: number | null;
  /** True if the program refused it, as opposed to a lost session. */
  counts: boolean;
}

interface Target {
  account_id: string;
  id: string;
  room: number;
}

/** Claims the due deliveries of accounts, and at most one of each message. */
const claim = (db: Db, targets: readonly Target[]) =>
  db.rows<Claimed>(sql`
    with heads as materialized (
      select h.account_id, h.id
      from unnest(${targets.map(({ account_id }) => account_id)}::uuid[], ${targets.map(({ id }) => id)}::uuid[],
                  ${targets.map(({ room }) => room)}::int[]) as t(account_id, smpp_account_id, room)
      cross join lateral (
        select d.account_id, d.id from smpp_deliveries d
        where d.account_id = t.account_id and d.smpp_account_id = t.smpp_account_id and d.due_date <= now()
          and not exists (
            select 1 from smpp_deliveries e
            where e.account_id = d.account_id and e.smpp_account_id = d.smpp_account_id
              and e.message_id = d.message_id and (e.seq, e.id) < (d.seq, d.id))
        order by d.due_date limit t.room for update of d skip locked
      ) h
    )
    update smpp_deliveries d set due_date = now() + make_interval(secs => ${LEASE_SECONDS})
    from heads h where d.account_id = h.account_id and d.id = h.id
    returning d.account_id, d.id, d.smpp_account_id, d.body, d.tries`);

/** Stores the results of one SMPP account. */
async function storeResults(db: Db, results: readonly Result[]): Promise<void> {
  const { account_id, smpp_account_id } = results[0]!;
  const over = results.filter(({ again_seconds }) => again_seconds === null);
  const again = results.filter(({ again_seconds }) => again_seconds !== null);
  await db.tx(async (tx) => {
    if (over.length > 0) {
      const removed = await tx.run(sql`
        delete from smpp_deliveries
        where account_id = ${account_id} and id = any(${over.map(({ id }) => id)}::uuid[])`);
      await tx.run(sql`
        update smpp_accounts set pending_count = pending_count - ${removed}
        where account_id = ${account_id} and id = ${smpp_account_id}`);
    }
    if (again.length > 0)
      await tx.run(sql`
        update smpp_deliveries d set tries = d.tries + t.counts, due_date = now() + make_interval(secs => t.seconds)
        from unnest(${again.map(({ id }) => id)}::uuid[], ${again.map(({ again_seconds }) => again_seconds)}::float8[],
                    ${again.map(({ counts }) => (counts ? 1 : 0))}::int[]) as t(id, seconds, counts)
        where d.account_id = ${account_id} and d.id = t.id`);
  });
}

/** Stores the results of an account that arrive while the previous ones are being stored in one transaction. */
function createResultStore(kernel: Kernel): (result: Result) => Promise<unknown> {
  const stores = new Map<string, Gather<Result, null>>();
  return (result) => {
    const { smpp_account_id: id } = result;
    const write = async (results: Result[]) => {
      failpoint('before_smpp_ack');
      await storeResults(kernel.db, results);
      return results.map(() => null);
    };
    const gather = stores.get(id) ?? new Gather<Result, null>(write, { max: MAX_IN_PROGRESS, at_once: 1 });
    stores.set(id, gather);
    return gather.add(result).finally(() => {
      if (gather.idle) stores.delete(id);
    });
  };
}

export function startDeliveries(kernel: Kernel, members: Members): { stop(): Promise<void> } {
  const inProgress = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const store = createResultStore(kernel);
  let stopped = false;
  let reference = 0;
  let idle_ms: number = POLL_MS.least;
  let woken = false;
  let wake: () => void = () => {};

  const count = (id: string, change: 1 | -1) => {
    const next = (inProgress.get(id) ?? 0) + change;
    if (next === 0) inProgress.delete(id);
    else inProgress.set(id, next);
  };
  const targets = (): Target[] =>
    members.accounts().flatMap(({ account, members: all }) => {
      const free = all.filter(canReceive).reduce((sum, { session }) => sum + session.free, 0);
      const room = Math.min(free, MAX_IN_PROGRESS - (inProgress.get(account.id) ?? 0));
      return room > 0 ? [{ account_id: account.account_id, id: account.id, room }] : [];
    });
  const run = async (delivery: Claimed) => {
    count(delivery.smpp_account_id, 1);
    const member = pickMember(members, delivery.smpp_account_id);
    const result = member
      ? await deliver(member, delivery, reference++ & 0xff)
      : { ...delivery, again_seconds: 0, counts: false };
    await store(result).catch((error: unknown) => kernel.log.error({ err: error }, 'SMPP delivery'));
    count(delivery.smpp_account_id, -1);
    woken = true;
    wake();
  };
  const step = async (): Promise<number> => {
    const open = targets();
    if (open.length === 0) return 0;
    const claimed = await claim(kernel.db, open);
    for (const delivery of claimed) {
      const work = run(delivery);
      running.add(work);
      void work.finally(() => running.delete(work));
    }
    return claimed.length;
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      if (woken || stopped) return resolve();
      const timer = setTimeout(resolve, idle_ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = (async () => {
    while (!stopped) {
      woken = false;
      const found = await step().catch((error: unknown) => {
        kernel.log.error({ err: error }, 'SMPP deliveries');
        return 0;
      });
      idle_ms = found > 0 ? POLL_MS.least : Math.min(idle_ms * 1.2, POLL_MS.most);
      await pause();
    }
    await Promise.all(running);
  })();
  return {
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}

/** The session with the most room. */
function pickMember(members: Members, smpp_account_id: string): Member | undefined {
  return members
    .sessions(smpp_account_id)
    .filter((member) => canReceive(member) && member.session.free > 0)
    .sort((a, b) => b.session.free - a.session.free)[0];
}

async function deliver(member: Member, delivery: Claimed, reference: number): Promise<Result> {
  const again = (again_seconds: number, counts: boolean): Result => ({ ...delivery, again_seconds, counts });
  try {
    for (const pdu of toPdus(delivery.body, reference)) {
      const { command_status } = await member.session.deliver(pdu);
      if (command_status === 0) continue;
      noteError(member, `The program refused deliver_sm with ${statusName(command_status)}`);
      if (REJECTIONS.includes(command_status)) return { ...delivery, again_seconds: null, counts: false };
      return again(PAUSES_SECONDS[Math.min(delivery.tries, PAUSES_SECONDS.length - 1)]!, true);
    }
    member.delivered++;
    return { ...delivery, again_seconds: null, counts: false };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    if (error.kind === 'closed') return again(0, false);
    // The program has stopped reading, or cannot read this PDU. Its next session gets the delivery again.
    noteError(member, 'The program did not confirm deliver_sm in time');
    member.session.destroy();
    return again(PAUSES_SECONDS[Math.min(delivery.tries, PAUSES_SECONDS.length - 1)]!, true);
  }
}
