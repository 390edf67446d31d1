/**
 * The runs of a repeating campaign. Each run is a new campaign with the message and the audiences that the series has
 * at that time. The run starts, and the series moves to its next run, in one transaction under the lock of the series.
 * A crash or a second worker can therefore neither repeat nor lose a run.
 */
import { type Campaign, type CampaignReason, campaignCreated } from '@parley/contract/campaigns/campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { useFiles } from '../draft/files.ts';
import { chooseNameLike, formatLocalMinute } from '../draft/name.ts';
import { announce, reread } from '../model/announce.ts';
import { lockCampaign } from '../model/queries.ts';
import { type CampaignRow, toCampaign } from '../model/row.ts';
import { findNextRun } from '../timing/repeats.ts';
import { bySchedule } from './approval.ts';
import { moveCampaign, setStatus } from './lifecycle.ts';

/** Room for a date and a number in a name of 45 characters. */
const MAX_NAME = 29;

/**
 * Creates the run of the current schedule, and starts it. With a reason, the run is paused instead, because it could
 * not start.
 */
export async function startRun(tx: Tx, kernel: Kernel, row: CampaignRow, refusal: CampaignReason | null) {
  const { account_id } = row;
  const id = newId();
  await insertRun(tx, row, id, { run_date: parseTimestamp(row.schedule!), open_until: null, is_scheduled: true });
  await launchRun(tx, kernel, id, row, refusal);
  emit(tx, campaignCreated, account_id, toCampaign(await reread(tx, account_id, id)));
  await advanceSeries(tx, row);
}

interface NewRun {
  run_date: Date;
  open_until: Date | null;
  /** True if the run has the schedule of the series. */
  is_scheduled: boolean;
}

/** Creates a run of a repeating campaign or of an automation, with the message that it has now. */
export async function insertRun(tx: Tx, row: CampaignRow, id: string, run: NewRun): Promise<void> {
  const { account_id } = row;
  const date = formatLocalMinute(run.run_date, row.account_zone).slice(0, 10);
  const name = await chooseNameLike(tx, account_id, `${row.name.slice(0, MAX_NAME).toWellFormed().trim()} ${date}`);
  await tx.run(sql`
    insert into campaigns (account_id, id, name, status, series_id, run_date, create_date, update_date, channel,
      sender_id, audience_id, audience_ids, excluded_audience_ids, text, session_text, content, countries,
      fallbacks, template_id, validity_seconds, timing, safety, test, trigger, open_until, schedule, due_date,
      user_id, approval_id, approval_status, tags)
    select account_id, ${id}, ${name}, 'scheduled', id, ${run.run_date}, ${tx.now}, ${tx.now}, channel, sender_id,
           audience_id, audience_ids, excluded_audience_ids, text, session_text, content, countries, fallbacks,
           template_id, validity_seconds, timing, safety, test, trigger, ${run.open_until},
           ${run.is_scheduled ? sql`schedule, due_date` : sql`null, null`}, user_id, approval_id,
           approval_status, tags
    from campaigns where account_id = ${account_id} and id = ${row.id}`);
}

/** Starts a run, or pauses it with the reason why it could not start. */
export async function launchRun(
  tx: Tx,
  kernel: Kernel,
  id: string,
  { account_id }: CampaignRow,
  refusal: CampaignReason | null,
): Promise<void> {
  const run = await reread(tx, account_id, id);
  if (refusal) {
    await setStatus(tx, run, 'paused', refusal);
    await announce(tx, account_id, id);
  } else {
    await useFiles(tx, run);
    await moveCampaign(tx, kernel, run, 'in_progress', bySchedule(run));
  }
}

/** Moves the series to the run after its schedule. After an outage, runs in the past are left out. */
export async function advanceSeries(tx: Tx, row: CampaignRow): Promise<void> {
  const { account_id, id } = row;
  const after = Math.max(parseTimestamp(row.schedule!).getTime(), tx.now.getTime());
  const next = await findNextRun(tx, row, new Date(after));
  if (next)
    await tx.run(sql`
      update campaigns set schedule = ${next.schedule}, due_date = ${next.due_date}, update_date = ${tx.now}
      where account_id = ${account_id} and id = ${id}`);
  else
    await tx.run(sql`
      update campaigns set status = 'completed', status_details = null, end_date = ${tx.now}, update_date = ${tx.now}
      where account_id = ${account_id} and id = ${id}`);
  await announce(tx, account_id, id);
}

/** Skips the run at this time. */
export async function skipRun(tx: Tx, account_id: string, id: string, schedule: string): Promise<Campaign> {
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const isNext = row.schedule !== null && parseTimestamp(row.schedule).getTime() === parseTimestamp(schedule).getTime();
  if (!row.repeat || !isNext || !['scheduled', 'paused'].includes(row.status))
    throw new Problem('CAMPAIGN_SKIP_NOT_ALLOWED');
  await advanceSeries(tx, row);
  return toCampaign(await reread(tx, account_id, id));
}
