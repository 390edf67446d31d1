/**
 * A worker counts as alive as long as its lease is valid. Any worker that finds an expired lease declares its holder
 * dead: the binds become free, and evidence settles the open submissions (status/ambiguous.ts). A successor on the same
 * machine need not wait, because it can see that the process is gone.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { isEpochUncertain } from '../../kernel/epoch/epoch.ts';
import { isAlive, processStart } from '../../kernel/process.ts';

/**
 * Renewed every second. The lease is long enough to survive a slow second or two, and short enough to recover quickly
 * from a crash.
 */
export const LEASE_MS = 5_000;
export const LEASE = `${LEASE_MS} milliseconds`;

const machine = machineName();

/** Processes of the same boot and process namespace can see each other; all others wait for the lease. */
function machineName(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

const processName = () => JSON.stringify([machine, process.pid, processStart(process.pid)]);

function isGone(name: string): boolean {
  if (machine === null) return false;
  const [where, pid, started] = JSON.parse(name) as [string | null, number, string | null];
  return where === machine && !(isAlive(pid) && processStart(pid) === started);
}

export const renewWorker = (db: Db, worker_id: string) =>
  db.run(sql`
    insert into workers (id, process, host, role, lease_until)
    values (${worker_id}, ${processName()}, ${`${hostname()}:${process.pid}`},
            replace(current_setting('application_name'), 'parley ', ''), now() + ${LEASE}::interval)
    on conflict (id) do update set lease_until = excluded.lease_until`);

/** Returns true if it found a dead worker, whose binds are then free. */
export async function endDeadWorkers(db: Db): Promise<boolean> {
  if (await isEpochUncertain(db)) return false;
  const workers = await db.rows<{ id: string; process: string; over: boolean }>(sql`
    select id, process, lease_until <= now() as over from workers`);
  const dead = workers.filter((worker) => worker.over || isGone(worker.process)).map((worker) => worker.id);
  if (dead.length === 0) return false;
  await db.tx(async (tx) => {
    // The lease must still be expired, because the worker may have recovered in the meantime. This does not apply if
    // the process is known to be gone.
    const gone = workers.filter((worker) => isGone(worker.process)).map((worker) => worker.id);
    await tx.run(sql`
      delete from workers where id = any(${dead}::uuid[]) and (lease_until <= now() or id = any(${gone}::uuid[]))`);
    await releaseSubmissions(tx);
  });
  return true;
}

export const endWorker = (db: Db, worker_id: string) =>
  db.tx(async (tx) => {
    await tx.run(sql`delete from workers where id = ${worker_id}`);
    await releaseSubmissions(tx);
  });

/** Marks open submissions of dead workers as ambiguous; ambiguous.ts settles them. */
const releaseSubmissions = (tx: Tx) =>
  tx.run(sql`
    update dispatch d set worker_id = null, unknown_date = now()
    where stage = 'submitting' and worker_id is not null and not exists (select from workers w
      where w.id = d.worker_id)`);
