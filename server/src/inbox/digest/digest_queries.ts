import type { DigestSettings } from '@parley/contract/inbox/digests.ts';
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { join, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { countEach, selectConditions } from '../queries.ts';
import type { WatchedView } from '../view_notifications/view_notifications.ts';

/** How far the conversations of a digest are counted. */
export const DIGEST_COUNT_MAX = 100;

export const readDigest = (db: Queryable, account_id: string, user_id: string): Promise<DigestSettings> =>
  db.one<DigestSettings>(sql`
    select d.every_hours, coalesce(d.at_time, '08:00') as time, coalesce(d.timezone, a.timezone) as timezone,
           not exists (select from mail_opt_outs o
                       where o.account_id = a.id and o.user_id = ${user_id} and o.kind = 'mentions') as mention_emails
    from accounts a left join inbox_digests d on d.account_id = a.id and d.user_id = ${user_id}
    where a.id = ${account_id}`);

/** The next time of the day after `now`. */
const nextDay = (now: Date, time: Sql, timezone: Sql): Sql => sql`
  (select min(at) from (
     select ((${now}::timestamptz at time zone ${timezone})::date + day + ${time}::time) at time zone ${timezone} as at
     from generate_series(0, 2) as day) days
   where at > ${now})`;

export const saveDigest = (
  tx: Tx,
  account_id: string,
  user_id: string,
  { every_hours, time, timezone }: DigestSettings & { every_hours: number },
) =>
  tx.run(sql`
    insert into inbox_digests (account_id, user_id, every_hours, at_time, timezone, next_date)
    values (${account_id}, ${user_id}, ${every_hours}, ${time}, ${timezone},
            case when ${every_hours} = 24 then ${nextDay(tx.now, sql`${time}`, sql`${timezone}::text`)}
                 else ${tx.now}::timestamptz + ${every_hours} * interval '1 hour' end)
    on conflict (account_id, user_id) do update
      set every_hours = excluded.every_hours, at_time = excluded.at_time, timezone = excluded.timezone,
          next_date = excluded.next_date`);

export const deleteDigest = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from inbox_digests where account_id = ${account_id} and user_id = ${user_id}`);

export interface DueDigest {
  account_id: string;
  user_id: string;
  /** The time for which the digest is, which identifies it. */
  due: string;
  email: string;
  first_name: string;
  is_owner: boolean;
  permissions: Permissions;
  blocked: boolean;
  /** When the quiet hours of the user end; null: they do not include now. */
  quiet_until: Date | null;
}

/** Locks the digest that has been due the longest, unless another worker has it. */
export const lockDue = (tx: Tx, now: Date) =>
  tx.maybeOne<DueDigest>(sql`
    with due as materialized (
      select account_id, user_id, next_date from inbox_digests
      where next_date <= ${now} order by next_date limit 1 for update skip locked)
    select due.account_id, due.user_id, to_char(due.next_date, 'YYYY-MM-DD HH24:MI:SS') as due, u.email, u.first_name,
           u.is_owner, u.permissions,
           u.id is null or u.blocked or u.remove_date is not null or a.status = 'BLOCKED'
             or a.close_date is not null as blocked,
           case when s.quiet_from < s.quiet_until and here.time >= s.quiet_from and here.time < s.quiet_until
                then (here.at::date + s.quiet_until::time) at time zone a.timezone
                when s.quiet_from > s.quiet_until and here.time >= s.quiet_from
                then (here.at::date + 1 + s.quiet_until::time) at time zone a.timezone
                when s.quiet_from > s.quiet_until and here.time < s.quiet_until
                then (here.at::date + s.quiet_until::time) at time zone a.timezone end as quiet_until
    from due
    join accounts a on a.id = due.account_id
    left join users u on u.account_id = due.account_id and u.id = due.user_id
    left join push_settings s on s.account_id = due.account_id and s.user_id = due.user_id
    cross join lateral (select ${now}::timestamptz at time zone a.timezone as at) local
    cross join lateral (select local.at, to_char(local.at, 'HH24:MI') as time) here`);

/** Sets the time of the next digest. Digests that were missed while no worker ran are not sent later. */
export const advance = (tx: Tx, { account_id, user_id }: DueDigest, now: Date) =>
  tx.run(sql`
    update inbox_digests d
    set next_date = case when every_hours = 24 then ${nextDay(now, sql`d.at_time`, sql`d.timezone`)}
      else next_date + every_hours * interval '1 hour'
        * greatest(1, ceil(extract(epoch from ${now}::timestamptz - next_date + interval '1 second')
                           / (every_hours * 3600))) end
    where account_id = ${account_id} and user_id = ${user_id}`);

export const postpone = (db: Queryable, { account_id, user_id }: DueDigest, until: Date) =>
  db.run(sql`
    update inbox_digests set next_date = ${until} where account_id = ${account_id} and user_id = ${user_id}`);

export interface Waiting {
  /** Each is counted up to a limit. */
  unread: number;
  waiting: number;
  unassigned: number;
  overdue: number;
}

interface Reader {
  account_id: string;
  user_id: string;
  buckets: readonly Bucket[];
  /** The saved views for which the user has notification settings. */
  views: readonly WatchedView[];
}

/** Leaves out the conversations of views without a digest, unless they are also in a view with one. */
function isCounted(views: readonly WatchedView[]): Sql {
  const isIn = (digest: boolean): Sql[] =>
    views.filter((view) => view.digest === digest).map(({ scope }) => sql`(${selectConditions(scope, 'count')})`);
  const [left, kept] = [isIn(false), isIn(true)];
  if (left.length === 0) return sql`true`;
  const either = (all: readonly Sql[]): Sql => (all.length === 0 ? sql`false` : join(all, ' or '));
  return sql`(${either(kept)} or not (${either(left)}))`;
}

/** The unread open conversations of each view, up to the limit of a digest. */
export const countUnread = async (db: Queryable, views: readonly WatchedView[]) => {
  if (views.length === 0) return [];
  const counts = await countEach(
    db,
    views.map(({ scope }) => scope),
    DIGEST_COUNT_MAX,
  );
  return counts.map(({ n, unread }) => ({ name: views[n]!.name, unread }));
};

/** The conversations that need a user's attention, in the inboxes that the user may view. */
export const countWaiting = (db: Queryable, { account_id, user_id, buckets, views }: Reader, now: Date) => {
  const mine = sql`c.assignee_id = ${user_id} and ${buckets.includes('self')}`;
  const none = sql`c.assignee_id is null and ${buckets.includes('none')}`;
  const counted = isCounted(views);
  const open = sql`c.account_id = ${account_id} and c.delete_date is null and c.status = 'open' and ${counted}`;
  const count = (from: Sql): Sql => sql`(select count(*)::int from (select ${from} limit ${DIGEST_COUNT_MAX}) capped)`;
  return db.one<Waiting>(sql`
    select ${count(sql`from conversations c where ${open} and ${mine} and c.unread_count > 0`)} as unread,
           ${count(sql`from conversations c where ${open} and ${mine} and c.waiting_since is not null`)} as waiting,
           ${count(sql`from conversations c where ${open} and ${none} and c.unread_count > 0`)} as unassigned,
           ${count(sql`from conversation_clocks k
             join conversations c on c.account_id = k.account_id and c.id = k.conversation_id
             where k.account_id = ${account_id} and k.due_date <= ${now} and (${mine} or ${none})
               and ${counted}`)} as overdue`);
};

/** The conversations of the user that have been waiting the longest. */
export const listLongestWaiting = (db: Queryable, account_id: string, user_id: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select c.id, coalesce(nullif(c.profile_name, ''), '+' || c.number) as name
    from conversations c
    where c.account_id = ${account_id} and c.assignee_id = ${user_id} and c.delete_date is null and c.status = 'open'
      and c.waiting_since is not null
    order by c.waiting_since, c.id limit ${limit}`);
