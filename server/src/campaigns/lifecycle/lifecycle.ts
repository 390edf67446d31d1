/**
 * Status changes for a campaign. Users request them through `moveCampaign`. The schedule, the fan-out, and the
 * counting use the same functions. The caller must hold the campaign's lock.
 *
 *   from         requested     function     effect
 *   in_complete  in_progress   start        freezes the audience and starts the fan-out; refused if anything is
 *                                           missing, including funds
 *                scheduled     schedule     waits for its time; checked now and at the start (funds only at the start)
 *   scheduled    in_progress   start
 *                scheduled     schedule     sets a new time or changed fields
 *                in_complete   unschedule   becomes a draft again
 *                canceled      cancel
 *                (schedule)    start        at its time; if refused: paused with the reason; if over an hour late:
 *                                           paused, started, or canceled, as the campaign says
 *   in_progress  paused        pause        stops the fan-out and holds queued messages; claimed ones are still sent
 *                canceled      cancel       like pause, then cancels queued messages and releases their holds
 *                (fan-out)     halt         balance too low, sender lost: paused with the reason
 *                (limits)      halt         too many failures, opt-outs, or complaints: paused with the reason
 *                (counting)    finish       all recipients decided and none queued: completed; none accepted: failed
 *                (fan-out)     halt         repeated internal errors: error
 *   paused       in_progress   resume       releases held messages; starts a campaign that never started
 *                canceled      cancel
 *                scheduled, in_complete     only if it never started
 *                (counting)    finish       when the last messages of a paused campaign are accepted
 *   error        in_progress   resume
 *                canceled      cancel
 *   completed, failed          in_progress again after a retry (retry.ts)
 *   canceled                   final
 *
 * If the account requires it, a start or a schedule first waits for the approval of another user (approval.ts).
 *
 * A repeating campaign is scheduled, paused, canceled, or, after its last run, completed. An automation is active while
 * it is scheduled. The runs of both are campaigns of their own (series.ts, automations.ts).
 */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignForecast } from '@parley/contract/campaigns/results.ts';
import { MAX_CAMPAIGN_LOOKUPS } from '@parley/contract/campaigns/safety.ts';
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { endBulk, lookUpInAdvance, pauseBulk } from '../../lookups/lookups.ts';
import { useMedia } from '../../media/media.ts';
import { wakeDispatch } from '../../messages/messages.ts';
import { readApprovalRule } from '../draft/approval_rule.ts';
import { type Ready, requireFunds, requireReady } from '../draft/ready.ts';
import { reread } from '../model/announce.ts';
import { holdAudiences, listMessagesAfter, WAITING } from '../model/queries.ts';
import { FIRST_ID, freezeAudiences, isTriggeredRun, releaseAudiences } from '../model/reach.ts';
import { type CampaignRow, countUndecided, isFannedOut, listAudienceIds } from '../model/row.ts';
import { newSeed, sampleHash, sampleThreshold, wasInTest } from '../model/sample.ts';
import { countVariants, variantName, withVariant } from '../model/variants.ts';
import { wakeFanout } from '../model/wake.ts';
import { type Estimate, estimateCampaign, fullCost } from '../preview/estimate.ts';
import { countMessages } from '../progress/progress.ts';
import { measureSafety } from '../progress/safety_figures.ts';
import { paceMicros } from '../timing/pace.ts';
import { findFirstLocalTime, loadPlanner } from '../timing/planner.ts';
import { findNextRun } from '../timing/repeats.ts';
import { isAutomation, scheduleAutomation, watchTriggers } from './activation.ts';
import { passApproval, type Requester, withdrawRequest } from './approval.ts';
import { cancelQueued } from './cancel.ts';

type Move = (tx: Tx, kernel: Kernel, row: CampaignRow, by: Requester) => Promise<void>;

