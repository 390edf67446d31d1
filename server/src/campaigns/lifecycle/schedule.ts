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
import { announce, reread } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { tryLockCampaign } from '../model/queries.ts';
import { campaignReason } from '../model/reasons.ts';
import type { CampaignRow } from '../model/row.ts';
import { LATE_MS } from '../timing/planner.ts';
import { isAutomation, watchTriggers } from './activation.ts';
import { bySchedule } from './approval.ts';
import { runAutomation, skipDay } from './automations.ts';
import { moveCampaign, setStatus } from './lifecycle.ts';
import { advanceSeries, startRun } from './series.ts';

const INTERVAL_MS = 1_000;
const ENTRIES = 1_000;
const RETRY_MS = 60_000;

export const startSchedule = (kernel: Kernel): Loop =>
  startLoop(kernel, 'campaign schedule', async () => {
    await startDue(kernel);
    return INTERVAL_MS;
  });

/** Starts all campaigns that are due. If one fails, the others still start. */
export async function startDue(kernel: Kernel): Promise<void> {
  const due = await kernel.db.rows<CampaignKey>(sql`
    select account_id, id from campaigns
    where status = 'scheduled' and coalesce(due_date, schedule) <= ${kernel.clock.now()}
    order by coalesce(due_date, schedule) limit 50`);
  for (const campaign of due) await tryStart(kernel, campaign);
  for (const campaign of await listEntered(kernel))
    if (!(await tryStart(kernel, campaign)))
      // The others go first.
      await kernel.db.run(sql`
        update campaign_entries set due_date = ${new Date(kernel.clock.now().getTime() + RETRY_MS)}
        where account_id = ${campaign.account_id} and campaign_id = ${campaign.id} and run_id is null
          and due_date <= ${kernel.clock.now()}`);
}

interface CampaignKey {
  account_id: string;
  id: string;
}

/** Returns false after an internal error. */
async function tryStart(kernel: Kernel, { account_id, id }: CampaignKey): Promise<boolean> {
  try {
    const refusal = await startScheduled(kernel, account_id, id);
    if (refusal) await pauseScheduled(kernel, account_id, id, refusal);
    return true;
  } catch (error) {
    kernel.log.error({ err: error, account_id, campaign_id: id }, 'campaign schedule');
    return false;
  }
}

/** The automations that people have started. It reads only as many people as one round can start. */
async function listEntered({ db, clock }: Kernel): Promise<CampaignKey[]> {
  const rows = await db.rows<CampaignKey>(sql`
    select account_id, campaign_id as id from campaign_entries
    where run_id is null and due_date <= ${clock.now()} order by due_date limit ${ENTRIES}`);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Starts a campaign. Returns the reason why it did not start, or null if it started here or on another worker. */
async function startScheduled(kernel: Kernel, account_id: string, id: string): Promise<CampaignReason | null> {
  try {
    return await kernel.db.tx(async (tx) => {
      const row = await tryLockCampaign(tx, account_id, id);
      if (row?.status !== 'scheduled') {
        await settleEntries(tx, account_id, id, row);
        return null;
      }
      if (isAutomation(row)) {
        await startAutomation(tx, kernel, row);
        return null;
      }
      if (row.schedule === null) return null;
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

/**
 * A transaction that began before the automation stopped can note people afterward. They wait with the others, or are
 * removed. Otherwise, they would stay due, and hold up the automations of all accounts.
 */
async function settleEntries(tx: Tx, account_id: string, id: string, row: CampaignRow | null): Promise<void> {
  if (row === null)
    // Another worker has locked the campaign, or it is deleted.
    await tx.run(sql`
      delete from campaign_entries
      where account_id = ${account_id} and campaign_id = ${id} and run_id is null
        and not exists (select from campaigns where account_id = ${account_id} and id = ${id})`);
  else if (isAutomation(row)) await watchTriggers(tx, row);
}

/** The schedule of an automation is the next day of its dates. */
async function startAutomation(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<void> {
  if (row.due_date !== null && parseTimestamp(row.due_date) > tx.now) return;
  if (row.schedule === null || !isMissed(row, tx.now)) await runAutomation(tx, kernel, row, null);
  else if (row.timing.missed_schedule === 'skip') await skipDay(tx, row);
  else {
    await setStatus(tx, row, 'paused', 'missed_schedule');
    await watchTriggers(tx, await reread(tx, row.account_id, row.id));
    await announce(tx, row.account_id, row.id);
  }
  failpoint('before_run_commit');
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
    // Another worker may have started the run in the meantime.
    const isDue = row.due_date === null || parseTimestamp(row.due_date) <= tx.now;
    if (isAutomation(row)) return isDue ? runAutomation(tx, kernel, row, reason) : undefined;
    if (row.repeat) {
      if (row.due_date !== null && isDue) await startRun(tx, kernel, row, reason);
      return;
    }
    await setStatus(tx, row, 'paused', reason);
    await announce(tx, account_id, id);
  });
  kernel.log.warn({ account_id, campaign_id: id, reason }, 'scheduled campaign not started');
}
