/** Opens, snoozes, and closes conversations, and records each change. Inbound messages open them in `messages`. */
import { parseTimestamp } from '@parley/contract/common.ts';
import { conversationUpdated, STATUS_NEEDS } from '@parley/contract/inbox/inbox.ts';
import { type ConversationStatus, MAX_SNOOZE_DAYS } from '@parley/contract/inbox/statuses.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { type Actor, requireAccess } from '../kernel/security/auth.ts';
import { addEntries, addEntry } from './entries.ts';
import { listConversationsById } from './queries.ts';
import * as queries from './status_queries.ts';

/** Opens the snoozed conversations whose time has come. Safe to repeat. */
export const wakeJob = job<{ account_id: string }>('inbox.wake');

const DAY_MS = 86_400_000;
/** Allows for differences between the clocks of the database and the processes. */
const WAKE_DELAY_MS = 200;

interface StatusChangeInput {
  status?: ConversationStatus | undefined;
  snooze_until?: string | undefined;
}

/** The caller has locked the conversation and may view it. Returns false if nothing changes. */
export async function changeStatus(
  tx: Tx,
  actor: Actor,
  conversation: queries.StatusRow & { assignee_id: string | null },
  { status, snooze_until }: StatusChangeInput,
): Promise<boolean> {
  requireAccess(actor, { needs: STATUS_NEEDS, method: 'PUT' });
  const until = readSnooze(status, snooze_until, tx.now);
  const to = status!;
  if (to === conversation.status && to !== 'snoozed') return false;
  const { account_id } = actor;
  await queries.setStatus(tx, account_id, conversation.id, to, until);
  await addEntry(tx, account_id, conversation, {
    kind: 'status',
    user_id: actor.user_id,
    detail: { status: { from: conversation.status, to, until: snooze_until?.slice(0, 19) ?? null } },
  });
  if (until) await enqueue(tx, wakeJob, { account_id }, { start_after: new Date(until.getTime() + WAKE_DELAY_MS) });
  return true;
}

/** A time is given for the status `snoozed`, and for no other. */
function readSnooze(status: ConversationStatus | undefined, snooze_until: string | undefined, now: Date): Date | null {
  if (status !== 'snoozed') {
    if (snooze_until !== undefined) throw new Problem('SNOOZE_TIME_INVALID');
    return null;
  }
  const until = snooze_until === undefined ? null : parseTimestamp(snooze_until);
  if (until === null || until <= now || until.getTime() > now.getTime() + MAX_SNOOZE_DAYS * DAY_MS)
    throw new Problem('SNOOZE_TIME_INVALID');
  return until;
}

const PORTION = 200;

/** Opens the snoozed conversations of an account whose time has come. */
export async function wakeConversations({ db, clock }: Kernel, account_id: string, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; )
    hasMore = await db.tx(async (tx) => {
      const rows = await queries.wake(tx, account_id, clock.now(), PORTION);
      await announceMoved(tx, account_id, rows, 'open');
      return rows.length === PORTION;
    });
}

/** Restarts wake jobs that were lost, for example in a restore. */
export async function sweepSnoozed({ db, clock }: Kernel): Promise<void> {
  for (const { account_id } of await queries.listAccountsToWake(db, clock.now()))
    await db.tx((tx) => enqueue(tx, wakeJob, { account_id }));
}

/** Closes conversations without recent messages, in the accounts that have set a period. */
export async function closeIdle({ db, clock }: Kernel, signal: AbortSignal): Promise<void> {
  for (const { account_id, auto_close_days } of await queries.listAccountsThatClose(db)) {
    const before = new Date(clock.now().getTime() - auto_close_days * DAY_MS);
    for (let hasMore = true; hasMore && !signal.aborted; )
      hasMore = await db.tx(async (tx) => {
        const rows = await queries.closeIdle(tx, account_id, before, PORTION);
        await announceMoved(tx, account_id, rows, 'closed');
        return rows.length === PORTION;
      });
  }
}

async function announceMoved(
  tx: Tx,
  account_id: string,
  rows: readonly queries.MovedRow[],
  to: ConversationStatus,
): Promise<void> {
  if (rows.length === 0) return;
  await addEntries(
    tx,
    account_id,
    rows.map(({ id, assignee_id, before }) => ({
      conversation: { id, assignee_id },
      kind: 'status' as const,
      user_id: null,
      detail: { status: { from: before, to, until: null } },
    })),
  );
  const ids = rows.map(({ id }) => id);
  for (const row of await listConversationsById(tx, account_id, ids)) emit(tx, conversationUpdated, account_id, row);
}