const MOVES: Record<CampaignStatus, Partial<Record<CampaignStatus, Move>>> = {
  in_complete: { in_progress: start, scheduled: schedule, in_complete: unschedule },
  scheduled: { in_progress: start, scheduled: schedule, in_complete: unschedule, canceled: cancel },
  in_progress: { paused: pause, canceled: cancel },
  paused: { in_progress: resume, canceled: cancel, scheduled: schedule, in_complete: unschedule },
  error: { in_progress: resume, canceled: cancel },
  completed: {},
  failed: {},
  canceled: {},
};

/** A repeating campaign is never sent itself. To start or resume it means to wait for its next run. */
const SERIES_MOVES: Partial<Record<CampaignStatus, Partial<Record<CampaignStatus, Move>>>> = {
  in_complete: { in_progress: schedule, scheduled: schedule, in_complete: unschedule },
  scheduled: { scheduled: schedule, in_complete: unschedule, paused: pauseSeries, canceled: cancel },
  paused: { in_progress: schedule, scheduled: schedule, in_complete: unschedule, canceled: cancel },
};

/** Returns whether all fields may change. After the start, only the name may change. */
export const hasNeverStarted = (row: CampaignRow): boolean =>
  row.start_date === null && row.status !== 'canceled' && row.status !== 'completed';

/** Changes the status. Requesting the current status changes nothing, so two users can safely press the same button. */
export async function moveCampaign(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  requested: CampaignStatus,
  by: Requester,
): Promise<void> {
  const waits = row.repeat !== null || isAutomation(row);
  const move = waits ? SERIES_MOVES[row.status]?.[requested] : MOVES[row.status][requested];
  const preparing = requested === 'scheduled' || requested === 'in_complete';
  if (!move && row.status === requested) return;
  if (!move || (preparing && !hasNeverStarted(row))) {
    throw new Problem('CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED', {
      message: `A campaign that is ${STATUS_LABELS[row.status]} cannot ${ACTION_LABELS[requested]}`,
    });
  }
  await move(tx, kernel, row, by);
  if (isAutomation(row)) await watchTriggers(tx, await reread(tx, row.account_id, row.id));
}

const STATUS_LABELS: Record<CampaignStatus, string> = {
  in_complete: 'a draft',
  scheduled: 'scheduled',
  in_progress: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  error: 'stopped by an error',
};
const ACTION_LABELS: Record<CampaignStatus, string> = {
  in_progress: 'be started',
  paused: 'be paused',
  canceled: 'be canceled',
  scheduled: 'be scheduled',
  in_complete: 'become a draft',
  completed: 'be set to completed',
  failed: 'be set to failed',
  error: 'be set to error',
};

const updateRow = (tx: Tx, row: CampaignRow, changes: Sql) =>
  tx.run(sql`
    update campaigns set ${changes}, update_date = ${tx.now} where account_id = ${row.account_id} and id = ${row.id}`);

