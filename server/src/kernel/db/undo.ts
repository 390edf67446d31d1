/** Trials: work in a transaction that leaves nothing behind. */
import { raw, type Tx } from './db.ts';

/** Runs the work and undoes everything that it wrote, including its events and its callbacks for after the commit. */
export async function undoAfter<T>(tx: Tx, work: (trial: Tx) => Promise<T>): Promise<T> {
  const ignore = () => {};
  const trial: Tx = { ...tx, afterCommit: ignore, afterRollback: ignore, beforeCommit: ignore };
  await tx.run(raw('savepoint rehearsal'));
  const result = await work(trial);
  await tx.run(raw('rollback to savepoint rehearsal'));
  return result;
}
