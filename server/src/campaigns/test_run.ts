/**
 * Creates the messages of a test campaign: starts it like a live one, on copies of its audiences, runs the fan-out, and
 * undoes everything but the messages. The transaction that stores the messages also ends the run, so a repeated job
 * does nothing.
 */
import { MAX_TEST_CONTACTS } from '@parley/contract/audiences/limits.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignForecast } from '@parley/contract/campaigns/results.ts';
import { testCampaignChanged } from '@parley/contract/campaigns/test_campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { TEST_MESSAGE_DAYS } from '@parley/contract/messages/test_messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { deleteOldTestAudiences, lendTestAudiences, requireTestAudiences } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { undoAfter } from '../kernel/db/undo.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { storeTestMessages } from '../messages/messages.ts';
import { createCampaign } from './campaigns.ts';
import { fanOutTest } from './fanout/fanout.ts';
import { moveCampaign } from './lifecycle/lifecycle.ts';
import { reread } from './model/announce.ts';
import { campaignReason } from './model/reasons.ts';
import { type CampaignRow, toCampaign } from './model/row.ts';
import * as queries from './test_queries.ts';
import type { TestRun } from './test_run_job.ts';
import { startTestSeriesRun } from './test_series.ts';

export async function runTestCampaign(kernel: Kernel, run: TestRun): Promise<void> {
  try {
    await kernel.db.tx((tx) => runOnce(tx, kernel, run));
  } catch (error) {
    const reason = campaignReason(error);
    if (reason === null) throw error;
    await kernel.db.tx((tx) => pause(tx, run, reason));
  }
}

async function runOnce(tx: Tx, kernel: Kernel, { account_id, id }: TestRun): Promise<void> {
  const row = await queries.lockTestCampaign(tx, account_id, id);
  if (!isDue(row, tx.now)) return;
  if (row.campaign.repeat) return startTestSeriesRun(tx, row);
  const { campaign, messages, forecast, skips } = await tryCampaign(tx, kernel, row);
  await storeTestMessages(tx, { account_id, key_id: row.key_id, campaign_id: id }, messages);
  const { name, audience_name, create_date, links, schedule } = row.campaign;
  const { total, fanned_out, skipped, counts, start_date } = campaign;
  await queries.storeRun(
    tx,
    {
      ...{ ...row.campaign, name, audience_name, create_date, links, schedule, total, fanned_out, skipped, counts },
      ...{ start_date, status: 'in_progress', status_details: null, lists_skips: true },
    },
    { run_date: tx.now, forecast, skips },
  );
  emit(tx, testCampaignChanged, account_id, { id });
}

function isDue(row: queries.TestCampaignRow | null, now: Date): row is queries.TestCampaignRow {
  if (!row || row.run_date !== null) return false;
  if (row.status === 'in_progress') return true;
  return row.status === 'scheduled' && row.campaign.schedule !== null && parseTimestamp(row.campaign.schedule) <= now;
}

/** Timing, canary, and A/B test are left out: everyone gets the first variant now. */
async function tryCampaign(
  tx: Tx,
  kernel: Kernel,
  { account_id, key_id, request }: queries.TestCampaignRow,
): Promise<{
  campaign: Campaign;
  messages: Message[];
  forecast: CampaignForecast | null;
  skips: queries.StoredSkip[];
}> {
  const { schedule, timing, safety, test, repeat, ...rest } = request;
  const { audience, audience_ids, excluded_audience_ids = [] } = rest;
  const ids = [...(audience_ids ?? (audience ? [audience] : [])), ...excluded_audience_ids];
  const audiences = await requireTestAudiences(tx, account_id, ids);
  const messages: Message[] = [];
  const run = await undoAfter(tx, async (trial) => {
    await lendTestAudiences(trial, account_id, audiences);
    const actor = { ...TEST_ACTOR, account_id, key_id };
    const draft = await createCampaign(trial, kernel, actor, { ...rest, name: newId(), start: false });
    // The account can require lookups, which cost money.
    await trial.run(sql`update campaigns set safety = '{}' where account_id = ${account_id} and id = ${draft.id}`);
    await moveCampaign(trial, kernel, await reread(trial, account_id, draft.id), 'in_progress', actor);
    const started = await reread(trial, account_id, draft.id);
    if (started.total > MAX_TEST_CONTACTS) throw new Problem('TEST_DATA_FULL');
    await fanOutTest(trial, kernel, started, (accepted) => messages.push(...accepted));
    const ended = await reread(trial, account_id, draft.id);
    return { campaign: toCampaign(ended), ...(await readFacts(trial, ended)) };
  });
  return { ...run, messages };
}

/** The data of the results and the list of skipped contacts. Test campaigns cost nothing. */
async function readFacts(trial: Tx, { account_id, id, forecast }: CampaignRow) {
  const skips = await trial.rows<queries.StoredSkip>(sql`
    select contact_id as id, reason from campaign_skips
    where account_id = ${account_id} and campaign_id = ${id} order by contact_id`);
  const countries = forecast?.countries.map((country) => ({ ...country, cost_micros: 0 })) ?? [];
  return { forecast: forecast && { ...forecast, total_micros: 0, countries }, skips };
}

const TEST_ACTOR = { user_id: null, test: true } as const;

async function pause(tx: Tx, { account_id, id }: TestRun, reason: Campaign['status_details']): Promise<void> {
  const row = await queries.lockTestCampaign(tx, account_id, id);
  if (!isDue(row, tx.now)) return;
  await queries.storeRun(tx, { ...row.campaign, status: 'paused', status_details: reason }, null);
  emit(tx, testCampaignChanged, account_id, { id });
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Deletes campaigns that have not changed for as long as test messages are kept, account by account. */
export async function pruneTestCampaigns(db: Db, signal: AbortSignal): Promise<void> {
  let next = await queries.nextTestAccount(db, FIRST_ID);
  while (next && !signal.aborted) {
    const { account_id } = next;
    await db.tx(async (tx) => {
      await queries.deleteOldTestCampaigns(tx, account_id, TEST_MESSAGE_DAYS);
      await deleteOldTestAudiences(tx, account_id, TEST_MESSAGE_DAYS);
    });
    next = await queries.nextTestAccount(db, account_id);
  }
}