async function start(tx: Tx, kernel: Kernel, row: CampaignRow, by: Requester): Promise<void> {
  if (row.timing.local_time && row.schedule === null) throw new Problem('CAMPAIGN_LOCAL_TIME_INVALID');
  await holdAudiences(tx, row.account_id, [...listAudienceIds(row), ...row.excluded_audience_ids]);
  const ready = await requireReady(tx, row);
  const planner = await loadPlanner(tx, { ...row, due_date: toDueDate(row, tx.now), start_date: toWireTime(tx.now) });
  const delivery = { planner, now: tx.now };
  const audience_sets = await freezeAudiences(tx, row);
  const test_seed = row.test && newSeed();
  const hashes: number[] = [];
  const lookups: { number: string; country: string }[] = [];
  const figures = await estimateCampaign(tx, kernel, { ...ready, audience_sets }, undefined, {
    delivery,
    onLookup: (contact) => lookups.push(contact),
    ...(test_seed !== null ? { onPassed: ({ number }) => hashes.push(sampleHash(test_seed, number)) } : {}),
  });
  const { total, will_receive, no_value } = figures.counts;
  if (will_receive === 0 && !isTriggeredRun(row))
    throw new Problem(total > 0 && no_value === total ? 'CAMPAIGN_TEMPLATE_MISMATCH' : 'CAMPAIGN_AUDIENCE_EMPTY');
  const variants = await listReadyVariants(tx, row);
  if (lookups.length > MAX_CAMPAIGN_LOOKUPS) throw new Problem('CAMPAIGN_LOOKUPS_TOO_MANY');
  const total_micros = await findHighestCost(tx, kernel, figures, variants);
  if (!by.test) await requireFunds(tx, row.account_id, total_micros);
  const approval = { recipients: will_receive, amount_micros: total_micros };
  if (!(await passApproval(tx, kernel, row, 'in_progress', approval, by)))
    return releaseAudiences(tx, { ...row, audience_sets });
  // The messages keep the template's file, even if the template is deleted.
  for (const { writer } of [ready, ...variants]) {
    const media_id = writer.message.content?.media_id;
    if (media_id) await useMedia(tx, row.account_id, media_id, `campaign:${row.id}`);
  }
  const test_size = testSize(row, will_receive);
  const lookup_id = lookups.length > 0 && !by.test ? await lookUpInAdvance(tx, kernel, row, lookups) : null;
  await updateRow(
    tx,
    row,
    sql`status = 'in_progress', status_details = null, total = ${figures.counts.total},
        last_contact_id = ${figures.last_contact_id ?? FIRST_ID}, cursor_contact_id = null, fanned_out = 0,
        skipped = '{}',
        counts = '{}', cost_micros = 0, audience_sets = ${JSON.stringify(audience_sets)}::jsonb,
        forecast = ${JSON.stringify(toForecast(figures))}::jsonb, waits = '{}', fanout_date = null,
        pace_micros = ${paceMicros(row.timing, will_receive)}, paced_micros = null,
        due_date = ${toDueDate(row, tx.now)}, canary_size = ${canarySize(row, will_receive)}, canary_date = null,
        test_size = ${test_size}, test_seed = ${test_seed},
        test_threshold = ${test_size && sampleThreshold(hashes, test_size)}, test_cursor = null,
        test_date = null, test_counts = '{}', test_winner = null,
        test_notified = false, canary_passed = false, safety_offset = null, safety_tripped = null,
        retryable_count = 0, in_review = 0, lookup_id = ${lookup_id}, start_date = ${tx.now}, end_date = null`,
  );
  tx.afterCommit(wakeFanout);
}

/** The cost if everyone gets the most expensive variant, with the lookups. */
async function findHighestCost(tx: Tx, kernel: Kernel, figures: Estimate, variants: readonly Ready[]): Promise<number> {
  let { total_micros } = figures;
  for (const variant of variants)
    total_micros = Math.max(total_micros, (await estimateCampaign(tx, kernel, variant)).total_micros);
  return fullCost({ ...figures, total_micros });
}

/** A canary of everyone is none. */
function canarySize({ safety }: CampaignRow, will_receive: number): number | null {
  if (!safety.canary) return null;
  const { recipients, percent } = safety.canary;
  const size = recipients ?? Math.ceil((will_receive * (percent ?? 0)) / 100);
  return size < will_receive ? size : null;
}

/** Every variant gets at least one recipient, if there are enough. */
function testSize({ test }: CampaignRow, will_receive: number): number | null {
  if (!test) return null;
  const share = Math.ceil((will_receive * test.share_percent) / 100);
  return Math.min(will_receive, Math.max(share, test.variants.length + 1));
}

