/**
 * Makes messages of an audience. One transaction = the next people by key, their messages through the gate with their money, and the cursor
 * moved: a crash at any instruction leaves all of it or none, so nobody is skipped and nobody gets two. Campaigns take turns, portion by portion.
 */
import type { CampaignReason, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRef } from '../lifecycle/cancel.ts';
import { halt } from '../lifecycle/lifecycle.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { lockCampaign, peopleAfter, seizeCampaign } from '../model/queries.ts';
import { reasonOf } from '../model/reasons.ts';
import { type CampaignRow, isFannedOut, queued, undecided } from '../model/row.ts';
import { onFanoutCall, touchCampaign } from '../model/wake.ts';
import { acceptPortion, type Made } from './portion.ts';

const PORTION = 1_000;
/** When the money does not suffice for a portion, smaller ones are tried down to this. */
const LEAST_PORTION = 10;
/** No more than this waits in the queue for one campaign, however slow the line. */
const AHEAD = 20_000;
const REST_MS = 250;
/** Somebody else is at the campaign for a moment. */
const BUSY_MS = 20;
/** So often in a row it may fail by our own fault before it is stopped with an error. */
const PATIENCE = 8;

type Step = 'more' | 'full' | 'done' | 'busy' | 'stopped';

export function startFanout(kernel: Kernel, patience = PATIENCE): Loop {
  const portions = new Map<string, number>();
  const failures = new Map<string, { count: number; until: number }>();
  const loop = startLoop(kernel, 'campaign fan-out', async () => {
    let rest = REST_MS;
    for (const one of await waiting(kernel)) {
      if ((failures.get(one.id)?.until ?? 0) > performance.now()) continue;
      const step = await tryStep(kernel, one, { portions, failures, patience });
      if (step === 'more') rest = 0;
      else if (step === 'busy') rest = Math.min(rest, BUSY_MS);
    }
    return rest;
  });
  const forget = onFanoutCall(loop.wake);
  return {
    wake: loop.wake,
    async stop() {
      forget();
      await loop.stop();
    },
  };
}

const waiting = (kernel: Kernel) =>
  kernel.db.rows<CampaignRef>(sql`
    select account_id, id from campaigns
    where status = 'in_progress' and cursor_contact_id is distinct from last_contact_id order by start_date`);

/** What this process knows of the campaigns it works on; losing it costs nothing but time. */
interface Memory {
  portions: Map<string, number>;
  failures: Map<string, { count: number; until: number }>;
  patience: number;
}

async function tryStep(kernel: Kernel, one: CampaignRef, { portions, failures, patience }: Memory): Promise<Step> {
  const portion = portions.get(one.id) ?? PORTION;
  try {
    const step = await fanOut(kernel, one, portion);
    if (step !== 'more') portions.delete(one.id);
    failures.delete(one.id);
    return step;
  } catch (error) {
    if (isOutage(error)) throw error;
    if (error instanceof Problem && error.name === 'BALANCE_NOT_ENOUGH' && portion > LEAST_PORTION) {
      portions.set(one.id, Math.floor(portion / 2));
      return 'more';
    }
    portions.delete(one.id);
    const reason = reasonOf(error);
    if (reason) return stop(kernel, one, 'paused', reason);
    const count = (failures.get(one.id)?.count ?? 0) + 1;
    kernel.log.error({ err: error, account_id: one.account_id, campaign_id: one.id, count }, 'campaign fan-out');
    if (count >= patience) {
      failures.delete(one.id);
      return stop(kernel, one, 'error', 'internal');
    }
    failures.set(one.id, { count, until: performance.now() + 250 * 2 ** count });
    return 'stopped';
  }
}

/** The next people of one campaign. Exported for tests, which interrupt it. */
export async function fanOut(kernel: Kernel, { account_id, id }: CampaignRef, portion = PORTION): Promise<Step> {
  const step = await kernel.db.tx(async (tx): Promise<Step> => {
    const row = await seizeCampaign(tx, account_id, id);
    if (!row) return 'busy';
    if (row.status !== 'in_progress' || row.audience_id === null) return 'stopped';
    if (isFannedOut(row)) return 'done';
    if (queued(row) >= AHEAD) return 'full';
    const range = {
      account_id,
      audience_id: row.audience_id,
      after: row.cursor_contact_id,
      until: row.last_contact_id,
    };
    const people = await peopleAfter(tx, range, portion);
    const last = people.length < portion;
    const made = people.length > 0 ? await acceptPortion(tx, kernel, row, people) : { accepted: 0, skipped: {} };
    await moveCursor(tx, row, made, last ? row.last_contact_id : people.at(-1)!.id, last);
    failpoint('before_fanout_commit');
    return last ? 'done' : 'more';
  });
  if (step === 'busy' || step === 'stopped') return step;
  if (step !== 'full') failpoint('after_fanout_commit');
  touchCampaign(account_id, id);
  return step;
}

/** At the end everybody who was counted at the start has a message or a reason: who left the audience meanwhile gets `removed`. */
async function moveCursor(tx: Tx, row: CampaignRow, made: Made, cursor: string | null, last: boolean): Promise<void> {
  const skipped = { ...row.skipped };
  for (const [reason, count] of Object.entries(made.skipped) as [SkipReason, number][]) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  const next: CampaignRow = { ...row, skipped, fanned_out: row.fanned_out + made.accepted };
  if (last && undecided(next) > 0) skipped.removed = (skipped.removed ?? 0) + undecided(next);
  // Somebody whose import began before the start and was committed after it stands inside the bound, uncounted.
  const decided = next.fanned_out + Object.values(skipped).reduce((all, count) => all + count, 0);
  await tx.run(sql`
    update campaigns set cursor_contact_id = ${cursor}, fanned_out = ${next.fanned_out}, skipped = ${JSON.stringify(skipped)}::jsonb,
      total = greatest(total, ${decided}::int)
    where account_id = ${row.account_id} and id = ${row.id}`);
}

async function stop(
  kernel: Kernel,
  one: CampaignRef,
  status: 'paused' | 'error',
  reason: CampaignReason,
): Promise<Step> {
  await kernel.db.tx(async (tx) => {
    const row = await lockCampaign(tx, one.account_id, one.id);
    if (row?.status !== 'in_progress') return;
    await halt(tx, row, status, reason);
    await announce(tx, one.account_id, one.id);
  });
  kernel.log.warn({ account_id: one.account_id, campaign_id: one.id, status, reason }, 'campaign stopped');
  return 'stopped';
}

/** The database is away or has no room: nothing is wrong with the campaign. */
function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return /^(08|53|57)|^E[A-Z]+$/.test(code ?? '') || /timeout|Connection terminated/i.test(message ?? '');
}
