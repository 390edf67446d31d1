/**
 * Counts a campaign's messages by status and decides when the campaign is over. The counts come from the messages.
 * Counting runs at most once a second and uses at most a twentieth of the time (up to a third if counts would otherwise
 * be too rare). A crash or a busy machine delays the counts but never makes them wrong.
 */
import type { CampaignCounts, CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { onCampaignTouched, RETRYABLE } from '../../messages/messages.ts';
import { announce } from '../model/announce.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import { lockCampaign } from '../model/queries.ts';
import { releaseAudiences } from '../model/reach.ts';
import { type CampaignRow, isFannedOut } from '../model/row.ts';
import { onTouched } from '../model/wake.ts';

const INTERVAL_MS = 200;
const MIN_PAUSE_MS = 1_000;
/** The longest pause between two counts, unless counting itself takes long. */
const MAX_PAUSE_MS = 3_000;
const SWEEP_MS = 5_000;
/**
 * The number of days after a campaign ends during which delivery receipts may arrive. A worker counts these campaigns
 * once when it starts, in case the previous worker stopped too early.
 */
const RECEIPT_DAYS = 4;

export function startProgress(kernel: Kernel): Pick<Loop, 'stop'> {
  const pending = new Map<string, string>();
  const pausedUntil = new Map<string, number>();
  const touch = (account_id: string, id: string) => pending.set(id, account_id);
  const subscriptions = [onTouched(touch), onCampaignTouched(touch)];
  let swept = Number.NEGATIVE_INFINITY;
  const loop = startLoop(kernel, 'campaign progress', async () => {
    const now = performance.now();
    if (now - swept > SWEEP_MS) {
      for (const { account_id, id } of await listUnsettled(kernel.db, swept < 0)) pending.set(id, account_id);
      swept = now;
    }
    for (const [id, account_id] of pending) {
      if ((pausedUntil.get(id) ?? 0) > now) continue;
      pending.delete(id);
      let took = 0;
      try {
        took = await recount(kernel, account_id, id);
      } catch (error) {
        pending.set(id, account_id);
        throw error;
      }
      pausedUntil.set(id, performance.now() + pauseAfter(took));
    }
    for (const [id, until] of pausedUntil) if (until < now) pausedUntil.delete(id);
    return INTERVAL_MS;
  });
  return {
    async stop() {
      for (const end of subscriptions) end();
      await loop.stop();
    },
  };
}

/**
 * Returns the pause after a count. `took` excludes time spent waiting for locks and connections, because no counting
 * happens then.
 */
export const pauseAfter = (took: number): number => Math.max(MIN_PAUSE_MS, Math.min(MAX_PAUSE_MS, took * 20), took * 2);

const listUnsettled = (db: Queryable, all: boolean) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from campaigns
    where status = 'in_progress'
      and coalesce(open_until, '-infinity') <= now()
      and (fanout_date is null or fanout_date <= now() or coalesce((counts->>'enroute')::int, 0) > 0)
      ${all ? sql`or ${stillOpen}` : sql``}`);
const stillOpen: Sql = sql`
  (start_date is not null and coalesce(end_date, 'infinity') > now() - make_interval(days => ${RECEIPT_DAYS})
   and (status in ('paused', 'error') or coalesce((counts->>'enroute')::int, 0) + coalesce((counts->>'sent')::int,
     0) > 0))`;

interface Figures {
  counts: Partial<Omit<CampaignCounts, 'waiting'>>;
  cost_micros: number;
  retryable: number;
  in_review: number;
  /** True if a carrier accepted at least one message. */
  reached: boolean;
}

/**
 * Updates the stored counts, ends the campaign if it is over, and emits the changes. Returns the time that the counting
 * took.
 */
export async function recount(kernel: Kernel, account_id: string, id: string): Promise<number> {
  return kernel.db.tx(async (tx) => {
    const row = await lockCampaign(tx, account_id, id);
    if (!row?.start_date) return 0;
    const started = performance.now();
    const figures = await countMessages(tx, account_id, id);
    const took = performance.now() - started;
    const end = decideEnd(row, figures, tx.now);
    const isUnchanged =
      !end &&
      hasSameCounts(row.counts, figures.counts) &&
      row.cost_micros === figures.cost_micros &&
      row.in_review === figures.in_review &&
      row.retryable_count === figures.retryable;
    await tx.run(sql`
      update campaigns set counts = ${JSON.stringify(figures.counts)}::jsonb, cost_micros = ${figures.cost_micros},
        retryable_count = ${figures.retryable}, in_review = ${figures.in_review}
        ${
          end
            ? sql`, status = ${end.status}, status_details = ${end.reason}, end_date = ${tx.now},
        update_date = ${tx.now}`
            : sql``
        }
      where account_id = ${account_id} and id = ${id}`);
    if (end) await releaseAudiences(tx, row);
    if (end) await announce(tx, account_id, id);
    if (!isUnchanged) await announce(tx, account_id, id, 'moved');
    return took;
  });
}

/** Returns the final status and its reason, or null if the campaign is not over. */
function decideEnd(
  row: CampaignRow,
  figures: Figures,
  now: Date,
): { status: CampaignStatus; reason: CampaignReason | null } | null {
  if ((row.status !== 'in_progress' && row.status !== 'paused') || !isFannedOut(row)) return null;
  if ((figures.counts.enroute ?? 0) > 0) return null;
  if (row.open_until !== null && parseTimestamp(row.open_until) > now) return null;
  if (row.fanned_out === 0) return { status: 'failed', reason: 'nobody' };
  if (!figures.reached) return { status: 'failed', reason: 'undelivered' };
  return { status: 'completed', reason: null };
}

/** Counts the messages of a campaign by status. */
export async function countMessages(tx: Tx, account_id: string, id: string): Promise<Figures> {
  const rows = await tx.rows<{
    status: keyof Figures['counts'];
    count: number;
    cost: number;
    retryable: number;
    in_review: number;
    reached: boolean;
  }>(sql`
    select case status when 'scheduled' then 'enroute' else status end as status, count(*) as count,
           coalesce(sum(price_micros) filter (where charge in ('held', 'settled')), 0)::bigint as cost,
           count(*) filter (where ${RETRYABLE}) as retryable,
           count(*) filter (where marks->>'review' = 'waiting' and status in ('scheduled', 'enroute')) as in_review,
           bool_or(status in ('sent', 'delivered', 'read') or charge = 'settled') as reached
    from messages m where account_id = ${account_id} and campaign_id = ${id}
    group by 1`);
  const figures: Figures = { counts: {}, cost_micros: 0, retryable: 0, in_review: 0, reached: false };
  for (const row of rows) {
    figures.counts[row.status] = row.count;
    figures.cost_micros += row.cost;
    figures.retryable += row.retryable;
    figures.in_review += row.in_review;
    figures.reached ||= row.reached;
  }
  return figures;
}

function hasSameCounts(a: Figures['counts'], b: Figures['counts']): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Figures['counts']>;
  return [...keys].every((key) => (a[key] ?? 0) === (b[key] ?? 0));
}
