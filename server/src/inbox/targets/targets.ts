/**
 * The targets for the first response and the resolution of conversations. The database keeps the clocks
 * (`set_clock`). Jobs record the targets that are missed, and compute the clocks again after a change of the targets.
 */
import { conversationUpdated } from '@parley/contract/inbox/inbox.ts';
import { targetMissed, targetsChanged } from '@parley/contract/inbox/missed_targets.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { addEntries } from '../entries.ts';
import { addLabel, keepLabel } from '../label_queries.ts';
import { listConversationsById } from '../queries.ts';
import * as queries from './target_queries.ts';

/** Finds accounts with missed targets. Its cost grows only with the targets that are missed. */
export const missedSweepJob = job<object>('inbox.sweep_targets', { cron: '* * * * *', retry: 0 });
/** Records the missed targets of an account. Safe to repeat. */
export const missedJob = job<{ account_id: string }>('inbox.record_missed_targets');
/** Computes the clocks of all open conversations of an account. Safe to repeat. */
export const clocksJob = job<{ account_id: string }>('inbox.set_clocks');

const PORTION = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

export async function sweepMissed({ db, clock }: Kernel): Promise<void> {
  for (const { account_id } of await queries.listAccountsWithMisses(db, clock.now()))
    await db.tx((tx) => enqueue(tx, missedJob, { account_id }));
}

export async function recordMissed({ db, clock }: Kernel, account_id: string, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; )
    hasMore = await db.tx(async (tx) => {
      const now = clock.now();
      const ids = await queries.lockMissed(tx, account_id, now, PORTION);
      const missed = ids.length > 0 ? await queries.markMissed(tx, account_id, ids, now) : [];
      await announce(tx, account_id, missed);
      failpoint('before_missed_targets_commit');
      return ids.length === PORTION;
    });
}

/** The marks, the entries, the labels, and the events are one transaction, so a repeated run announces nothing. */
async function announce(tx: Tx, account_id: string, missed: readonly queries.Missed[]): Promise<void> {
  if (missed.length === 0) return;
  const ids = [...new Set(missed.map(({ conversation_id }) => conversation_id))];
  const label_id = await queries.findOverdueLabel(tx, account_id);
  if (label_id !== null && (await keepLabel(tx, account_id, label_id)))
    for (const id of ids) await addLabel(tx, account_id, id, label_id);
  const entries = await addEntries(
    tx,
    account_id,
    missed.map(({ conversation_id, assignee_id, target, due }) => ({
      conversation: { id: conversation_id, assignee_id },
      kind: 'target' as const,
      user_id: null,
      detail: { missed: { target, due } },
    })),
  );
  const rows = new Map((await listConversationsById(tx, account_id, ids)).map((row) => [row.id, row]));
  for (const row of rows.values()) emit(tx, conversationUpdated, account_id, row);
  for (const [n, { conversation_id, assignee_id, target, due }] of missed.entries()) {
    const row = rows.get(conversation_id);
    if (!row) continue;
    const contact = row.contact_name || row.profile_name || `+${row.number}`;
    emit(tx, targetMissed, account_id, {
      id: entries[n]!.id,
      ...{ conversation_id, assignee_id, contact, target, due },
    });
  }
}

/** The targets, the office hours, or a team changed. */
export const resetClocks = (tx: Tx, account_id: string) => enqueue(tx, clocksJob, { account_id });

export async function setClocks({ db }: Kernel, account_id: string, signal: AbortSignal): Promise<void> {
  let after: string | null = FIRST;
  while (after !== null && !signal.aborted) {
    const from: string = after;
    after = await db.tx((tx) => queries.setClocks(tx, account_id, from, PORTION));
  }
  if (!signal.aborted) await db.tx(async (tx) => emit(tx, targetsChanged, account_id, { id: account_id }));
}
