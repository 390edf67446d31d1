/**
 * Test-key campaigns. Each step runs the live code on copies of the test audiences and rolls it back. The result is
 * stored in `test_campaigns`, and the messages in `test_messages` (decisions 80 and 123). A job creates the messages.
 */
import { MAX_TEST_CONTACTS } from '@parley/contract/audiences/limits.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { updateCampaign as updateEndpoint } from '@parley/contract/campaigns/drafts.ts';
import type { CampaignImport } from '@parley/contract/campaigns/imports.ts';
import { testCampaignChanged } from '@parley/contract/campaigns/test_campaigns.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { lendTestAudiences, requireTestAudiences } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Page, type Paged, paged } from '../kernel/db/list.ts';
import { undoAfter } from '../kernel/db/undo.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { createCampaign } from './campaigns.ts';
import type { CampaignFilter } from './model/queries.ts';
import * as queries from './test_queries.ts';
import { type TestRun, testRun } from './test_run_job.ts';
import { nextTestRun, showRuns, skipTestRun } from './test_series.ts';

const MAX_CAMPAIGNS = 500;

type Update = Parsed<typeof updateEndpoint>['body'];

export async function listTestCampaigns(db: Queryable, filter: CampaignFilter, page: Page): Promise<Paged<Campaign>> {
  const [rows, total] = await runTogether(
    queries.listTestCampaignRows(db, filter, page),
    queries.countTestCampaigns(db, filter),
  );
  return paged(page, rows.map(toTestCampaign), total);
}

