/**
 * Deletes the contents of old messages and notes for accounts that keep them for a limited time (`content_days`). The
 * status, time, number, and price of messages are kept, so figures, invoices, and the ledger do not change.
 */
import { contentsExpired } from '@parley/contract/people/erasures.ts';
import { idAt } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { eraseTexts } from '../messages/messages.ts';
import { type Candidate, eraseContents } from './erase_messages.ts';
import { inFlight } from './erasure_queries.ts';

const PORTION = 500;
const DAY_MS = 86_400_000;

export const retentionJob = job<{ account_id: string }>('people.expire_contents', {
  key: ({ account_id }) => account_id,
  group: ({ account_id }) => account_id,
  expire_seconds: 3_600,
});

export async function enqueueRetention({ db }: Kernel): Promise<void> {
  const accounts = await db.rows<{ id: string }>(sql`
    select id from accounts where content_days is not null and erase_date is null order by id`);
  for (const { id } of accounts) await db.tx((tx) => enqueue(tx, retentionJob, { account_id: id }));
}

/** Each portion stores its progress in the same transaction, so a run that a crash ends continues from there. */
export async function runRetention(
  kernel: Kernel,
  { account_id }: { account_id: string },
  signal: AbortSignal,
): Promise<void> {
  let total = 0;
  for (let hasMore = true; hasMore; ) {
    if (signal.aborted) throw new Error('stopped before all old contents were deleted');
    const portion = await kernel.db.tx((tx) => runPortion(tx, account_id), 'by index');
    failpoint('retention.portion');
    total += portion.erased;
    hasMore = portion.hasMore;
  }
  if (total > 0) await kernel.db.tx(async (tx) => emit(tx, contentsExpired, account_id, { messages_count: total }));
}

interface Progress {
  messages_after: string;
  entries_after: string;
}

async function runPortion(tx: Tx, account_id: string): Promise<{ erased: number; hasMore: boolean }> {
  const account = await tx.maybeOne<{ content_days: number }>(sql`
    select content_days from accounts where id = ${account_id} and content_days is not null`);
  if (!account) return { erased: 0, hasMore: false };
  const until = new Date(tx.now.getTime() - account.content_days * DAY_MS);
  await tx.run(sql`
    insert into content_retention (account_id, run_date) values (${account_id}, ${tx.now})
    on conflict (account_id) do nothing`);
  const progress = await tx.one<Progress>(sql`
    select messages_after, entries_after from content_retention where account_id = ${account_id} for update`);
  const sent = await eraseSent(tx, account_id, until);
  const messages = await eraseNext(tx, account_id, progress.messages_after, until);
  const entries = await eraseNotes(tx, account_id, progress.entries_after, until);
  const erased = sent + messages.erased;
  await tx.run(sql`
    update content_retention set messages_after = ${messages.after}, entries_after = ${entries.after},
      messages_count = messages_count + ${erased}, run_date = ${tx.now}
    where account_id = ${account_id}`);
  return { erased, hasMore: sent === PORTION || messages.isFull || entries.isFull };
}

/** Erases the next messages in the order of their IDs. Messages that are still to be sent are noted for later runs. */
async function eraseNext(tx: Tx, account_id: string, after: string, until: Date) {
  const rows = await tx.rows<Candidate>(sql`
    select m.id, m.direction, m.content->>'media_id' as media_id, coalesce(m.marks ? 'erased', false) as is_erased,
           ${inFlight} as in_flight
    from messages m
    where m.account_id = ${account_id} and m.id > ${after}::uuid and m.id < ${idAt(until.getTime())}::uuid
    order by m.id limit ${PORTION} for update of m`);
  const due = rows.filter((row) => !row.is_erased && !row.in_flight);
  await eraseContents(tx, account_id, due);
  const waiting = rows.filter((row) => row.in_flight).map(({ id }) => id);
  await tx.run(sql`
    insert into content_retention_waiting (account_id, message_id)
    select ${account_id}, id from unnest(${waiting}::uuid[]) as w(id)
    on conflict do nothing`);
  return { erased: due.length, after: rows.at(-1)?.id ?? after, isFull: rows.length === PORTION };
}

/** Erases noted messages that were sent in the meantime, counting from the time for which they were scheduled. */
async function eraseSent(tx: Tx, account_id: string, until: Date): Promise<number> {
  const rows = await tx.rows<Candidate>(sql`
    select m.id, m.direction, m.content->>'media_id' as media_id, coalesce(m.marks ? 'erased', false) as is_erased,
           false as in_flight
    from content_retention_waiting w join messages m on m.account_id = w.account_id and m.id = w.message_id
    where w.account_id = ${account_id} and coalesce(m.schedule, m.create_date) < ${until} and not ${inFlight}
    order by m.id limit ${PORTION} for update of m`);
  await eraseContents(
    tx,
    account_id,
    rows.filter((row) => !row.is_erased),
  );
  await tx.run(sql`
    delete from content_retention_waiting
    where account_id = ${account_id} and message_id = any(${rows.map(({ id }) => id)}::uuid[])`);
  return rows.length;
}

/** Deletes notes. Entries about assignments and statuses contain no texts and stay. */
async function eraseNotes(tx: Tx, account_id: string, after: string, until: Date) {
  const rows = await tx.rows<{ id: string; kind: string }>(sql`
    select id, kind from conversation_entries
    where account_id = ${account_id} and id > ${after}::uuid and id < ${idAt(until.getTime())}::uuid
    order by id limit ${PORTION}`);
  const notes = rows.filter(({ kind }) => kind === 'note').map(({ id }) => id);
  await tx.run(sql`
    delete from conversation_entries where account_id = ${account_id} and id = any(${notes}::uuid[])`);
  await tx.run(sql`
    delete from conversation_mentions where account_id = ${account_id} and entry_id = any(${notes}::uuid[])`);
  await eraseTexts(tx, account_id, notes);
  return { after: rows.at(-1)?.id ?? after, isFull: rows.length === PORTION };
}
