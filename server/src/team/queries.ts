import type { listUsers, TeamUser } from '@parley/contract/team/team.ts';
import { and, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';

/** The status of user `u`. Their login `l` exists only after they accept the invitation. */
const STATUS_CASE = "case when u.blocked then 'BLOCKED' else coalesce(l.status, 'NEW') end";
const STATUS = raw(STATUS_CASE);

const userSelect: Sql = sql`
  select u.id, u.account_id, u.email, u.first_name, u.last_name, trim(u.first_name || ' ' || u.last_name) as full_name,
         coalesce(u.position, '') as position, l.phone_number, ${STATUS} as status, u.blocked, u.block_reason,
         u.blocked_by_operator, u.is_owner,
         l.totp_date is not null or exists (select 1 from passkeys p where p.login_id = l.id) as second_factor,
         u.permissions, u.last_seen_date, u.create_date
  from users u left join logins l on l.id = u.login_id`;

export interface UserFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  user_statuses?: readonly string[] | undefined;
  positions?: readonly string[] | undefined;
}

const conditions = (account_id: string, filter: UserFilter): Sql =>
  and([
    sql`u.account_id = ${account_id} and u.remove_date is null`,
    filter.search &&
      sql`(u.first_name || ' ' || u.last_name ilike ${likePattern(filter.search)}
        or u.email ilike ${likePattern(filter.search)})`,
    filter.statuses?.length && sql`${STATUS} = any(${filter.statuses}::text[])`,
    filter.user_statuses?.length && sql`${STATUS} = any(${filter.user_statuses}::text[])`,
    filter.positions?.length &&
      sql`lower(u.position) = any(${filter.positions.map((position) => position.toLowerCase())}::text[])`,
  ]);

const SORTS: Sorts<typeof listUsers> = {
  name: ['lower(u.first_name)', 'lower(u.last_name)'],
  status: STATUS_CASE,
  position: "lower(coalesce(u.position, ''))",
  last_seen_date: "coalesce(u.last_seen_date, '-infinity')",
};

const OWNERS_FIRST = 'u.is_owner desc, lower(u.first_name), lower(u.last_name), u.id';

export const listTeamUsers = (db: Queryable, account_id: string, filter: UserFilter, page: Page) =>
  db.rows<TeamUser>(sql`
    ${userSelect} where ${conditions(account_id, filter)}
    order by ${orderBy(page, SORTS, 'u.id', OWNERS_FIRST)}
    limit ${page.size + 1} offset ${page.offset}`);

export const countUsers = async (db: Queryable, account_id: string, filter: UserFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from users u left join logins l on l.id = u.login_id
        where ${conditions(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findUser = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<TeamUser>(
    sql`${userSelect} where u.account_id = ${account_id} and u.id = ${id} and u.remove_date is null`,
  );

export interface LockedUser {
  id: string;
  login_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  full_name: string;
  position: string;
  permissions: TeamUser['permissions'];
  is_owner: boolean;
  blocked: boolean;
  block_reason: string;
  blocked_by_operator: boolean;
  /** Null if the company itself has not blocked the user. */
  team_block_reason: string | null;
}

export const lockUser = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<LockedUser>(sql`
    select id, login_id, email, first_name, last_name, trim(first_name || ' ' || last_name) as full_name,
           coalesce(position, '') as position, permissions, is_owner, blocked, block_reason, blocked_by_operator,
           team_block_reason
    from users where account_id = ${account_id} and id = ${id} and remove_date is null for update`);

export const isMember = async (db: Queryable, account_id: string, email: string): Promise<boolean> =>
  (
    await db.one<{ there: boolean }>(sql`
      select exists (
        select 1 from users
        where account_id = ${account_id} and lower(email) = ${email.toLowerCase()} and remove_date is null) as there`)
  ).there;

interface NewUser {
  account_id: string;
  id: string;
  login_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  position: string;
  permissions: TeamUser['permissions'];
  is_owner?: boolean;
}

export const insertUser = (db: Queryable, user: NewUser) =>
  db.run(sql`
    insert into users (account_id, id, login_id, email, first_name, last_name, position, permissions, is_owner)
    values (${user.account_id}, ${user.id}, ${user.login_id}, ${user.email}, ${user.first_name}, ${user.last_name},
            ${user.position}, ${JSON.stringify(user.permissions)}::jsonb, ${user.is_owner ?? false})`);

export const updateUser = (
  db: Queryable,
  account_id: string,
  id: string,
  user: Pick<LockedUser, 'first_name' | 'last_name' | 'position' | 'permissions' | 'team_block_reason'>,
) =>
  db.run(sql`
    update users set first_name = ${user.first_name}, last_name = ${user.last_name}, position = ${user.position},
      permissions = ${JSON.stringify(user.permissions)}::jsonb, team_block_reason = ${user.team_block_reason},
      blocked = blocked_by_operator or ${user.team_block_reason}::text is not null,
      block_reason = case when blocked_by_operator then block_reason else coalesce(${user.team_block_reason}, '') end,
      update_date = now()
    where account_id = ${account_id} and id = ${id}`);

/** Clears the address, permissions, and login, but keeps the name for the logs. */
export const clearUser = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.run(sql`
    update users set login_id = null, remove_date = ${now}, email = '', position = null, permissions = '{}',
      update_date = ${now}
    where account_id = ${account_id} and id = ${id}`);

/** Deletes a login that belongs to no company, with its factors and codes. */
export const deleteUnusedLogin = async (db: Queryable, login_id: string): Promise<void> => {
  const deleted = await db.run(sql`
    delete from logins l where l.id = ${login_id} and not exists (select 1 from users u where u.login_id = l.id)`);
  if (deleted > 0) await db.run(sql`delete from sessions where login_id = ${login_id}`);
};
