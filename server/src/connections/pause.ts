/**
 * Pauses a connection whose carrier refuses every message until an operator acts. Its binds are closed and its messages
 * wait. The operators are alerted once, on their open pages and by email. A change of the connection resumes it.
 */
import { connectionChanged } from '@parley/contract/connections/connections.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';

/** Emails the operators. The admin module implements it. */
export const pausedJob = job<{ id: string }>('connections.paused');

export async function pauseConnection(tx: Tx, id: string, reason: string): Promise<void> {
  const paused = await tx.maybeOne<{ name: string }>(sql`
    update connections set paused_date = now(), pause_reason = ${reason.slice(0, 300)}
    where id = ${id} and enabled and paused_date is null returning name`);
  if (!paused) return;
  for (const operators of await tx.rows<{ id: string }>(sql`
    select id from accounts where kind = 'OPERATOR' order by id`))
    emit(tx, connectionChanged, operators.id, { id, name: paused.name, state: 'paused' });
  await enqueue(tx, pausedJob, { id });
}
