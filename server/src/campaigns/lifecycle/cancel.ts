/**
 * Cancels the queued messages of a canceled campaign and releases their holds in batches, and lists the contacts that
 * have no message. Each step can be repeated, so the job continues after a crash.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { applyStatuses } from '../../messages/messages.ts';
import { announce } from '../model/announce.ts';
import { listMessagesAfter, lockCampaign, WAITING } from '../model/queries.ts';
import { frozenReach, listContactsAfter, listContactsWithIds, releaseAudiences } from '../model/reach.ts';
import type { CampaignRow } from '../model/row.ts';
import { wasInTest } from '../model/sample.ts';
import { storeSkips } from '../progress/skips.ts';

export interface CampaignRef {
  account_id: string;
  id: string;
}

export const cancelQueued = job<CampaignRef>('campaigns.cancel_queued', { retry: 20, concurrency: 2 });

const PORTION = 1_000;
const WAITS = 10_000;
/** A message that is being submitted may return to the queue. The next run cancels it then. */
const RETRY_MS = 3_000;

export async function runCancelQueued(
  kernel: Kernel,
  { account_id, id }: CampaignRef,
  signal?: AbortSignal,
): Promise<void> {
  for (let after = '', more = true; more && !signal?.aborted; ) {
    const messages = await listMessagesAfter(kernel.db, { account_id, id }, WAITING, after, PORTION);
    if (messages.length > 0)
      await cancelPortion(
        kernel,
        account_id,
        messages.map((message) => message.id),
      );
    after = messages.at(-1)?.number ?? after;
    more = messages.length === PORTION;
  }
  await listUnsent(kernel, { account_id, id }, signal);
  await kernel.db.tx(async (tx) => {
    const remaining = await listMessagesAfter(tx, { account_id, id }, WAITING, '', 1);
    if (remaining.length === 0) return;
    await enqueue(tx, cancelQueued, { account_id, id }, { start_after: new Date(Date.now() + RETRY_MS) });
  });
}

/** Stores the contacts that the cancellation left without a message: those who waited, and those after the cursor. */
async function listUnsent(kernel: Kernel, campaign: CampaignRef, signal?: AbortSignal): Promise<void> {
  const inPortions = async (step: (tx: Tx, row: CampaignRow) => Promise<'more' | 'done'>) => {
    for (let result = 'more'; result === 'more'; ) {
      if (signal?.aborted) throw new Error('stopped before all contacts were listed');
      result = await kernel.db.tx(async (tx) => {
        const row = await lockCampaign(tx, campaign.account_id, campaign.id);
        // The campaign was deleted, or an earlier run of the job has listed them.
        return row === null || row.canceled_after === null || row.lists_canceled ? 'done' : step(tx, row);
      });
    }
  };
  await inPortions(endWaits);
  let after: string | null = null;
  await inPortions(async (tx, row) => {
    const range = { after: after ?? row.canceled_after, until: row.last_contact_id };
    // Without a last contact, the campaign has not started.
    const page = row.last_contact_id === null ? [] : await listContactsAfter(tx, frozenReach(row), range, PORTION);
    // The contacts of an A/B test are already processed, although they come after the cursor.
    const contacts = page.filter((contact) => !wasInTest(row, contact));
    await storeSkips(
      tx,
      row,
      contacts.map((contact) => ({ contact, reason: 'canceled' })),
    );
    after = page.at(-1)?.id ?? after;
    return page.length < PORTION ? 'done' : 'more';
  });
  await inPortions(completeList);
}

async function endWaits(tx: Tx, row: CampaignRow): Promise<'more' | 'done'> {
  const { account_id, id } = row;
  const ended = await tx.rows<{ contact_id: string }>(sql`
      delete from campaign_waits w using (
        select not_before, contact_id from campaign_waits
        where account_id = ${account_id} and campaign_id = ${id} limit ${WAITS}
      ) old
      where w.account_id = ${account_id} and w.campaign_id = ${id} and w.not_before = old.not_before
        and w.contact_id = old.contact_id
      returning w.contact_id`);
  const ids = ended.map(({ contact_id }) => contact_id);
  const numbers = new Map((await listContactsWithIds(tx, frozenReach(row), ids)).map((one) => [one.id, one.number]));
  await storeSkips(
    tx,
    row,
    ids.map((contact_id) => ({
      contact: { id: contact_id, number: numbers.get(contact_id) ?? '' },
      reason: 'canceled',
    })),
  );
  return ended.length === WAITS ? 'more' : 'done';
}

/** Contacts that left the audience before they could be listed count as removed. */
async function completeList(tx: Tx, row: CampaignRow): Promise<'done'> {
  const { account_id, id, skipped } = row;
  const { listed } = await tx.one<{ listed: number }>(sql`
    select count(*)::int as listed from campaign_skips
    where account_id = ${account_id} and campaign_id = ${id} and reason = 'canceled'`);
  const { canceled = 0, removed = 0, ...others } = skipped;
  const counts = { canceled: listed, removed: removed + Math.max(0, canceled - listed) };
  const next = { ...others, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) };
  // A contact imported before the start but committed after it is listed but not in the total.
  const late = Math.max(0, listed - canceled);
  await tx.run(sql`
    update campaigns set skipped = ${JSON.stringify(next)}::jsonb, total = total + ${late}::int, lists_canceled = true
    where account_id = ${account_id} and id = ${id}`);
  await releaseAudiences(tx, row);
  await announce(tx, account_id, id);
  return 'done';
}

const cancelPortion = (kernel: Kernel, account_id: string, message_ids: readonly string[]): Promise<void> =>
  kernel.db.tx(async (tx) => {
    // The queue row decides the outcome: a worker that submits the message has already moved it out of `queued`.
    const rows = await tx.rows<{ message_id: string }>(sql`
      select message_id from dispatch
      where account_id = ${account_id} and message_id = any(${message_ids}::uuid[])
        and stage in ('queued', 'review')
      order by message_id for update skip locked`);
    await applyStatuses(
      tx,
      rows.map(({ message_id }) => ({ account_id, message_id, ...CANCELED })),
    );
  });

const CANCELED = { status: 'canceled', source: 'person', text: 'The campaign was canceled' } as const;
