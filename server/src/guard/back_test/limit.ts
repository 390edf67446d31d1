/** Back-tests a limit on the account's own messages. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { BACK_TEST_DAYS, type BackTest, type backTestLimit } from '@parley/contract/guard/back_tests.ts';
import type { LimitType } from '@parley/contract/guard/limits.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { idAt } from '../../kernel/clock.ts';
import { and, customPlan, empty, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { withDefaults } from '../limits.ts';
import { binTime } from './bins.ts';
import { addUpBuckets, hasBuckets } from './buckets.ts';
import { type Counting, readIntervals } from './intervals.ts';
import { readCurrency } from './outcome.ts';

const DAY_MS = 86_400_000;

type Rule = ReturnType<typeof withDefaults<Parsed<typeof backTestLimit>['body']>>;

/** The amount that a message counts, and its counter. */
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
  const start = binTime(rule.interval, 'm.create_date');
  const counting = { account_id, since, where, start, scope: SCOPE[rule.type] };
  const whole = isDivided(rule.type) ? await countWhole(db, rule, counting) : null;
  const result = { days: BACK_TEST_DAYS, currency: await readCurrency(db, account_id) };
  const isHidden = !permits(permissions, 'MESSAGES:view');
  if (whole?.over === 0)
    return {
      ...{ ...result, messages: whole.messages, blocked: 0, blocked_micros: 0, delivered: 0, answered: 0 },
      ...{ intervals: [], intervals_total: 0, examples: isHidden ? null : [] },
    };
  const { scopes: _, ...outcome } = await readIntervals(db, { ...counting, intervals: addUp(rule, counting) });
  return {
    ...{ ...result, ...outcome, messages: whole?.messages ?? outcome.messages },
    ...(isHidden && { examples: null }),
  };
}

/** All messages, and the counters above the limit. Adds up without sorting, and stores nothing. */
const countWhole = (db: Queryable, { type, limit }: Rule, counting: Omit<Counting, 'intervals'>) =>
  db.one<{ messages: number; over: number }>(
    customPlan(sql`
      select coalesce(sum(messages), 0)::bigint as messages, count(*) filter (where used > ${limit}::bigint) as over
      from (${sumCounters(type, counting)}) whole`),
  );

const sumCounters = (type: LimitType, { where, start, scope }: Omit<Counting, 'intervals'>): Sql => sql`
  select ${start} as start, ${scope} as scope, count(*) as messages, sum(${AMOUNT[type]}) as used
  from messages m where ${where} group by 1, 2`;

/**
 * Adds up the messages of each interval in their order. A message is blocked if it and those before it are above the
 * limit. If an interval has many counters, only the messages of those above the limit are read in order.
 */
function addUp({ type, limit, interval }: Rule, counting: Omit<Counting, 'intervals'>): Sql {
  const { where, start, scope } = counting;
  const amount = AMOUNT[type];
  const order = (more: Sql) => sql`
    select ${start} as start, ${scope} as scope, m.id, m.price_micros, m.create_date, ${amount} as amount,
           m.status in ('delivered', 'read') as is_delivered,
           sum(${amount}) over (partition by ${start}, ${scope} order by m.id rows unbounded preceding) as used
    from messages m where ${where} ${more}`;
  const isOver = sql`used > ${limit}::bigint`;
  const sums = sql`
    select start, scope, count(*) as messages, max(used) as used, count(*) filter (where ${isOver}) as blocked,
           coalesce(sum(price_micros) filter (where ${isOver}), 0)::bigint as blocked_micros,
           count(*) filter (where is_delivered and ${isOver}) as delivered,
           (min(id::text) filter (where ${isOver} and used - amount <= ${limit}::bigint))::uuid as first_id,
           max(create_date) filter (where ${isOver}) as last_date
    from counted group by 1, 2`;
  if (!isDivided(type) && hasBuckets(interval)) return addUpBuckets({ where, amount, limit, interval });
  if (!isDivided(type)) return sql`counted as (${order(empty)}), intervals as materialized (${sums})`;
  return sql`
    whole as materialized (
      ${sumCounters(type, counting)} having sum(${amount}) > ${limit}::bigint
    ), counted as (
      ${order(sql`and (${start}, ${scope}) in (select start, scope from whole)`)}
    ), intervals as materialized (${sums})`;
}

/** Whether the type has a counter for each recipient, sender, API key, user, or campaign. */
const isDivided = (type: LimitType): boolean => type !== 'messages' && type !== 'spend';
