/**
 * The frequency cap: the maximum number of campaign messages that a person gets per day and per week, in the account's
 * time zone. The gate counts it like a limit per recipient (decision 50), so parallel campaigns never exceed it
 * together. It has the two rules of this file instead of rows in `limits`, and starts no violation.
 */
import type { FrequencyCap } from '@parley/contract/accounts/campaign_rules.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { LimitRule } from './rules.ts';

const DAY_MS = 86_400_000;
/** The limits of the counters. Counters are locked in the order of these IDs. */
export const CAP_IDS = {
  day: '00000000-0000-7000-8000-000000000001',
  week: '00000000-0000-7000-8000-000000000002',
} as const;

/** Returns the rules of the cap at this time; empty if the account has none. */
export async function loadFrequencyCap(db: Queryable, account_id: string, at: Date): Promise<LimitRule[]> {
  const { frequency_cap, day, week } = await db.one<{ frequency_cap: FrequencyCap | null; day: string; week: string }>(
    sql`
    select frequency_cap,
           date_trunc('day', ${at}::timestamptz at time zone timezone) at time zone timezone as day,
           date_trunc('week', ${at}::timestamptz at time zone timezone) at time zone timezone as week
    from accounts where id = ${account_id}`,
  );
  if (!frequency_cap) return [];
  const { per_day, per_week } = frequency_cap;
  const rule = (interval: 'day' | 'week', limit: number, from: string): LimitRule => {
    const start = parseTimestamp(from);
    const end = new Date(start.getTime() + (interval === 'day' ? DAY_MS : 7 * DAY_MS));
    return {
      ...{
        id: CAP_IDS[interval],
        type: 'messages_per_recipient',
        channels: [...CHANNELS],
        countries: [],
        prefixes: [],
      },
      ...{ limit, interval, block_traffic: true, warn_at: [], window: { start, end } },
    };
  };
  return [
    ...(per_day === null ? [] : [rule('day', per_day, day)]),
    ...(per_week === null ? [] : [rule('week', per_week, week)]),
  ];
}

/** Returns the numbers that have reached the cap. */
export async function listCapped(
  db: Queryable,
  account_id: string,
  rules: readonly LimitRule[],
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (rules.length === 0 || numbers.length === 0) return new Set();
  const rows = await db.rows<{ number: string }>(sql`
    select distinct n.number from unnest(${numbers}::text[]) as n(number)
    cross join unnest(${rules.map(({ id }) => id)}::uuid[], ${rules.map(({ window }) => window!.start)}::timestamptz[],
      ${rules.map(({ limit }) => limit)}::bigint[]) as r(limit_id, window_start, cap)
    cross join lateral (
      select from limit_counters c
      where c.account_id = ${account_id} and c.limit_id = r.limit_id and c.window_start = r.window_start
        and c.scope = n.number and c.used >= r.cap
      offset 0
    ) reached`);
  return new Set(rows.map(({ number }) => number));
}
