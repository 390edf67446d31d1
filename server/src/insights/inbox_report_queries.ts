import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { ReportDimension, ReportFigures } from '@parley/contract/insights/inbox_reports.ts';
import type { ReportEvent, ReportedConversation } from '@parley/contract/insights/reported_conversations.ts';
import { and, customPlan, join, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import type { Page } from '../kernel/db/list.ts';

export interface ReportScope {
  account_id: string;
  user_id: string | null;
  /** The buckets whose conversations count. */
  buckets: readonly Bucket[];
  channel?: string | undefined;
  /** `none`: conversations without an agent. */
  agent_id?: string | undefined;
  label_id?: string | undefined;
  team_id?: string | undefined;
}

export interface ReportSpan {
  zone: string;
  /** The first day of the period; earlier days belong to the period before. */
  first: string;
  /** The first midnight of the period before, that of the period, and the midnight after the last day. */
  from: Date;
  begin: Date;
  until: Date;
}

/** The user for whom an episode counts. Needs `conversation_episodes e`, like the expressions below. */
const agent: Sql = sql`coalesce(e.assignee_id, e.reply_user_id)`;
const responseSeconds: Sql = sql`extract(epoch from e.reply_date - e.waiting_date)::float8`;
const resolutionSeconds: Sql = sql`extract(epoch from e.close_date - e.open_date)::float8`;
/** The labels that exist, as they were when the conversation was closed. */
const labels: Sql = sql`
  select l.id from labels l
  where l.account_id = e.account_id and l.id = any(coalesce(e.label_ids, array(
    select c.label_id from conversation_labels c
    where c.account_id = e.account_id and c.conversation_id = e.conversation_id)))`;

const conditions = (scope: ReportScope): Sql =>
  and([
    sql`e.account_id = ${scope.account_id}`,
    scope.buckets.length < 3 &&
      sql`case when ${agent} is null then 'none' when ${agent} = ${scope.user_id}::uuid then 'self' else 'others' end
        = any(${scope.buckets}::text[])`,
    scope.channel && sql`e.channel = ${scope.channel}`,
    scope.agent_id && (scope.agent_id === 'none' ? sql`${agent} is null` : sql`${agent} = ${scope.agent_id}::uuid`),
    scope.label_id && sql`${scope.label_id}::uuid in (${labels})`,
    scope.team_id &&
      sql`${agent} in (
        select u.user_id from inbox_team_users u
        where u.account_id = ${scope.account_id} and u.team_id = ${scope.team_id})`,
  ]);

const DATES: Readonly<Record<ReportEvent, Sql>> = {
  opened: sql`e.open_date`,
  answered: sql`e.reply_date`,
  closed: sql`e.close_date`,
};
const SECONDS: Readonly<Record<ReportEvent, Sql>> = {
  opened: sql`null::float8`,
  answered: responseSeconds,
  closed: resolutionSeconds,
};

/** When the event was due; null: there was no target. */
const DUES: Readonly<Record<ReportEvent, Sql>> = {
  opened: sql`null::timestamptz`,
  answered: sql`e.response_due`,
  closed: sql`e.resolution_due`,
};

/** The statement's `events`: what happened from `from` to `until`, with the values by which it is grouped. */
function events(scope: ReportScope, { zone, first, from, until }: ReportSpan, values: Sql): Sql {
  const parts = (Object.keys(DATES) as ReportEvent[]).map(
    (event) => sql`
      select ${event}::text as event, ${DATES[event]} as at, ${SECONDS[event]} as seconds,
             ${DATES[event]} <= ${DUES[event]} as in_time, v.value
      from conversation_episodes e ${values}
      where ${conditions(scope)} and ${DATES[event]} >= ${from} and ${DATES[event]} < ${until}`,
  );
  return sql`
    with found as (${join(parts, ' union all ')}), events as (
      select event, seconds, in_time, value, at at time zone ${zone} as at,
             (at at time zone ${zone})::date < ${first}::date as is_before
      from found
    )`;
}

const percentile = (share: number, event: ReportEvent): Sql =>
  sql`percentile_cont(${share}::float8) within group (order by seconds) filter (where event = ${event})`;
const targets = (event: ReportEvent): Sql =>
  sql`(count(*) filter (where event = ${event} and in_time is not null))::int`;
const inTime = (event: ReportEvent): Sql => sql`(count(*) filter (where event = ${event} and in_time))::int`;
const figures: Sql = sql`
  count(*) filter (where event = 'opened')::int as opened, count(*) filter (where event = 'answered')::int as answered,
  count(*) filter (where event = 'closed')::int as closed, ${percentile(0.5, 'answered')} as response_seconds,
  ${percentile(0.5, 'closed')} as resolution_seconds,
  ${targets('answered')} as response_targets, ${inTime('answered')} as response_in_time,
  ${targets('closed')} as resolution_targets, ${inTime('closed')} as resolution_in_time`;

/** A sum of a period, of one of its days, or of an hour of the week. */
export interface SumRow extends ReportFigures {
  is_before: boolean;
  day: string | null;
  weekday: number | null;
  hour: number | null;
  response_p90_seconds: number | null;
  resolution_p90_seconds: number | null;
}

export const listSums = (db: Queryable, scope: ReportScope, span: ReportSpan) =>
  db.rows<SumRow>(
    customPlan(sql`
      ${events(scope, span, sql`cross join (values ('')) v(value)`)}, timed as (
        select event, seconds, in_time, is_before, at::date as date, extract(isodow from at)::int as weekday,
               extract(hour from at)::int as hour
        from events
      )
      select is_before, to_char(date, 'YYYY-MM-DD') as day, weekday, hour, ${figures},
             ${percentile(0.9, 'answered')} as response_p90_seconds,
             ${percentile(0.9, 'closed')} as resolution_p90_seconds
      from timed
      group by grouping sets ((is_before), (is_before, date), (is_before, weekday, hour))
      order by weekday, hour, date`),
  );

const VALUES: Readonly<Record<ReportDimension, Sql>> = {
  agent: sql`cross join lateral (select coalesce(${agent}::text, '') as value) v`,
  channel: sql`cross join lateral (select e.channel as value) v`,
  label: sql`
    left join lateral (${labels}) one on true cross join lateral (select coalesce(one.id::text, '') as value) v`,
  team: sql`
    left join inbox_team_users t on t.account_id = e.account_id and t.user_id = ${agent}
    cross join lateral (select coalesce(t.team_id::text, '') as value) v`,
};

export const listGroups = (db: Queryable, scope: ReportScope, span: ReportSpan, by: ReportDimension) =>
  db.rows<ReportFigures & { value: string; is_before: boolean }>(
    customPlan(sql`
      ${events(scope, span, VALUES[by])}
      select value, is_before, ${figures} from events group by value, is_before`),
  );

/**
 * Counts the conversations that were open at a time. An episode of step n took at most 2^n hours, so only those that
 * opened within that time are read, however long the history is.
 */
export const countOpen = async (db: Queryable, scope: ReportScope, at: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select (
          select count(*) from conversation_episodes e
          where ${conditions(scope)} and e.length_step is null and e.open_date < ${at}
        ) + (
          select count(*) from generate_series(0, 20) s(step)
          cross join lateral (
            select from conversation_episodes e
            where ${conditions(scope)} and e.length_step = s.step and e.open_date < ${at} and e.close_date >= ${at}
              and e.open_date >= ${at}::timestamptz
                - case s.step when 20 then interval '1000 years' else (2 ^ s.step) * interval '1 hour' end
          ) still
        ) as count`),
    )
  ).count;

const NAMES = {
  agent: sql`
    select id::text as value, coalesce(nullif(concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')), ''), email)
      as label, account_id from users`,
  label: sql`select id::text as value, name as label, account_id from labels`,
  team: sql`select id::text as value, name as label, account_id from inbox_teams`,
} as const;

/** The names of the groups. Deleted records have none. */
export async function readNames(
  db: Queryable,
  account_id: string,
  by: ReportDimension,
  values: readonly string[],
): Promise<Map<string, string>> {
  if (by === 'channel') return new Map();
  const rows = await db.rows<{ value: string; label: string }>(sql`
    select value, label from (${NAMES[by]} where account_id = ${account_id}) n where value = any(${values}::text[])`);
  return new Map(rows.map(({ value, label }) => [value, label]));
}

const within = (event: ReportEvent, { begin, until }: Pick<ReportSpan, 'begin' | 'until'>): Sql =>
  sql`${DATES[event]} >= ${begin} and ${DATES[event]} < ${until}`;

export const listReported = (
  db: Queryable,
  scope: ReportScope,
  span: Pick<ReportSpan, 'begin' | 'until'>,
  event: ReportEvent,
  visible: readonly Bucket[],
  page: Page,
) =>
  db.rows<ReportedConversation>(
    customPlan(sql`
      select e.id, case when seen.ok then c.id end as conversation_id, case when seen.ok then c.number end as number,
             case when seen.ok then coalesce(
               nullif((select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) from contacts k
                       where k.account_id = c.account_id and k.number = c.number order by k.id limit 1), ''),
               nullif(c.profile_name, '')) end as contact_name,
             e.channel, ${agent} as agent_id,
             (select coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), u.email)
              from users u where u.account_id = e.account_id and u.id = ${agent}) as agent_name,
             c.assignee_id, e.open_date as opened, e.waiting_date as waiting_since, e.reply_date as answered,
             e.response_due, e.resolution_due,
             e.close_date as closed, ${responseSeconds} as response_seconds,
             ${resolutionSeconds} as resolution_seconds
      from (
        select e.* from conversation_episodes e
        where ${conditions(scope)} and ${within(event, span)}
        order by ${DATES[event]} desc, e.id desc limit ${page.size + 1} offset ${page.offset}
      ) e
      left join conversations c on c.account_id = e.account_id and c.id = e.conversation_id
      cross join lateral (
        select c.delete_date is null and case when c.assignee_id is null then 'none'
          when c.assignee_id = ${scope.user_id}::uuid then 'self' else 'others' end = any(${visible}::text[]) as ok
      ) seen
      order by ${DATES[event]} desc, e.id desc`),
  );

export const countReported = async (
  db: Queryable,
  scope: ReportScope,
  span: Pick<ReportSpan, 'begin' | 'until'>,
  event: ReportEvent,
  page: Page,
): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (
          select 1 from conversation_episodes e
          where ${conditions(scope)} and ${within(event, span)} limit ${page.count_limit}) capped`),
    )
  ).count;
