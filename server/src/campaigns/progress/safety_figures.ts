/** The figures of a campaign that its limits are compared with. */
import type { SafetyFigures } from '@parley/contract/campaigns/safety.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Queryable, runTogether, sql } from '../../kernel/db/db.ts';
import type { CampaignRow } from '../model/row.ts';

type Counts = CampaignRow['counts'];

const add = (counts: Counts, statuses: readonly string[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status as keyof Counts] ?? 0), 0);

/** Messages that the carrier refused because the recipient had objected are complaints, and not failures. */
const OBJECTED = 'unsubscribed';
const FAILED = BUCKETS.failed.filter((status) => status !== OBJECTED);

/**
 * Compares the counted messages with the opt-outs since the start. The query starts from the account's opt-outs since
 * then, which are few, and not from the recipients.
 */
export async function measureSafety(
  db: Queryable,
  { account_id, id, sender_id, start_date }: CampaignRow,
  counts: Counts,
): Promise<SafetyFigures> {
  const since = idAt(parseTimestamp(start_date!).getTime() - ID_MARGIN_MS);
  const [stops, refused] = await runTogether(
    db.one<{ opt_outs: number; complaints: number }>(sql`
      select count(*) filter (where reason <> 'carrier') as opt_outs,
             count(*) filter (where reason = 'carrier') as complaints
      from (
        select distinct h.number, h.reason from stop_list_history h
        join messages m on m.account_id = h.account_id and m.campaign_id = ${id} and m.number = h.number
        where h.account_id = ${account_id} and h.id >= ${since}::uuid and h.change = 'stopped'
          and h.reason in ('keyword', 'link', 'carrier') and h.create_date >= m.create_date
          and (h.sender_id is null or h.sender_id = ${sender_id})
      ) stops`),
    countRefused(db, account_id, id, counts),
  );
  return {
    results: add(counts, [...BUCKETS.sent, ...BUCKETS.delivered, ...BUCKETS.failed]),
    failed: add(counts, FAILED),
    opt_outs: stops.opt_outs,
    complaints: stops.complaints + refused,
  };
}

async function countRefused(db: Queryable, account_id: string, id: string, counts: Counts): Promise<number> {
  if (!counts[OBJECTED]) return 0;
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from messages
    where account_id = ${account_id} and campaign_id = ${id} and status = ${OBJECTED} and failure = 'opted_out'`);
  return count;
}

/** Subtracts the figures from before a resume. Counts can decrease when failed messages are retried. */
export function since(figures: SafetyFigures, offset: SafetyFigures | null): SafetyFigures {
  const left = (key: keyof SafetyFigures) => Math.max(0, figures[key] - (offset?.[key] ?? 0));
  return {
    results: left('results'),
    failed: left('failed'),
    opt_outs: left('opt_outs'),
    complaints: left('complaints'),
  };
}
