/** After a cancel: what waits in the queue is canceled and its money given back, portion by portion. */
import { sql } from '../kernel/db.ts';
import { enqueue, job } from '../kernel/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { applyStatuses } from '../messages/messages.ts';

export interface CampaignRef {
  account_id: string;
  id: string;
}

export const cancelQueued = job<CampaignRef>('campaigns.cancel_queued', { retry: 20, concurrency: 2 });

const PORTION = 1_000;
/** What a carrier is being given at the moment may still come back to the queue; then it is canceled by the next look. */
const LOOK_AGAIN_MS = 3_000;

export async function runCancelQueued(
  kernel: Kernel,
  { account_id, id }: CampaignRef,
  signal?: AbortSignal,
): Promise<void> {
  for (let canceled = PORTION; canceled === PORTION && !signal?.aborted; ) {
    canceled = await kernel.db.tx(async (tx) => {
      // The queue row is the right to decide: a worker that submits has taken it out of `queued` first.
      const rows = await tx.rows<{ message_id: string }>(sql`
        select d.message_id from dispatch d join messages m on m.account_id = d.account_id and m.id = d.message_id
        where m.account_id = ${account_id} and m.campaign_id = ${id} and m.status in ('scheduled', 'enroute') and d.stage = 'queued'
        limit ${PORTION} for update of d skip locked`);
      await applyStatuses(
        tx,
        rows.map(({ message_id }) => ({
          account_id,
          message_id,
          status: 'canceled',
          source: 'person',
          text: 'The campaign was canceled',
        })),
      );
      return rows.length;
    });
  }
  await kernel.db.tx(async (tx) => {
    const left = await tx.maybeOne(sql`
      select 1 from messages where account_id = ${account_id} and campaign_id = ${id} and status in ('scheduled', 'enroute') limit 1`);
    if (!left) return;
    await enqueue(tx, cancelQueued, { account_id, id }, { start_after: new Date(Date.now() + LOOK_AGAIN_MS) });
  });
}
