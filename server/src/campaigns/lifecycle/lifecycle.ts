/**
 * The life of a campaign: every way from one status to another, decided here. People ask through `moveCampaign`; the clock, the fan-out and
 * the counting use the same verbs. Whoever calls holds the campaign's lock.
 *
 *   from         asked for     how          effect
 *   in_complete  in_progress   start        audience frozen, fan-out begins; refused when anything is missing or not paid for
 *                scheduled     schedule     waits for its time; checked now and again then (money only then)
 *   scheduled    in_progress   start
 *                scheduled     schedule     a new time, or changed fields
 *                in_complete   unschedule   a draft again
 *                canceled      cancel
 *                (clock)       start        at its time; an hour late or refused: paused, with the reason
 *   in_progress  paused        pause        fan-out stops, what waits in the queue is held back; what a worker holds already still goes
 *                canceled      cancel       as pause, then what waits is canceled and its money released
 *                (fan-out)     halt         out of money, sender lost: paused with the reason
 *                (counting)    finish       everybody decided and nothing on its way: completed; nothing reached a carrier: failed
 *                (fan-out)     halt         our own fault, again and again: error
 *   paused       in_progress   resume       what was held back goes on; one that never started starts
 *                canceled      cancel
 *                scheduled, in_complete     only if it never started
 *                (counting)    finish       when the last messages of a paused campaign are through
 *   error        in_progress   resume
 *                canceled      cancel
 *   completed, failed          retry (retry.ts) makes them in_progress again
 *   canceled                   nothing: it is over
 */
import type { CampaignReason, CampaignStatus } from '@parley/contract/campaigns/campaigns.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { wakeDispatch } from '../../messages/messages.ts';
import { demandFunds, demandReady } from '../draft/ready.ts';
import { holdAudience, messagesAfter, WAITING } from '../model/queries.ts';
import { type CampaignRow, countUndecided, isFannedOut } from '../model/row.ts';
import { wakeFanout } from '../model/wake.ts';
import { estimateCampaign } from '../preview/estimate.ts';
import { cancelQueued } from './cancel.ts';

export type RequestedStatus = 'in_progress' | 'paused' | 'canceled' | 'scheduled' | 'in_complete';
type Move = (tx: Tx, kernel: Kernel, row: CampaignRow) => Promise<void>;

const MOVES: Record<CampaignStatus, Partial<Record<RequestedStatus, Move>>> = {
  in_complete: { in_progress: start, scheduled: schedule },
  scheduled: { in_progress: start, scheduled: schedule, in_complete: unschedule, canceled: cancel },
  in_progress: { paused: pause, canceled: cancel },
  paused: { in_progress: resume, canceled: cancel, scheduled: schedule, in_complete: unschedule },
  error: { in_progress: resume, canceled: cancel },
  completed: {},
  failed: {},
  canceled: {},
};

/** Before the start everything about it may change; afterwards only its name. */
export const isNeverStarted = (row: CampaignRow): boolean => row.start_date === null && row.status !== 'canceled';

/** Asking for what already is changes nothing: two people may press the same button. */
export async function moveCampaign(
  tx: Tx,
  kernel: Kernel,
  row: CampaignRow,
  requested: RequestedStatus,
): Promise<void> {
  const move = MOVES[row.status][requested];
  const preparing = requested === 'scheduled' || requested === 'in_complete';
  if (!move && row.status === requested) return;
  if (!move || (preparing && !isNeverStarted(row))) {
    throw new Problem('CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED', {
      message: `A campaign that is ${STATUS_LABELS[row.status]} cannot ${ACTION_LABELS[requested]}`,
    });
  }
  await move(tx, kernel, row);
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
const ACTION_LABELS: Record<RequestedStatus, string> = {
  in_progress: 'be started',
  paused: 'be paused',
  canceled: 'be canceled',
  scheduled: 'be scheduled',
  in_complete: 'become a draft',
};

const updateRow = (tx: Tx, row: CampaignRow, changes: Sql) =>
  tx.run(sql`
    update campaigns set ${changes}, update_date = ${tx.now} where account_id = ${row.account_id} and id = ${row.id}`);

export async function start(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<void> {
  if (row.audience_id) await holdAudience(tx, row.account_id, row.audience_id);
  const ready = await demandReady(tx, row);
  const figures = await estimateCampaign(tx, kernel, ready);
  if (figures.counts.will_receive === 0) throw new Problem('CAMPAIGN_AUDIENCE_EMPTY');
  await demandFunds(tx, row.account_id, figures.total_micros);
  await updateRow(
    tx,
    row,
    sql`status = 'in_progress', status_details = null, total = ${figures.counts.total}, last_contact_id = ${figures.last_contact_id},
        cursor_contact_id = null, fanned_out = 0, skipped = '{}', counts = '{}', cost_micros = 0, retryable_count = 0,
        start_date = ${tx.now}, end_date = null`,
  );
  tx.afterCommit(wakeFanout);
}

async function schedule(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await demandReady(tx, row);
  if (row.schedule === null) throw new Problem('CAMPAIGN_SCHEDULE_INVALID');
  if (new Date(`${row.schedule.replace(' ', 'T')}Z`) <= tx.now) throw new Problem('SCHEDULE_IN_PAST');
  await setStatus(tx, row, 'scheduled', null);
}

async function unschedule(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await setStatus(tx, row, 'in_complete', null);
}

async function pause(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await halt(tx, row, 'paused', 'user');
}

export const setStatus = (tx: Tx, row: CampaignRow, status: CampaignStatus, reason: CampaignReason | null) =>
  updateRow(tx, row, sql`status = ${status}, status_details = ${reason}`);

/** Stops a running campaign where it stands. */
export async function halt(
  tx: Tx,
  row: CampaignRow,
  status: 'paused' | 'error',
  reason: CampaignReason,
): Promise<void> {
  await holdQueued(tx, row);
  await setStatus(tx, row, status, reason);
}

async function resume(tx: Tx, kernel: Kernel, row: CampaignRow): Promise<void> {
  if (row.start_date === null) return start(tx, kernel, row);
  const ready = await demandReady(tx, row);
  if (!isFannedOut(row)) {
    const rest = await estimateCampaign(tx, kernel, ready, {
      after: row.cursor_contact_id,
      until: row.last_contact_id,
    });
    await demandFunds(tx, row.account_id, rest.total_micros);
  }
  await setStatus(tx, row, 'in_progress', null);
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

/** From here on nothing more leaves; the rows are canceled and their money is released in portions by the job. */
async function cancel(tx: Tx, _: Kernel, row: CampaignRow): Promise<void> {
  await holdQueued(tx, row);
  await updateRow(
    tx,
    row,
    sql`status = 'canceled', status_details = null, end_date = ${tx.now}, cursor_contact_id = last_contact_id,
        skipped = ${skipRest(row)}`,
  );
  await enqueue(tx, cancelQueued, { account_id: row.account_id, id: row.id });
}

/** Everybody whose turn had not come. */
function skipRest(row: CampaignRow): Sql {
  const remaining = countUndecided(row);
  return remaining === 0 ? sql`skipped` : sql`skipped || ${JSON.stringify({ canceled: remaining })}::jsonb`;
}

/** Also what is being submitted: should the carrier say "not now", it comes back to the queue and waits there. */
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
    const messages = await messagesAfter(tx, row, WAITING, after, PORTION);
    if (messages.length > 0) await tx.run(change(messages.map(({ id }) => id)));
    after = messages.at(-1)?.number ?? after;
    more = messages.length === PORTION;
  }
}
