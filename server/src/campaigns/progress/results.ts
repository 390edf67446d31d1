/** The replies, opt-outs, and results over time of a campaign. */

import { type CampaignResults, MAX_RESULT_POINTS } from '@parley/contract/campaigns/results.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, raw, runTogether, type Sql, sql } from '../../kernel/db/db.ts';
import { findCampaign } from '../model/queries.ts';
import { readBreakdown, readLinks } from './breakdown.ts';
import { clickedMessages, responses } from './responses.ts';
import { readVariants } from './variant_results.ts';

/** The shortest period. Its multiples divide hours and days. */
const GRAIN_SECONDS = 10;
const STEPS = [10, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400];

interface Counted {
  /** Seconds since the epoch, a multiple of the grain. */
  at: number;
  outcome: 'delivered' | 'sent' | 'failed' | 'replies';
  count: number;
}

/** The start of the shortest period with this time, in seconds since the epoch. */
export const grain = (date: 'm.update_date' | 'r.reply_date'): Sql => sql`
  (floor(extract(epoch from ${raw(date)}) / ${GRAIN_SECONDS}) * ${GRAIN_SECONDS})::bigint`;

/** The outcome of a message `m` that is no longer waiting. */
export const countedOutcome: Sql = sql`
  case when m.status = any(${BUCKETS.delivered}::text[]) then 'delivered' when m.status = 'sent' then 'sent'
    else 'failed' end`;

/** The outcome of any message `m`; null while it waits, and if it was canceled. */
export const outcomeOrNone: Sql = sql`
  case when m.status = any(${[...BUCKETS.delivered, ...BUCKETS.sent, ...BUCKETS.failed]}::text[])
    then ${countedOutcome} end`;

export async function getResults(db: Queryable, account_id: string, id: string, now: Date): Promise<CampaignResults> {
  const row = await findCampaign(db, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const { forecast, currency } = row;
  if (!row.start_date)
    return {
      id,
      replies: 0,
      opt_outs: 0,
      clicked: null,
      silent: 0,
      forecast: null,
      actual: [],
      networks: [],
      failures: [],
      links: [],
      variants: [],
      currency,
      ...toPoints([]),
    };
  const [variants, clicks, totals, outcomes, replies, breakdown, links] = await runTogether(
    readVariants(db, row, now),
    db.one<{ clicked: number | null }>(sql`
      select case when exists (select from links l where l.account_id = ${account_id} and l.campaign_id = ${id})
        then (select count(distinct k.message_id) from (${clickedMessages(row)}) k) end as clicked`),
    db.one<{ replies: number; opt_outs: number; reached: number }>(sql`
      select count(reply_date) as replies, count(*) filter (where opted_out) as opt_outs,
             count(*) filter (where reached) as reached
      from (${responses(row, now)}) r`),
    db.rows<Counted>(sql`
      select ${grain('m.update_date')} as at, ${countedOutcome} as outcome, count(*) as count
      from messages m
      where m.account_id = ${account_id} and m.campaign_id = ${id}
        and m.status = any(${[...BUCKETS.delivered, ...BUCKETS.sent, ...BUCKETS.failed]}::text[])
      group by 1, 2`),
    db.rows<Counted>(sql`
      select ${grain('r.reply_date')} as at, 'replies' as outcome, count(*) as count
      from (${responses(row, now)}) r where r.reply_date is not null group by 1`),
    readBreakdown(
      db,
      sql`
      select m.country, m.mccmnc, (select n.name from networks n where n.mccmnc = m.mccmnc) as network,
             ${outcomeOrNone} as outcome, m.failure, count(*) as recipients,
             coalesce(sum(m.price_micros) filter (where m.charge in ('held', 'settled')), 0)::bigint as cost_micros,
             count(*) filter (where m.charge = 'released') as uncharged,
             coalesce(sum(m.price_micros) filter (where m.charge = 'released'), 0)::bigint as uncharged_micros
      from messages m where m.account_id = ${account_id} and m.campaign_id = ${id} group by 1, 2, 4, 5`,
    ),
    readLinks(db, account_id, id),
  );
  const reached = outcomes.reduce((all, { outcome, count }) => all + (outcome === 'failed' ? 0 : count), 0);
  const { replies: replied, opt_outs, reached: responded } = totals;
  const silent = Math.max(0, reached - responded);
  const figures = { replies: replied, opt_outs, ...clicks, silent, forecast, variants, currency };
  return { id, ...figures, ...breakdown, links, ...toPoints([...outcomes, ...replies]) };
}

/** Joins the counts into periods of equal length, without gaps, and at most MAX_RESULT_POINTS of them. */
export function toPoints(counts: readonly Counted[]): Pick<CampaignResults, 'step_seconds' | 'points'> {
  if (counts.length === 0) return { step_seconds: GRAIN_SECONDS, points: [] };
  const times = counts.map(({ at }) => at);
  // Not Math.min(...times): there may be too many arguments.
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const periods = (step: number) => Math.floor(last / step) - Math.floor(first / step) + 1;
  const day = STEPS.at(-1)!;
  const step_seconds =
    STEPS.find((step) => periods(step) <= MAX_RESULT_POINTS) ?? day * Math.ceil(periods(day) / (MAX_RESULT_POINTS - 1));
  const start = Math.floor(first / step_seconds);
  const points = Array.from({ length: periods(step_seconds) }, (_, index) => ({
    date: new Date((start + index) * step_seconds * 1_000).toISOString().slice(0, 19).replace('T', ' '),
    ...{ delivered: 0, sent: 0, failed: 0, replies: 0 },
  }));
  for (const { at, outcome, count } of counts) points[Math.floor(at / step_seconds) - start]![outcome] += count;
  return { step_seconds, points };
}
