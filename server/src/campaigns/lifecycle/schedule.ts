/**
 * Starts each scheduled campaign, and each run of a repeating one, once, on the first worker that locks it. If it
 * cannot start, it pauses with the reason. If it is more than an hour late because no worker was running, it pauses,
 * starts, or is canceled, as the campaign says.
 */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { tryLockCampaign } from '../model/queries.ts';
import { campaignReason } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';
import { LATE_MS } from '../timing/planner.ts';
import { bySchedule } from './approval.ts';
import { moveCampaign, setStatus } from './lifecycle.ts';
import { advanceSeries, startRun } from './series.ts';

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
      if (row.repeat) {
        await runSeries(tx, kernel, row);
        return null;
      }
      if (isMissed(row, tx.now)) {
        if (row.timing.missed_schedule !== 'skip') return 'missed_schedule';
        await moveCampaign(tx, kernel, row, 'canceled', bySchedule(row));
        await setStatus(tx, row, 'canceled', 'missed_schedule');
        await announce(tx, account_id, id);
        return null;
      }
      await moveCampaign(tx, kernel, row, 'in_progress', bySchedule(row));
      await announce(tx, account_id, id);
      return null;
    });
  } catch (error) {
    const reason = campaignReason(error);
    if (reason === null) throw error;
    return reason;
  }
}

/** Starts the run of a series. After an outage, the run is sent late or left out, or the series pauses. */
async function runSeries(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<void> {
  if (!isMissed(row, tx.now)) await startRun(tx, kernel, row, null);
  else if (row.timing.missed_schedule === 'skip') await advanceSeries(tx, row);
  else {
    await setStatus(tx, row, 'paused', 'missed_schedule');
    await announce(tx, row.account_id, row.id);
  }
  failpoint('before_run_commit');
}

/** A campaign that follows the time zones of its recipients is late only when the account's own time has passed. */
const isMissed = ({ schedule, timing }: CampaignRow, now: Date): boolean =>
  timing.missed_schedule !== 'send' && now.getTime() - parseTimestamp(schedule!).getTime() > LATE_MS;

async function pauseScheduled(kernel: Kernel, account_id: string, id: string, reason: CampaignReason): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const row = await tryLockCampaign(tx, account_id, id);
    if (row?.status !== 'scheduled') return;
    if (row.repeat) {
      // Another worker may have started the run in the meantime.
      if (row.due_date !== null && parseTimestamp(row.due_date) <= tx.now) await startRun(tx, kernel, row, reason);
      return;
    }
    await setStatus(tx, row, 'paused', reason);
    await announce(tx, account_id, id);
  });
  kernel.log.warn({ account_id, campaign_id: id, reason }, 'scheduled campaign not started');
}
