/** Cancels the queued messages of a canceled campaign and releases their holds in batches. */
import { sql } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { applyStatuses } from '../../messages/messages.ts';
import { messagesAfter, WAITING } from '../model/queries.ts';

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
    const messages = await messagesAfter(kernel.db, { account_id, id }, WAITING, after, PORTION);
    if (messages.length > 0)
      await cancelPortion(
        kernel,
        account_id,
        messages.map((message) => message.id),
      );
    after = messages.at(-1)?.number ?? after;
    more = messages.length === PORTION;
  }
  await removeWaits(kernel, { account_id, id }, signal);
  await kernel.db.tx(async (tx) => {
    const remaining = await messagesAfter(tx, { account_id, id }, WAITING, '', 1);
    if (remaining.length === 0) return;
    await enqueue(tx, cancelQueued, { account_id, id }, { start_after: new Date(Date.now() + RETRY_MS) });
  });
}

/** Removes the contacts who waited for their time. */
async function removeWaits(kernel: Kernel, { account_id, id }: CampaignRef, signal?: AbortSignal): Promise<void> {
  for (let removed = WAITS; removed === WAITS && !signal?.aborted; ) {
    const rows = await kernel.db.rows(sql`
      delete from campaign_waits w using (
        select not_before, contact_id from campaign_waits
        where account_id = ${account_id} and campaign_id = ${id} limit ${WAITS}
      ) old
      where w.account_id = ${account_id} and w.campaign_id = ${id} and w.not_before = old.not_before
        and w.contact_id = old.contact_id
      returning 1`);
    removed = rows.length;
  }
}

const cancelPortion = (kernel: Kernel, account_id: string, message_ids: readonly string[]): Promise<void> =>
  kernel.db.tx(async (tx) => {
    // The queue row decides the outcome: a worker that submits the message has already moved it out of `queued`.
    const rows = await tx.rows<{ message_id: string }>(sql`
      select message_id from dispatch
      where account_id = ${account_id} and message_id = any(${message_ids}::uuid[]) and stage = 'queued'
      order by message_id for update skip locked`);
    await applyStatuses(
      tx,
      rows.map(({ message_id }) => ({ account_id, message_id, ...CANCELED })),
    );
  });

const CANCELED = { status: 'canceled', source: 'person', text: 'The campaign was canceled' } as const;
