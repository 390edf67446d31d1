/**
 * Creates the messages for a campaign. One transaction takes the next contacts in key order, creates their messages and
 * holds, and moves the cursor. A crash keeps either all of these changes or none of them, so no contact is skipped or
 * gets two messages. Campaigns take turns after each batch.
 *
 * Contacts whose time has not come wait in `campaign_waits`. They have neither a message nor a hold until their time,
 * so that all rules of the gate apply when they get it.
 */
import type { CampaignReason, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRef } from '../lifecycle/cancel.ts';
import { halt } from '../lifecycle/lifecycle.ts';
import { announce, reread } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { lockCampaign, tryLockCampaign } from '../model/queries.ts';
import { type Contact, frozenReach, listContactsAfter, listContactsWithIds } from '../model/reach.ts';
import { campaignReason } from '../model/reasons.ts';
import { type CampaignRow, countQueued, countUndecided, countWaits, isFannedOut, isRead } from '../model/row.ts';
import { isSampleRead, readsSample, takeSample, wasInTest } from '../model/sample.ts';
import { nextTurn, type Turn, testRoom } from '../model/variants.ts';
import { onFanoutCall, touchCampaign } from '../model/wake.ts';
import { endTest } from '../safety/ab_test.ts';
import { canaryRoom, endCanary } from '../safety/breaker.ts';
import { type Pace, readPace } from '../timing/pace.ts';
import { createPlanner, loadPlanner, type Planner, readAccountClock } from '../timing/planner.ts';
import { addWaits, nextWait, removeWaits, takeDueWaits, type Wait } from '../timing/waits.ts';
import { acceptPortion, type PortionResult } from './portion.ts';

const PORTION = 1_000;
/** If the balance is too low for a batch, the fan-out tries smaller batches down to this size. */
const MIN_PORTION = 10;
/** The fan-out waits for the carrier when a campaign has this many queued messages. */
const MAX_QUEUED = 20_000;
const IDLE_MS = 250;
/** Pause while another worker holds the campaign's lock. */
const BUSY_MS = 20;
/** How often a campaign checks whether its numbers are looked up. */
const LOOKUP_MS = 1_000;
/** The campaign stops after this many consecutive internal errors. */
const MAX_FAILURES = 8;

/** `rests`: nothing to do before the `fanout_date` of the campaign. */
type Step = 'more' | 'full' | 'done' | 'busy' | 'stopped' | 'rests';

export function startFanout(kernel: Kernel, maxFailures = MAX_FAILURES): Loop {
  const portions = new Map<string, number>();
  const failures = new Map<string, { count: number; until: number }>();
  const loop = startLoop(kernel, 'campaign fan-out', async () => {
    let idle = IDLE_MS;
    for (const campaign of await listWaiting(kernel)) {
      if ((failures.get(campaign.id)?.until ?? 0) > performance.now()) continue;
      const step = await tryStep(kernel, campaign, { portions, failures, maxFailures });
      if (step === 'more') idle = 0;
      else if (step === 'busy') idle = Math.min(idle, BUSY_MS);
    }
    return idle;
  });
  const unsubscribe = onFanoutCall(loop.wake);
  return {
    wake: loop.wake,
    async stop() {
      unsubscribe();
      await loop.stop();
    },
  };
}

const listWaiting = (kernel: Kernel) =>
  kernel.db.rows<CampaignRef>(sql`
    select account_id, id from campaigns
    where status = 'in_progress' and (cursor_contact_id is distinct from last_contact_id or waits <> '{}')
      and coalesce(fanout_date, '-infinity') <= ${kernel.clock.now()}
    order by start_date`);

/** This process's state for its campaigns. Losing it only costs time. */
interface FanoutState {
  portions: Map<string, number>;
  failures: Map<string, { count: number; until: number }>;
  maxFailures: number;
}

async function tryStep(
  kernel: Kernel,
  campaign: CampaignRef,
  { portions, failures, maxFailures }: FanoutState,
): Promise<Step> {
  const portion = portions.get(campaign.id) ?? PORTION;
  try {
    const step = await fanOut(kernel, campaign, portion);
    if (step !== 'more') portions.delete(campaign.id);
    failures.delete(campaign.id);
    return step;
  } catch (error) {
    if (isOutage(error)) throw error;
    if (error instanceof Problem && error.name === 'BALANCE_NOT_ENOUGH' && portion > MIN_PORTION) {
      portions.set(campaign.id, Math.floor(portion / 2));
      return 'more';
    }
    portions.delete(campaign.id);
    const reason = campaignReason(error);
    if (reason) return stop(kernel, campaign, 'paused', reason);
    const count = (failures.get(campaign.id)?.count ?? 0) + 1;
    kernel.log.error(
      { err: error, account_id: campaign.account_id, campaign_id: campaign.id, count },
      'campaign fan-out',
    );
    if (count >= maxFailures) {
      failures.delete(campaign.id);
      return stop(kernel, campaign, 'error', 'internal');
    }
    failures.set(campaign.id, { count, until: performance.now() + 250 * 2 ** count });
    return 'stopped';
  }
}