/** Checks variants B to D like the message of the campaign. */
async function listReadyVariants(tx: Tx, row: CampaignRow): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (let variant = 1; variant < countVariants(row); variant++) {
    try {
      ready.push(await requireReady(tx, withVariant(row, variant)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem(error.name, {
        field: `test.variants.${variant - 1}`,
        message: `Variant ${variantName(variant)}: ${error.message}`,
      });
    }
  }
  return ready;
}

const toWireTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** A user who starts a campaign before its time sends it to everyone now. */
const toDueDate = ({ due_date }: CampaignRow, now: Date): string | null =>
  due_date !== null && parseTimestamp(due_date) <= now ? due_date : null;

const toForecast = ({ counts, total_micros, cost }: Estimate): CampaignForecast => ({
  will_receive: counts.will_receive,
  total_micros,
  countries: cost.map(({ country, recipients, cost_micros }) => ({ country, recipients, cost_micros })),
});

async function schedule(tx: Tx, kernel: Kernel, row: CampaignRow, by: Requester): Promise<void> {
  const ready = await requireReady(tx, row);
  const variants = await listReadyVariants(tx, row);
  const passes = async () => {
    if ((await readApprovalRule(tx, row.account_id)) === null) return true;
    const figures = await estimateCampaign(tx, kernel, ready);
    const amount_micros = await findHighestCost(tx, kernel, figures, variants);
    const approval = { recipients: figures.counts.will_receive, amount_micros, is_open: row.trigger !== null };
    return passApproval(tx, kernel, row, 'scheduled', approval, by);
  };
  if (row.trigger) return scheduleAutomation(tx, row, passes);
  if (row.repeat) return scheduleSeries(tx, row, passes);
  if (row.schedule === null) throw new Problem('CAMPAIGN_SCHEDULE_INVALID');
  const schedule = parseTimestamp(row.schedule);
  if (schedule <= tx.now) throw new Problem('SCHEDULE_IN_PAST');
  if (!(await passes())) return;
  const due_date = row.timing.local_time ? await findFirstLocalTime(tx, row.account_id, schedule) : schedule;
  await updateRow(tx, row, sql`status = 'scheduled', status_details = null, due_date = ${due_date}`);
}

/** A series whose schedule has passed, for example while it was paused, continues with its next run. */
async function scheduleSeries(tx: Tx, row: CampaignRow, passes: () => Promise<boolean>): Promise<void> {
  if (row.schedule === null) throw new Problem('CAMPAIGN_REPEAT_INVALID');
  const schedule = parseTimestamp(row.schedule);
  const isMoved = row.status === 'scheduled' && row.due_date !== null && parseTimestamp(row.due_date) > tx.now;
  if (schedule <= tx.now && (isMoved || row.status === 'in_complete')) throw new Problem('SCHEDULE_IN_PAST');
  // A run that is due, but has not started yet, is kept.
  const after = row.status === 'scheduled' ? new Date(schedule.getTime() - 1) : tx.now;
  const next = await findNextRun(tx, row, after);
  if (!next) throw new Problem('CAMPAIGN_REPEAT_INVALID');
  if (!(await passes())) return;
  const { due_date, repeat_date } = next;
  await updateRow(
    tx,
    row,
    sql`status = 'scheduled', status_details = null, schedule = ${next.schedule}, due_date = ${due_date},
        repeat_date = ${repeat_date}`,
  );
}

async function unschedule(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await withdrawRequest(tx, row);
  await setStatus(tx, row, 'in_complete', null);
}

/** Only a series can pause before its next run. */
async function pauseSeries(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await setStatus(tx, row, 'paused', 'user');
}

async function pause(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  if (row.lookup_id) await pauseBulk(tx, row.account_id, row.lookup_id, true);
  await halt(tx, row, 'paused', 'user');
}

export const setStatus = (tx: Tx, row: CampaignRow, status: CampaignStatus, reason: CampaignReason | null) =>
  updateRow(tx, row, sql`status = ${status}, status_details = ${reason}`);

/** Pauses a running campaign, or stops it with an error. */
export async function halt(
  tx: Tx,
  row: CampaignRow,
  status: 'paused' | 'error',
  reason: CampaignReason,
): Promise<void> {
  await holdQueued(tx, row);
  await setStatus(tx, row, status, reason);
}

async function resume(tx: Tx, kernel: Kernel, row: CampaignRow, by: Requester): Promise<void> {
  if (row.start_date === null) return start(tx, kernel, row, by);
  if (row.lookup_id) await pauseBulk(tx, row.account_id, row.lookup_id, false);
  const ready = await requireReady(tx, withVariant(row, row.test_winner ?? 0));
  if (!isFannedOut(row)) {
    const outline = { ...ready, audience_sets: row.audience_sets };
    const rest = await estimateCampaign(tx, kernel, outline, {
      after: row.cursor_contact_id,
      until: row.last_contact_id,
      without: (contact) => wasInTest(row, contact),
    });
    await requireFunds(tx, row.account_id, rest.total_micros);
  }
  await updateRow(
    tx,
    row,
    sql`status = 'in_progress', status_details = null, fanout_date = null ${await acceptRisk(tx, row)}`,
  );
  await updateQueued(
    tx,
    row,
    (ids) => sql`
    update dispatch set not_before = ${tx.now}
    where account_id = ${row.account_id} and message_id = any(${ids}::uuid[]) and not_before = 'infinity'`,
  );
  wakeDispatch(tx);
  tx.afterCommit(wakeFanout);
}

const LIMIT_REASONS: readonly (CampaignReason | null)[] = ['failures', 'opt_outs', 'complaints'];

/** After a limit paused the campaign, its user decides to continue. The limits then apply to the later results. */
async function acceptRisk(tx: Tx, row: CampaignRow): Promise<Sql> {
  if (!LIMIT_REASONS.includes(row.status_details)) return sql``;
  const { counts } = await countMessages(tx, row.account_id, row.id);
  const figures = await measureSafety(tx, row, counts);
  return sql`, safety_offset = ${JSON.stringify(figures)}::jsonb, safety_tripped = null,
    canary_passed = canary_size is not null`;
}

/**
 * Holds the queued messages immediately. The job cancels them and releases their holds in batches, and lists the
 * contacts that have no message.
 */
async function cancel(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await withdrawRequest(tx, row);
  if (row.lookup_id) await endBulk(tx, row.account_id, row.lookup_id);
  await holdQueued(tx, row);
  await updateRow(
    tx,
    row,
    sql`status = 'canceled', status_details = null, end_date = ${tx.now},
        canceled_after = coalesce(cursor_contact_id, ${FIRST_ID}), cursor_contact_id = last_contact_id,
        waits = '{}', fanout_date = null, skipped = ${skipRest(row)}`,
  );
  await enqueue(tx, cancelQueued, { account_id: row.account_id, id: row.id });
}

/** Counts the contacts that have no message yet as skipped. */
function skipRest(row: CampaignRow): Sql {
  const remaining = countUndecided(row);
  return remaining === 0 ? sql`skipped` : sql`skipped || ${JSON.stringify({ canceled: remaining })}::jsonb`;
}

/**
 * Holds both queued messages and messages being submitted. If the carrier throttles a message that is being submitted,
 * it returns to the queue and waits there.
 */
const holdQueued = (tx: Tx, row: CampaignRow): Promise<void> =>
  updateQueued(
    tx,
    row,
    (ids) => sql`
      update dispatch set not_before = 'infinity'
      where account_id = ${row.account_id} and message_id = any(${ids}::uuid[]) and not_before < 'infinity'`,
  );

const PORTION = 5_000;

async function updateQueued(tx: Tx, row: CampaignRow, change: (ids: readonly string[]) => Sql): Promise<void> {
  for (let after = '', more = true; more; ) {
    const messages = await listMessagesAfter(tx, row, WAITING, after, PORTION);
    if (messages.length > 0) await tx.run(change(messages.map(({ id }) => id)));
    after = messages.at(-1)?.number ?? after;
    more = messages.length === PORTION;
  }
}
