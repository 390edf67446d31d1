/**
 * The history of a number, newest first. Each part is read by an index of the number, so the cost depends only on
 * this person.
 */
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type {
  PersonSummary,
  PersonTimelineEntry,
  TimelineClick,
  TimelineKind,
  TimelineNote,
} from '@parley/contract/people/timeline.ts';
import { customPlan, join, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';

export interface TimelineScope {
  account_id: string;
  /** The person's numbers. */
  numbers: readonly string[];
  user_id: string | null;
  /** The buckets of the inbox that the caller may view. */
  buckets: readonly Bucket[];
  kinds: readonly TimelineKind[];
  /** False if the caller sees only the messages in conversations of the buckets. */
  sees_all_messages: boolean;
}

export interface TimelineKey {
  /** A UUID that begins with the time of the entry. */
  key: string;
  id: string;
  kind: TimelineKind;
}

/** The bucket of a conversation `c`, one of those that the caller may view. */
const isVisible = ({ user_id, buckets }: TimelineScope): Sql => sql`(
  case when c.assignee_id is null then 'none' when c.assignee_id = ${user_id}::uuid then 'self' else 'others' end
) = any(${buckets}::text[])`;

const visibleThreads = (scope: TimelineScope): Sql => sql`
  select c.id, c.sender_id, c.number, c.assignee_id from conversations c
  where c.account_id = ${scope.account_id} and c.number = any(${scope.numbers}::text[]) and c.delete_date is null
    and ${isVisible(scope)}`;

/** The senders that have messages with a number: one index lookup for each, however many messages there are. */
const allThreads = ({ account_id, numbers }: TimelineScope): Sql => sql`
  select n.number, t.sender_id from unnest(${numbers}::text[]) as n(number) cross join lateral (
    with recursive pair as (
      (select m.sender_id from messages m where m.account_id = ${account_id} and m.number = n.number
       order by m.sender_id limit 1)
      union all
      select (select m.sender_id from messages m
              where m.account_id = ${account_id} and m.number = n.number and m.sender_id > pair.sender_id
              order by m.sender_id limit 1)
      from pair where pair.sender_id is not null
    )
    select sender_id from pair where sender_id is not null
  ) t`;

/** The ID of a row, with the given time in place of its own. */
const timeKey = (time: Sql, id: Sql): Sql => sql`(
  lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || substr(replace(${id}::text, '-', ''), 13)
)::uuid`;

/** The latest keys of each kind. `before` and `limit` cut them for a page; without them, all are counted. */
const PARTS: Readonly<Record<TimelineKind, (scope: TimelineScope, before: string | null, limit: number) => Sql>> = {
  message: (scope, before, limit) => sql`
    select m.id as key, m.id, 'message' as kind
    from (${scope.sees_all_messages ? allThreads(scope) : visibleThreads(scope)}) t
    cross join lateral (
      select m.id from messages m
      where m.account_id = ${scope.account_id} and m.number = t.number and m.sender_id = t.sender_id
        and ${earlier(sql`m.id`, before)}
      order by m.id desc limit ${limit}
    ) m`,
  click: ({ account_id, numbers }, before, limit) => sql`
    select key, id, 'click' as kind
    from (select ${timeKey(sql`click_date`, sql`id`)} as key, id from link_clicks
          where account_id = ${account_id} and number = any(${numbers}::text[])) k
    where ${earlier(sql`key`, before)} order by key desc limit ${limit}`,
  consent: ({ account_id, numbers }, before, limit) => sql`
    select key, id, 'consent' as kind
    from (select ${timeKey(sql`create_date`, sql`id`)} as key, id from consents
          where account_id = ${account_id} and number = any(${numbers}::text[])) k
    where ${earlier(sql`key`, before)} order by key desc limit ${limit}`,
  note: (scope, before, limit) => sql`
    select e.id as key, e.id, 'note' as kind
    from (${visibleThreads(scope)}) t
    cross join lateral (
      select e.id from conversation_entries e
      where e.account_id = ${scope.account_id} and e.conversation_id = t.id and e.kind = 'note'
        and ${earlier(sql`e.id`, before)}
      order by e.id desc limit ${limit}
    ) e`,
  erasure: ({ account_id, numbers }, before, limit) => sql`
    select id as key, id, 'erasure' as kind from person_erasures
    where account_id = ${account_id} and number = any(${numbers}::text[]) and ${earlier(sql`id`, before)}
    order by id desc limit ${limit}`,
};

const earlier = (key: Sql, before: string | null): Sql => (before === null ? sql`true` : sql`${key} < ${before}::uuid`);

const union = (scope: TimelineScope, before: string | null, limit: number): Sql =>
  join(
    scope.kinds.map((kind) => sql`(${PARTS[kind](scope, before, limit)})`),
    ' union all ',
  );

export const listTimelineKeys = (
  db: Queryable,
  scope: TimelineScope,
  page: Pick<Page, 'after' | 'offset' | 'size'>,
) => {
  const limit = page.offset + page.size + 1;
  return db.rows<TimelineKey>(
    customPlan(sql`
      select key, id, kind from (${union(scope, page.after, limit)}) entries
      order by key desc limit ${page.size + 1} offset ${page.offset}`),
  );
};

export const countTimeline = async (db: Queryable, scope: TimelineScope): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (select 1 from (${union(scope, null, CAP + 1)}) entries limit ${CAP + 1}) capped`),
    )
  ).count;

export const listClicks = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<TimelineClick & Pick<PersonTimelineEntry, 'id' | 'timestamp'>>(sql`
    select k.id, k.link_id, coalesce(l.url, '') as url, k.kind, k.device, k.message_id, l.campaign_id,
           c.name as campaign_name, k.click_date as timestamp
    from link_clicks k
    left join links l on l.account_id = k.account_id and l.id = k.link_id
    left join campaigns c on c.account_id = l.account_id and c.id = l.campaign_id
    where k.account_id = ${account_id} and k.id = any(${ids}::uuid[])`);

export const listNotes = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Omit<TimelineNote, 'assignee_id'> & Pick<PersonTimelineEntry, 'id' | 'timestamp'>>(sql`
    select e.id, e.conversation_id, e.text, nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
           e.create_date as timestamp
    from conversation_entries e left join users u on u.account_id = e.account_id and u.id = e.user_id
    where e.account_id = ${account_id} and e.id = any(${ids}::uuid[])`);

export const listErasures = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Pick<PersonTimelineEntry, 'id' | 'timestamp'>>(sql`
    select id, create_date as timestamp from person_erasures
    where account_id = ${account_id} and id = any(${ids}::uuid[])`);

export const listCampaignNames = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from campaigns where account_id = ${account_id} and id = any(${ids}::uuid[])`);

