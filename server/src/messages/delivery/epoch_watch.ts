/**
 * Detects a new epoch of the database (kernel/epoch). Each worker remembers the last cycle that each of its binds has
 * committed. Commits are replicated in order, so a promoted database with these cycles contains every claim of this
 * worker, and no sent message can be sent again by mistake.
 */
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import {
  beginEpoch,
  confirmEpoch,
  type HoldStep,
  holdSending,
  isEpochUncertain,
  readEpoch,
  touchEpoch,
} from '../../kernel/epoch/epoch.ts';
import type { Kernel } from '../../kernel/kernel.ts';

interface BindCycle {
  connection_id: string;
  slot: number;
  worker_id: string;
  submitter_id: string;
}

/** The last committed cycle of each bind of this worker. */
export class CycleMemory {
  private readonly cycles = new Map<string, number>();
  private readonly ended = new Set<string>();

  /**
   * Stores the number of the next cycle in the caller's transaction. Call the returned `committed` after the commit.
   * Messages may be claimed only if `may_send`.
   */
  async stamp(tx: Tx, bind: BindCycle): Promise<{ may_send: boolean; committed: () => void }> {
    const { connection_id, slot, worker_id, submitter_id } = bind;
    const cycle = (this.cycles.get(submitter_id) ?? 0) + 1;
    const row = await tx.maybeOne<{ may_send: boolean }>(sql`
      update binds set submitter_id = ${submitter_id}, cycle = ${cycle}
      where connection_id = ${connection_id} and slot = ${slot} and worker_id = ${worker_id}
      returning may_send(connection_id) as may_send`);
    return { may_send: row?.may_send ?? false, committed: () => row && this.cycles.set(submitter_id, cycle) };
  }

  /** A bind may end because the database has lost it, so its cycle is kept until the next check. */
  end(submitter_id: string): void {
    this.ended.add(submitter_id);
  }

  /** Returns a function that forgets the binds that have ended by now. */
  forgetEnded(): () => void {
    const ended = [...this.ended];
    return () => {
      for (const id of ended) {
        this.cycles.delete(id);
        this.ended.delete(id);
      }
    };
  }

  clear(): void {
    this.cycles.clear();
  }

  /** Checks that the database has every remembered cycle. Unless `strict`, another worker may have ended the bind. */
  async isIntact(db: Db, strict: boolean): Promise<boolean> {
    // Copied before the query, so that cycles that are committed during the query do not count.
    const remembered = [...this.cycles];
    if (remembered.length === 0) return true;
    const rows = await db.rows<{ submitter_id: string; cycle: number }>(sql`
      select submitter_id, cycle from binds where submitter_id = any(${remembered.map(([id]) => id)}::uuid[])`);
    const stored = new Map(rows.map((row) => [row.submitter_id, row.cycle]));
    return remembered.every(([id, cycle]) => (stored.get(id) ?? (strict ? -1 : cycle)) >= cycle);
  }
}

/** Throws while the database may have lost commits, because missing rows then prove nothing. */
export async function requireCertainEpoch(db: Db): Promise<void> {
  if (await isEpochUncertain(db)) throw new Error('the database was replaced and is being checked');
}

/** Returns the check that a worker runs every second, before its other tasks. */
export function watchEpoch(
  { db, log }: Kernel,
  worker_id: string,
  memory: CycleMemory,
  steps: readonly HoldStep[],
): () => Promise<void> {
  let known: number | null = null;
  return async () => {
    const forget = memory.forgetEnded();
    let now = await readEpoch(db);
    const isIntact = await memory.isIntact(db, now.epoch !== known || now.identity !== now.actual);
    if (now.identity !== now.actual || !isIntact) {
      const cause = await beginEpoch(db, now.epoch, !isIntact, steps);
      if (cause) log.error({ cause, was: now.identity, is: now.actual }, 'the database was replaced');
      now = await readEpoch(db);
    }
    if (now.state === 'checking' && (now.overdue || !isIntact)) {
      if (await holdSending(db, steps)) log.error({ isIntact, awaited: now.awaited }, 'sending is held');
    } else if (now.state === 'checking') {
      if ((await confirmEpoch(db, worker_id)) === 'open') log.warn('no claim was lost: sending resumes');
    }
    if (isIntact) forget();
    else memory.clear();
    known = now.epoch;
    await touchEpoch(db);
  };
}
