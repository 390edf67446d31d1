/**
 * Starts each scheduled campaign once, on the first worker that locks it. If it cannot start, it pauses with the
 * reason. If it is more than an hour late because no worker was running, it pauses, starts, or is canceled, as the
 * campaign says.
 */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { tryLockCampaign } from '../model/queries.ts';
import { campaignReason } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';
import { LATE_MS } from '../timing/planner.ts';
import { moveCampaign, setStatus } from './lifecycle.ts';

const INTERVAL_MS = 1_000;

export const startSchedule = (kernel: Kernel): Loop =>
  startLoop(kernel, 'campaign schedule', async () => {
    await startDue(kernel);
    return INTERVAL_MS;
  });

/** Starts all campaigns that are due. If one fails, the others still start. */
export async function startDue(kernel: Kernel): Promise<void> {
  const due = await kernel.db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from campaigns
    where status = 'scheduled' and coalesce(due_date, schedule) <= ${kernel.clock.now()}
    order by coalesce(due_date, schedule) limit 50`);
  for (const { account_id, id } of due) {
    try {
      const refusal = await startScheduled(kernel, account_id, id);
      if (refusal) await pauseScheduled(kernel, account_id, id, refusal);
    } catch (error) {
      kernel.log.error({ err: error, account_id, campaign_id: id }, 'campaign schedule');
    }
  }
}

/** Starts a campaign. Returns the reason why it did not start, or null if it started here or on another worker. */
async function startScheduled(kernel: Kernel, account_id: string, id: string): Promise<CampaignReason | null> {
  try {
    return await kernel.db.tx(async (tx) => {
      const row = await tryLockCampaign(tx, account_id, id);
      if (row?.status !== 'scheduled' || row.schedule === null) return null;
      if (parseTimestamp(row.due_date ?? row.schedule) > tx.now) return null;
      if (isMissed(row, tx.now)) {
        if (row.timing.missed_schedule !== 'skip') return 'missed_schedule';
        await moveCampaign(tx, kernel, row, 'canceled');
        await setStatus(tx, row, 'canceled', 'missed_schedule');
        await announce(tx, account_id, id);
        return null;
      }
      await moveCampaign(tx, kernel, row, 'in_progress');
      await announce(tx, account_id, id);
      return null;
    });
  } catch (error) {
    const reason = campaignReason(error);
    if (reason === null) throw error;
    return reason;
  }
}

/** A campaign that follows the time zones of its recipients is late only when the account's own time has passed. */
const isMissed = ({ schedule, timing }: CampaignRow, now: Date): boolean =>
  timing.missed_schedule !== 'send' && now.getTime() - parseTimestamp(schedule!).getTime() > LATE_MS;

async function pauseScheduled(kernel: Kernel, account_id: string, id: string, reason: CampaignReason): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const row = await tryLockCampaign(tx, account_id, id);
    if (row?.status !== 'scheduled') return;
    await setStatus(tx, row, 'paused', reason);
    await announce(tx, account_id, id);
  });
  kernel.log.warn({ account_id, campaign_id: id, reason }, 'scheduled campaign not started');
}
