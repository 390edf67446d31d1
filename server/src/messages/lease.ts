/**
 * A worker is alive while its lease is. Whoever finds one without ends it: its lines are free, and what it had been submitting is settled by
 * evidence (unknown.ts). On the same machine a successor need not wait: it can see that the process is gone.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { isAlive, startOf } from '../kernel/process.ts';

/** Renewed every second: long enough for a slow second or two, short enough that a crash is not felt. */
export const LEASE_MS = 5_000;
export const LEASE = `${LEASE_MS} milliseconds`;

const machine = machineName();

/** Processes of one boot and one process namespace can see each other; anybody else must wait for the lease. */
function machineName(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

const ownName = () => JSON.stringify([machine, process.pid, startOf(process.pid)]);

function isGone(name: string): boolean {
  if (machine === null) return false;
  const [where, pid, started] = JSON.parse(name) as [string | null, number, string | null];
  return where === machine && !(isAlive(pid) && startOf(pid) === started);
}

export const renewWorker = (db: Db, worker_id: string) =>
  db.run(sql`
    insert into workers (id, process, host, role, lease_until)
    values (${worker_id}, ${ownName()}, ${`${hostname()}:${process.pid}`}, replace(current_setting('application_name'), 'parley ', ''),
            now() + ${LEASE}::interval)
    on conflict (id) do update set lease_until = excluded.lease_until`);

/** True when somebody was found dead; what they held is free then. */
export async function endDeadWorkers(db: Db): Promise<boolean> {
  const workers = await db.rows<{ id: string; process: string; over: boolean }>(sql`
    select id, process, lease_until <= now() as over from workers`);
  const dead = workers.filter((worker) => worker.over || isGone(worker.process)).map((worker) => worker.id);
  if (dead.length === 0) return false;
  await db.tx(async (tx) => {
    // Still over, unless the process is known to be gone: it may have come back in between.
    const gone = workers.filter((worker) => isGone(worker.process)).map((worker) => worker.id);
    await tx.run(sql`
      delete from workers where id = any(${dead}::uuid[]) and (lease_until <= now() or id = any(${gone}::uuid[]))`);
    await abandon(tx);
  });
  return true;
}

export const endWorker = (db: Db, worker_id: string) =>
  db.tx(async (tx) => {
    await tx.run(sql`delete from workers where id = ${worker_id}`);
    await abandon(tx);
  });

/** Nobody waits for these answers any more. */
const abandon = (tx: Tx) =>
  tx.run(sql`
    update dispatch d set worker_id = null, unknown_date = now()
    where stage = 'submitting' and worker_id is not null and not exists (select from workers w where w.id = d.worker_id)`);
