/**
 * The outcome of the messages that a rule would have blocked, for rules that count by interval: a limit, or a list of
 * countries. The messages are added up while they are read, and never stored in between, so that rules which block
 * millions of them can be tested as well.
 */
import { BACK_TEST_EXAMPLES, type Outcome } from '@parley/contract/guard/back_tests.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { customPlan, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { exampleList, REPLY_TIME } from './outcome.ts';

const MAX_INTERVALS = 20;
const MAX_SCOPES = 300;

export interface Counting {
  readonly account_id: string;
  /** No message of the test has a lower ID. */
  readonly since: string;
  /** Selects the messages `m` to which the rule applies. */
  readonly where: Sql;
  /** A message's interval, and its counter within the interval. */
  readonly start: Sql;
  readonly scope: Sql;
  /**
   * Common table expressions that end with `intervals`: start, scope, messages, used, blocked, blocked_micros,
   * delivered, first_id, the first blocked message (null: all are blocked), and last_date, the time of the last one.
   */
  readonly intervals: Sql;
}

interface Totals {
  messages: number;
  blocked: number;
  blocked_micros: number;
  delivered: number;
  answered: number;
  intervals_total: number;
  intervals: { start_date: string; used: number; blocked: number }[];
  scopes: { scope: string; blocked: number; blocked_micros: number }[];
}

/** An interval with one of the newest blocked messages. */
interface Newest {
  start: string;
  scope: string;
  first_id: string | null;
}

export type Blocked = Totals & { examples: NonNullable<Outcome['examples']> };

export async function readIntervals(db: Queryable, counting: Counting): Promise<Blocked> {
  const { newest, ...totals } = await db.one<Totals & { newest: Newest[] }>(
    customPlan(sql`
      with ${counting.intervals}, over as materialized (
        select * from intervals where blocked > 0
      ), by_start as (
        select start, max(used)::bigint as used, sum(blocked)::bigint as blocked from over
        group by 1 order by 3 desc, 1 desc limit ${MAX_INTERVALS}
      ), by_scope as (
        select scope, sum(blocked)::bigint as blocked, sum(blocked_micros)::bigint as blocked_micros from over
        group by 1 order by 2 desc, 1 limit ${MAX_SCOPES}
      ), newest as (
        select start, scope, first_id from over order by last_date desc limit ${BACK_TEST_EXAMPLES}
      )
      select (select coalesce(sum(messages), 0)::bigint from intervals) as messages,
             coalesce(sum(blocked), 0)::bigint as blocked, coalesce(sum(blocked_micros), 0)::bigint as blocked_micros,
             coalesce(sum(delivered), 0)::bigint as delivered, count(*) as intervals_total,
             (${countAnswered(counting)}) as answered,
             (select coalesce(json_agg(json_build_object(
               'start_date', to_char(start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), 'used', used,
               'blocked', blocked) order by blocked desc, start desc), '[]') from by_start) as intervals,
             (select coalesce(json_agg(json_build_object('scope', scope, 'blocked', blocked,
               'blocked_micros', blocked_micros) order by blocked desc, scope), '[]') from by_scope) as scopes,
             (select coalesce(json_agg(newest), '[]') from newest) as newest
      from over`),
  );
  return { ...totals, examples: await listExamples(db, counting, newest) };
}

/** Starts with the replies, because they are few. */
const countAnswered = ({ account_id, since, where, start, scope }: Counting): Sql => sql`
  with replies as materialized (
    select r.number, r.create_date from messages r
    where r.account_id = ${account_id} and r.direction = 'MO' and r.id >= ${since}::uuid
      and exists (select from over where delivered > 0)
  ), answered as materialized (
    select distinct m.id, ${start} as start, ${scope} as scope
    from replies r join messages m on m.number = r.number
      and r.create_date between m.create_date and m.create_date + ${REPLY_TIME}::interval
    where ${where} and m.status in ('delivered', 'read')
  )
  select count(*) from answered m join over o
    on o.start = m.start and o.scope = m.scope and (o.first_id is null or m.id >= o.first_id)`;

async function listExamples(
  db: Queryable,
  { account_id, where, start, scope }: Counting,
  newest: readonly Newest[],
): Promise<Blocked['examples']> {
  if (newest.length === 0) return [];
  const first_ms = Math.min(...newest.map((interval) => Date.parse(interval.start)));
  const { examples } = await db.one<Pick<Blocked, 'examples'>>(
    customPlan(sql`
      with newest as (
        select m.id, m.number, m.country, m.status, m.create_date
        from messages m
        join unnest(${newest.map((interval) => interval.start)}::timestamptz[],
                    ${newest.map((interval) => interval.scope)}::text[],
                    ${newest.map(({ first_id }) => first_id)}::uuid[]) as o(start, scope, first_id)
          on o.start = ${start} and o.scope = ${scope} and (o.first_id is null or m.id >= o.first_id)
        where ${where} and m.id >= ${idAt(first_ms - ID_MARGIN_MS)}::uuid
        order by m.id desc limit ${BACK_TEST_EXAMPLES}
      ), examples as (
        select m.*, m.status in ('delivered', 'read') and exists (
          select from messages r
          where r.account_id = ${account_id} and r.number = m.number and r.direction = 'MO'
            and r.create_date between m.create_date and m.create_date + ${REPLY_TIME}::interval) as answered
        from newest m
      )
      select ${exampleList} as examples from examples`),
  );
  return examples;
}