/** The conversations that the caller may view, with their assignees. */
export const readVisibleConversations = async (
  db: Queryable,
  scope: TimelineScope,
): Promise<Map<string, string | null>> =>
  new Map(
    (await db.rows<{ id: string; assignee_id: string | null }>(visibleThreads(scope))).map((row) => [
      row.id,
      row.assignee_id,
    ]),
  );

/** How many of the latest messages with each sender are searched for campaigns. */
const CAMPAIGN_MESSAGES = 200;

/** The campaigns of the latest messages, with the latest message of each. */
export const listLatestCampaigns = (db: Queryable, scope: TimelineScope, limit: number) =>
  db.rows<NonNullable<PersonSummary['campaigns']>[number]>(
    customPlan(sql`
      select g.id, g.name, g.channel, to_char(k.create_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as timestamp,
             k.status
      from (
        select distinct on (m.campaign_id) m.campaign_id, m.id, m.create_date, m.status
        from (${scope.sees_all_messages ? allThreads(scope) : visibleThreads(scope)}) t
        cross join lateral (
          select m.id, m.campaign_id, m.create_date, m.status from messages m
          where m.account_id = ${scope.account_id} and m.number = t.number and m.sender_id = t.sender_id
          order by m.id desc limit ${CAMPAIGN_MESSAGES}
        ) m
        where m.campaign_id is not null
        order by m.campaign_id, m.id desc
      ) k
      join campaigns g on g.account_id = ${scope.account_id} and g.id = k.campaign_id
      order by k.id desc limit ${limit}`),
  );