const NOTHING: PortionResult = { decided: 0, accepted: 0, placed: 0, waiting: [], skipped: {} };

/** Creates the messages for a campaign's next contacts. Exported for tests, which interrupt it. */
export async function fanOut(kernel: Kernel, { account_id, id }: CampaignRef, portion = PORTION): Promise<Step> {
  const step = await kernel.db.tx(async (tx): Promise<Step> => {
    const row = await tryLockCampaign(tx, account_id, id);
    if (!row) return 'busy';
    if (row.status !== 'in_progress' || (row.audience_id === null && !row.trigger)) return 'stopped';
    if (isFannedOut(row)) return 'done';
    // Messages awaiting review do not hold up the others.
    if (countQueued(row) - row.in_review >= MAX_QUEUED) return 'full';
    if (row.lookup && row.lookup.status !== 'completed') return waitForLookup(tx, row);
    const pace = readPace(row, tx.now);
    if (pace?.free === 0) return endFanout(tx, row, pace.rest_until);
    const room = canaryRoom(row);
    if (room === 0) {
      const next = await endCanary(tx, kernel, row);
      failpoint('before_canary_commit');
      if (next instanceof Date) return endFanout(tx, row, next);
      return next === 'paused' ? 'stopped' : 'more';
    }
    const sampling = readsSample(row);
    if (testRoom(row) === 0 || (sampling && isSampleRead(row) && countWaits(row) === 0)) {
      const next = await endTest(tx, kernel, row);
      failpoint('before_winner_commit');
      return next instanceof Date ? endFanout(tx, row, next) : 'more';
    }
    const turn = nextTurn(row);
    const size = Math.min(portion, pace?.free ?? portion, room ?? portion, turn.size);
    const due = countWaits(row) > 0 ? await takeDueWaits(tx, row, size) : [];
    if (due.length === 0 && (sampling ? isSampleRead(row) : isRead(row))) return endFanout(tx, row, nextWait(row));
    const timing = { planner: await loadPlanner(tx, row), pace, turn };
    const read = sampling ? readSample : readOn;
    const step =
      due.length > 0 ? await endWaits(tx, kernel, row, due, timing) : await read(tx, kernel, row, size, timing);
    failpoint('before_fanout_commit');
    return step;
  });
  if (step === 'busy' || step === 'stopped') return step;
  if (step !== 'full' && step !== 'rests') failpoint('after_fanout_commit');
  touchCampaign(account_id, id);
  return step;
}

interface Timing {
  planner: Planner;
  pace: Pace | null;
  turn: Turn;
  onTest?: ((accepted: readonly Message[]) => void) | undefined;
}

/**
 * Creates all messages of a test-key campaign, in a transaction that undoes them. Such a campaign has no
 * timing, canary, or A/B test, and the account's quiet hours do not apply, so nothing waits.
 */
export async function fanOutTest(
  trial: Tx,
  kernel: Kernel,
  row: CampaignRow,
  onTest: (accepted: readonly Message[]) => void,
): Promise<void> {
  const { account_zone } = await readAccountClock(trial, row.account_id);
  const clock = { account_zone, account_quiet: null, timing: {}, local_schedule: null, start: trial.now };
  const timing = { planner: createPlanner(clock), pace: null, turn: nextTurn(row), onTest };
  for (let current = row; !isFannedOut(current); current = await reread(trial, row.account_id, row.id))
    await readOn(trial, kernel, current, PORTION, timing);
}

/** Creates the messages for the next contacts behind the cursor. */
async function readOn(tx: Tx, kernel: Kernel, row: CampaignRow, size: number, timing: Timing): Promise<Step> {
  const range = { after: row.cursor_contact_id, until: row.last_contact_id };
  const page = await listContactsAfter(tx, frozenReach(row), range, size);
  const contacts = page.filter((contact) => !wasInTest(row, contact));
  const result = contacts.length > 0 ? await acceptPortion(tx, kernel, timing.turn.row, contacts, timing) : NOTHING;
  const last = page.length < size && result.decided === contacts.length;
  const cursor = last ? row.last_contact_id : lastDecided(page, contacts, result.decided, row.cursor_contact_id);
  const waits = await addWaits(tx, row, row.waits, result.waiting);
  await storeProgress(tx, { ...row, waits }, result, { cursor, last, pace: timing.pace });
  return last && Object.keys(waits).length === 0 ? 'done' : 'more';
}

/** Creates the messages for the next contacts in the sample of an A/B test. It has its own cursor. */
async function readSample(tx: Tx, kernel: Kernel, row: CampaignRow, size: number, timing: Timing): Promise<Step> {
  const range = { after: row.test_cursor, until: row.last_contact_id };
  // About as many contacts as contain a sample of this size.
  const limit = Math.min(PORTION, Math.ceil((1.2 * size * row.total) / Math.max(1, row.test_size ?? 1)));
  const page = await listContactsAfter(tx, frozenReach(row), range, limit);
  const { sample, read } = takeSample(row, page, size);
  const result = sample.length > 0 ? await acceptPortion(tx, kernel, timing.turn.row, sample, timing) : NOTHING;
  const isEnd = page.length < limit && read.length === page.length && result.decided === sample.length;
  const test_cursor = isEnd ? row.last_contact_id : lastDecided(read, sample, result.decided, row.test_cursor);
  const waits = await addWaits(tx, row, row.waits, result.waiting);
  const { cursor_contact_id: cursor } = row;
  await storeProgress(tx, { ...row, waits, test_cursor }, result, { cursor, last: false, pace: timing.pace });
  return 'more';
}

