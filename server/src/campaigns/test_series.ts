/**
 * Repeating test-key campaigns. A run is a separate test campaign. It is created, and the series moves to its
 * next run, in one transaction under the lock of the series, so a repeated job does nothing.
 */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignRepeat } from '@parley/contract/campaigns/repeats.ts';
import { testCampaignChanged } from '@parley/contract/campaigns/test_campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { formatLocalMinute } from './draft/name.ts';
import { listRunTimes, upcomingRuns } from './model/run_times.ts';
import * as queries from './test_queries.ts';
import { type TestRun, testRun } from './test_run_job.ts';

/** Room for a date and a number in a name of 45 characters. */
const MAX_NAME = 29;

const readZone = async (db: Queryable, account_id: string): Promise<string> =>
  (await db.one<{ timezone: string }>(sql`select timezone from accounts where id = ${account_id}`)).timezone;

const toWire = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** `schedule` is the time of the next run, and `first` the one that its user has set. */
interface Series {
  account_id: string;
  repeat: CampaignRepeat | null;
  first: string | null;
  schedule: string | null;
}

/** The next runs of a campaign, as they are shown. */
export async function showRuns(db: Queryable, series: Series, status: Campaign['status']): Promise<string[]> {
  if (!series.repeat) return [];
  const account_zone = await readZone(db, series.account_id);
  return upcomingRuns({ ...series, repeat_date: series.first, account_zone, status }).map(toWire);
}

async function findNext(tx: Tx, series: Series): Promise<Date | null> {
  const account_zone = await readZone(tx, series.account_id);
  const schedule = parseTimestamp(series.schedule!);
  // After an outage, runs in the past are left out.
  const after = Math.max(schedule.getTime(), tx.now.getTime());
  const times = listRunTimes({ ...series, repeat_date: series.first, account_zone }, new Date(after), 2);
  return times.find((time) => time.getTime() > after) ?? null;
}

const toSeries = ({ account_id, request, campaign }: queries.TestCampaignRow): Series => ({
  ...{ account_id, repeat: campaign.repeat, first: request.schedule ?? null, schedule: campaign.schedule },
});

/** The time of the next run: the schedule of the series, or the run after it if it has passed. */
export async function nextTestRun(tx: Tx, row: queries.TestCampaignRow): Promise<string | null> {
  const { schedule } = row.campaign;
  if (schedule === null || parseTimestamp(schedule) > tx.now) return schedule;
  const next = await findNext(tx, toSeries(row));
  if (!next) throw new Problem('CAMPAIGN_REPEAT_INVALID');
  return toWire(next);
}

/** Creates the run of the current schedule, which starts immediately. */
export async function startTestSeriesRun(tx: Tx, row: queries.TestCampaignRow): Promise<void> {
  const { account_id, key_id, audience_ids, campaign } = row;
  const { repeat: _, ...request } = row.request;
  const id = newId();
  const zone = await readZone(tx, account_id);
  const date = formatLocalMinute(parseTimestamp(campaign.schedule!), zone).slice(0, 10);
  const base = `${row.name.slice(0, MAX_NAME).toWellFormed().trim()} ${date}`;
  await queries.lockTestCampaigns(tx, account_id);
  let name = base;
  for (let number = 2; await queries.isNameTaken(tx, account_id, name, null); number++) name = `${base} (${number})`;
  const create_date = toWire(tx.now);
  const run: Campaign = {
    ...{ ...campaign, id, name, repeat: null, next_runs: [], series_id: row.id, run_date: campaign.schedule },
    ...{ status: 'in_progress', status_details: null, create_date, update_date: create_date },
    links: { ...campaign.links, self: `/v1/campaigns/${id}` },
  };
  await queries.insertTestCampaign(tx, { campaign: run, request, key_id, audience_ids, series_id: row.id });
  const job: TestRun = { account_id, id };
  await enqueue(tx, testRun, job);
  await advanceTestSeries(tx, row);
}

/** Moves the series to the run after its schedule, or ends it. */
async function advanceTestSeries(tx: Tx, row: queries.TestCampaignRow): Promise<void> {
  const { account_id, id, name, campaign } = row;
  const series = toSeries(row);
  const next = await findNext(tx, series);
  const schedule = next ? toWire(next) : campaign.schedule;
  const status = next ? row.status : 'completed';
  const next_runs = next ? await showRuns(tx, { ...series, schedule }, status) : [];
  const end_date = next ? null : toWire(tx.now);
  await queries.storeSeries(tx, { ...campaign, name, schedule, status, next_runs, end_date });
  emit(tx, testCampaignChanged, account_id, { id });
  if (next) await enqueue(tx, testRun, { account_id, id }, { start_after: next });
}

/** Skips the run at this time. */
export async function skipTestRun(tx: Tx, account_id: string, id: string, schedule: string): Promise<void> {
  const row = await queries.lockTestCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const { repeat, schedule: next } = row.campaign;
  const isNext = next !== null && parseTimestamp(next).getTime() === parseTimestamp(schedule).getTime();
  if (!repeat || !isNext || !['scheduled', 'paused'].includes(row.status))
    throw new Problem('CAMPAIGN_SKIP_NOT_ALLOWED');
  await advanceTestSeries(tx, row);
}