export async function getTestCampaign(db: Queryable, account_id: string, id: string): Promise<Campaign> {
  const row = await queries.findTestCampaign(db, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  return toTestCampaign(row);
}

/** The stored campaign with the outcomes of its messages. */
function toTestCampaign({
  campaign,
  name,
  status,
  run_date,
  counts: found,
  end_date,
}: queries.TestCampaignRow): Campaign {
  if (run_date === null) return { ...campaign, name, status };
  const { scheduled = 0, enroute = 0, ...rest } = found;
  const counts: Campaign['counts'] = { ...campaign.counts, waiting: 0, ...rest, enroute: scheduled + enroute };
  const { delivered, read, failed, rejected, expired, blocked, unsubscribed } = counts;
  return {
    ...{ ...campaign, name, status, counts },
    messages: {
      total: campaign.total,
      delivered: delivered + read,
      failed: failed + rejected + expired + blocked + unsubscribed,
    },
    end_date: status === 'completed' ? end_date : null,
  };
}

export async function createTestCampaign(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  request: queries.TestRequest,
  /** The file with its contacts. */
  source?: (campaign_id: string) => CampaignImport,
): Promise<Campaign> {
  const { account_id } = actor;
  await queries.lockTestCampaigns(tx, account_id);
  if ((await queries.countAll(tx, account_id)) >= MAX_CAMPAIGNS) throw new Problem('TEST_DATA_FULL');
  const { campaign, audience_ids } = await draft(tx, kernel, actor, request);
  campaign.name = await chooseName(tx, account_id, request.name, campaign.name);
  const stored = { campaign, request, key_id: actor.key_id!, audience_ids };
  await queries.insertTestCampaign(tx, { ...stored, import: source?.(campaign.id) ?? null });
  await planRun(tx, campaign);
  emit(tx, testCampaignChanged, account_id, { id: campaign.id });
  return campaign;
}

/** Creates the campaign as a live one and returns it. Everything that this wrote is undone. */
async function draft(tx: Tx, kernel: Kernel, actor: Actor, request: queries.TestRequest) {
  // The runs of an automation are separate campaigns, which a test would have to store too.
  if (request.trigger) throw new Problem('TEST_KEY_NOT_ALLOWED', { field: 'trigger' });
  const { audience, audience_ids: several, excluded_audience_ids = [] } = request;
  const audience_ids = [...new Set([...(several ?? (audience ? [audience] : [])), ...excluded_audience_ids])];
  const audiences = await requireTestAudiences(tx, actor.account_id, audience_ids);
  const campaign = await undoAfter(tx, async (trial) => {
    await lendTestAudiences(trial, actor.account_id, audiences);
    // Live campaigns may have the same name.
    return createCampaign(trial, kernel, actor, { ...request, ...(request.name && { name: newId() }) });
  });
  if (campaign.total > MAX_TEST_CONTACTS) throw new Problem('TEST_DATA_FULL');
  const names = audiences.filter(({ id }) => campaign.audience_ids.includes(id)).map(({ name }) => name);
  return {
    campaign: { ...campaign, audience_name: names.join(', ') || null, is_test: true as const },
    audience_ids,
  };
}

async function chooseName(
  tx: Tx,
  account_id: string,
  requested: string | undefined,
  generated: string,
  except: string | null = null,
): Promise<string> {
  if (requested !== undefined) {
    if (await queries.isNameTaken(tx, account_id, requested, except)) throw new Problem('CAMPAIGN_EXISTS');
    return requested;
  }
  let name = generated;
  for (let number = 2; await queries.isNameTaken(tx, account_id, name, except); number++)
    name = `${generated} (${number})`;
  return name;
}

async function planRun(tx: Tx, { account_id, id, status, schedule }: Campaign): Promise<void> {
  const run: TestRun = { account_id, id };
  if (status === 'in_progress') await enqueue(tx, testRun, run);
  else if (status === 'scheduled') await enqueue(tx, testRun, run, { start_after: parseTimestamp(schedule!) });
}

type Moves = Partial<Record<Campaign['status'], readonly NonNullable<Update['status']>[]>>;
/** The statuses that a user can request. A running test-key campaign is never paused. */
const MOVES: Moves = {
  in_complete: ['in_progress', 'scheduled', 'in_complete'],
  scheduled: ['in_progress', 'scheduled', 'in_complete', 'canceled'],
  paused: ['in_progress', 'scheduled', 'in_complete', 'canceled'],
  in_progress: ['canceled'],
};
/** To start or resume a repeating campaign means to wait for its next run. */
const SERIES_MOVES: Moves = {
  in_complete: ['in_progress', 'scheduled', 'in_complete'],
  scheduled: ['scheduled', 'in_complete', 'paused', 'canceled'],
  paused: ['in_progress', 'scheduled', 'in_complete', 'canceled'],
};
const LABELS = new Set(['name', 'tags', 'note']);

export async function updateTestCampaign(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  id: string,
  { status, archived, ...change }: Update,
): Promise<Campaign> {
  const { account_id } = actor;
  if (archived) throw new Problem('TEST_KEY_NOT_ALLOWED', { field: 'archived' });
  await queries.lockTestCampaigns(tx, account_id);
  const row = await queries.lockTestCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const request: queries.TestRequest = { ...row.request, ...Object.fromEntries(given) };
  const hasChanges = given.some(([field]) => !LABELS.has(field));
  const moves = (request.repeat ? SERIES_MOVES : MOVES)[row.status];
  const isOpen = row.run_date === null && (moves?.includes('in_complete') ?? false);
  if (hasChanges && !isOpen) throw new Problem('CAMPAIGN_STATE_INVALID');
  if (status && status !== row.status && (row.run_date !== null || !moves?.includes(status)))
    throw new Problem('CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED');
  const name = await chooseName(tx, account_id, change.name, row.name, id);
  // A change of a scheduled campaign is checked like its start.
  const target = status ?? (isOpen && hasChanges ? row.status : undefined);
  const isHalt = target === 'canceled' || (target === 'paused' && !hasChanges);
  const stored =
    isOpen && !isHalt
      ? await recheck(tx, kernel, actor, { row, request, change, target })
      : { campaign: relabel(row, change, status), request, audience_ids: [...row.audience_ids] };
  if (!target || target === 'paused') stored.campaign.status = row.status;
  if (status === 'paused') Object.assign(stored.campaign, { status, status_details: 'user' });
  stored.campaign.name = name;
  await queries.updateTestCampaign(tx, stored);
  if (isOpen && target) await planRun(tx, stored.campaign);
  emit(tx, testCampaignChanged, account_id, { id });
  return getTestCampaign(tx, account_id, id);
}

function relabel({ campaign, status: before }: queries.TestCampaignRow, { tags, note }: Update, status = before) {
  return { ...campaign, tags: tags ?? campaign.tags, note: note ?? campaign.note, status } as Campaign;
}

interface Recheck {
  row: queries.TestCampaignRow;
  request: queries.TestRequest;
  change: Update;
  target: Update['status'] | Campaign['status'];
}

/** Checks the campaign with its changes as a new one. */
async function recheck(tx: Tx, kernel: Kernel, actor: Actor, { row, request, change, target }: Recheck) {
  const starts = target === 'in_progress' || target === 'scheduled';
  if (target === 'scheduled' && !request.schedule) throw new Problem('CAMPAIGN_SCHEDULE_INVALID');
  // A series stays at its next run unless its user moves it. Another pattern begins there.
  const keepsRun = request.repeat && row.campaign.repeat && change.schedule === undefined;
  const schedule = keepsRun ? await nextTestRun(tx, row) : (request.schedule ?? null);
  const first = keepsRun && change.repeat === undefined ? (request.schedule ?? null) : schedule;
  const { schedule: _, ...rest } = request;
  const startsNow = target === 'in_progress' && !request.repeat;
  const checked = await draft(tx, kernel, actor, { ...(startsNow ? rest : { ...request, schedule }), start: starts });
  const { id, account_id, campaign } = row;
  const { repeat, status } = checked.campaign;
  const planned = repeat ? checked.campaign.schedule : schedule;
  const next_runs = await showRuns(tx, { account_id, repeat, first, schedule: planned }, status);
  return {
    campaign: {
      ...{ ...checked.campaign, id, next_runs, schedule: planned },
      ...{ create_date: campaign.create_date, links: campaign.links },
    },
    request: { ...request, schedule: first },
    audience_ids: checked.audience_ids,
  };
}

/** Skips the run of a repeating campaign at this time. */
export async function skipTestSeriesRun(tx: Tx, account_id: string, id: string, schedule: string): Promise<Campaign> {
  await skipTestRun(tx, account_id, id, schedule);
  return getTestCampaign(tx, account_id, id);
}

export async function removeTestCampaign(tx: Tx, account_id: string, id: string): Promise<void> {
  const row = await queries.lockTestCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  if (row.status === 'in_progress') throw new Problem('CAMPAIGN_RUNNING');
  await queries.deleteTestCampaign(tx, account_id, id);
  emit(tx, testCampaignChanged, account_id, { id });
}
