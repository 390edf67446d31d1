/**
 * Back-tests a limit on the account's own messages. The first statement adds up each interval, which needs no sorting.
 * Only the messages of intervals above the limit are then read one by one.
 */

import type { Parsed } from '@parley/contract/endpoint.ts';
import { BACK_TEST_DAYS, type BackTest, type backTestLimit } from '@parley/contract/guard/back_tests.ts';
import type { LimitType } from '@parley/contract/guard/limits.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { idAt } from '../../kernel/clock.ts';
import { and, customPlan, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { withDefaults } from '../limits.ts';
import { NO_OUTCOME, readCurrency, readOutcome } from './outcome.ts';

const DAY_MS = 86_400_000;
const MAX_INTERVALS = 20;

type Rule = ReturnType<typeof withDefaults<Parsed<typeof backTestLimit>['body']>>;

/** What a message counts, and the counter that it uses. */
const AMOUNT: Readonly<Record<LimitType, Sql>> = {
  messages: raw('1'),
  spend: raw('m.price_micros'),
  messages_per_recipient: raw('1'),
  messages_per_sender: raw('1'),
  messages_per_key: raw('1'),
  messages_per_address: raw('1'),
  spend_per_key: raw('m.price_micros'),
  spend_per_user: raw('m.price_micros'),
  spend_per_campaign: raw('m.price_micros'),
};
const SCOPE: Readonly<Record<LimitType, Sql>> = {
  messages: raw(`''`),
  spend: raw(`''`),
  messages_per_recipient: raw('m.number'),
  messages_per_sender: raw('m.sender_id::text'),
  messages_per_key: raw('m.key_id::text'),
  messages_per_address: raw(`''`),
  spend_per_key: raw('m.key_id::text'),
  spend_per_user: raw('m.user_id::text'),
  spend_per_campaign: raw('m.campaign_id::text'),
};

/** Messages that no counter of the type counts. */
const UNCOUNTED: Partial<Record<LimitType, Sql>> = {
  messages_per_key: raw('m.key_id is null'),
  spend_per_key: raw('m.key_id is null'),
  spend_per_user: raw('(m.user_id is null or m.key_id is not null)'),
  spend_per_campaign: raw('m.campaign_id is null'),
};

const matches = (account_id: string, since: string, { type, channels, countries, prefixes }: Rule): Sql =>
  and([
    sql`m.account_id = ${account_id} and m.id >= ${since}::uuid and m.direction = 'MT' and m.source <> 'phone_app'`,
    sql`m.channel = any(${channels}::text[])`,
    countries.length > 0 && sql`m.country = any(${countries}::text[])`,
    prefixes.length > 0 && sql`m.number like any(${prefixes.map((prefix) => `${prefix}%`)}::text[])`,
    UNCOUNTED[type] && sql`not ${UNCOUNTED[type]}`,
  ]);

interface Interval {
  start_date: string;
  scope: string;
  messages: number;
  used: number;
}

export async function backTestLimits(
  db: Queryable,
  { account_id, permissions }: Actor,
  now: Date,
  body: Parsed<typeof backTestLimit>['body'],
): Promise<BackTest> {
  const rule = withDefaults(body);
  if (rule.type === 'messages_per_address') throw new Problem('LIMIT_NOT_TESTABLE');
  const since = idAt(now.getTime() - BACK_TEST_DAYS * DAY_MS);
  const where = matches(account_id, since, rule);
  const start = sql`date_trunc(${rule.interval}, m.create_date at time zone 'UTC') at time zone 'UTC'`;
  const currency = await readCurrency(db, account_id);
  const all = await db.one<{ messages: number; over: Interval[] | null }>(
    customPlan(sql`
      with used as materialized (
        select ${start} as start, ${SCOPE[rule.type]} as scope, count(*) as messages, sum(${AMOUNT[rule.type]}) as used
        from messages m where ${where} group by 1, 2
      )
      select coalesce(sum(messages), 0)::bigint as messages,
             json_agg(json_build_object('start_date', to_char(start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
               'scope', scope, 'messages', messages, 'used', used) order by start)
               filter (where used > ${rule.limit}::bigint) as over
      from used`),
  );
  const over = all.over ?? [];
  const result = { days: BACK_TEST_DAYS, messages: all.messages, currency };
  const isHidden = !permits(permissions, 'MESSAGES:view');
  const none = { ...NO_OUTCOME, intervals: [], intervals_total: 0 };
  if (over.length === 0) return { ...result, ...none, examples: isHidden ? null : [] };
  const outcome = await readBlocked(db, { rule, where, start, over, account_id });
  return { ...result, ...outcome, intervals_total: over.length, ...(isHidden && { examples: null }) };
}

interface BlockedQuery {
  readonly rule: Rule;
  readonly where: Sql;
  readonly start: Sql;
  readonly over: readonly Interval[];
  readonly account_id: string;
}

/** A message is blocked if it and those before it in its interval are above the limit. */
function readBlocked(db: Queryable, { rule, where, start, over, account_id }: BlockedQuery) {
  const starts = [...new Set(over.map(({ start_date }) => start_date))];
  return readOutcome<Pick<BackTest, 'intervals'>>(db, account_id, {
    blocked: sql`
      counted as (
        select m.id, m.number, m.country, m.status, m.price_micros, m.create_date, ${start} as start,
               sum(${AMOUNT[rule.type]}) over (
                 partition by ${start}, ${SCOPE[rule.type]} order by m.id rows unbounded preceding) as used
        from messages m
        where ${where}
          and ${start} = any(${starts}::timestamptz[])
      ), blocked as materialized (
        select * from counted where used > ${rule.limit}::bigint
      ), intervals as (
        select start, max(used) as used, count(*) as blocked from blocked group by 1 order by 3 desc, 1 desc
        limit ${MAX_INTERVALS}
      )`,
    columns: sql`
      (select json_agg(json_build_object(
         'start_date', to_char(start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), 'used', used,
         'blocked', blocked) order by blocked desc, start desc) from intervals) as intervals`,
  });
}