/** Returns the last contact of the page before the first one that is undecided. */
function lastDecided(
  page: readonly Contact[],
  contacts: readonly Contact[],
  decided: number,
  before: string | null,
): string | null {
  const next = contacts[decided];
  const end = next ? page.indexOf(next) : page.length;
  return page[end - 1]?.id ?? before;
}

/** Creates the messages for contacts whose time has come, or lets them wait again if their window has closed. */
async function endWaits(tx: Tx, kernel: Kernel, row: CampaignRow, due: readonly Wait[], timing: Timing): Promise<Step> {
  const ids = due.map(({ contact_id }) => contact_id);
  const found = new Map((await listContactsWithIds(tx, frozenReach(row), ids)).map((contact) => [contact.id, contact]));
  const contacts = ids.flatMap((id) => found.get(id) ?? []);
  const result = contacts.length > 0 ? await acceptPortion(tx, kernel, timing.turn.row, contacts, timing) : NOTHING;
  const undecided = new Set(contacts.slice(result.decided).map(({ id }) => id));
  const ended = due.filter(({ contact_id }) => !undecided.has(contact_id));
  const left = await removeWaits(tx, row, ended);
  const waits = await addWaits(tx, row, left, result.waiting);
  const removed = due.length - contacts.length;
  const skipped = removed > 0 ? { ...result.skipped, removed } : result.skipped;
  const { cursor_contact_id: cursor } = row;
  await storeProgress(tx, { ...row, waits }, { ...result, skipped }, { cursor, last: false, pace: timing.pace });
  return isRead(row) && Object.keys(waits).length === 0 ? 'done' : 'more';
}

/** Shows the progress of the bulk lookup that the campaign waits for. */
async function waitForLookup(tx: Tx, row: CampaignRow): Promise<Step> {
  await announce(tx, row.account_id, row.id, 'moved');
  return endFanout(tx, row, new Date(tx.now.getTime() + LOOKUP_MS));
}

/** Ends the work on a campaign until a time. */
async function endFanout(tx: Tx, row: CampaignRow, until: Date): Promise<Step> {
  const { account_id, id } = row;
  await tx.run(sql`update campaigns set fanout_date = ${until} where account_id = ${account_id} and id = ${id}`);
  if (countWaits(row) > 0 && row.pace_micros === null) await announce(tx, account_id, id, 'moved');
  return 'rests';
}

/**
 * Moves the cursor and adds up the skipped contacts. At the end, contacts that left the audience after the start count
 * as `removed`.
 */
async function storeProgress(
  tx: Tx,
  row: CampaignRow,
  result: PortionResult,
  { cursor, last, pace }: { cursor: string | null; last: boolean; pace: Pace | null },
): Promise<void> {
  const skipped = { ...row.skipped };
  for (const [reason, count] of Object.entries(result.skipped) as [SkipReason, number][]) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  const next: CampaignRow = { ...row, skipped, fanned_out: row.fanned_out + result.accepted };
  const gone = countUndecided(next) - countWaits(row);
  if (last && gone > 0) skipped.removed = (skipped.removed ?? 0) + gone;
  // A contact imported before the start but committed after it is inside the range but not in the total.
  const decided = next.fanned_out + Object.values(skipped).reduce((all, count) => all + count, 0) + countWaits(row);
  await tx.run(sql`
    update campaigns set cursor_contact_id = ${cursor}, test_cursor = ${row.test_cursor},
      fanned_out = ${next.fanned_out},
      skipped = ${JSON.stringify(skipped)}::jsonb, waits = ${JSON.stringify(row.waits)}::jsonb,
      paced_micros = ${pace ? pace.after(result.placed) : null}, total = greatest(total, ${decided}::int)
    where account_id = ${row.account_id} and id = ${row.id}`);
}

async function stop(
  kernel: Kernel,
  campaign: CampaignRef,
  status: 'paused' | 'error',
  reason: CampaignReason,
): Promise<Step> {
  await kernel.db.tx(async (tx) => {
    const row = await lockCampaign(tx, campaign.account_id, campaign.id);
    if (row?.status !== 'in_progress') return;
    await halt(tx, row, status, reason);
    await announce(tx, campaign.account_id, campaign.id);
  });
  kernel.log.warn({ account_id: campaign.account_id, campaign_id: campaign.id, status, reason }, 'campaign stopped');
  return 'stopped';
}

/** Returns whether the database is unreachable or full, in which case the campaign is not the cause. */
function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return /^(08|53|57)|^E[A-Z]+$/.test(code ?? '') || /timeout|Connection terminated/i.test(message ?? '');
}
