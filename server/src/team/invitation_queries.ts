import type { Invitation } from '@parley/contract/team/team.ts';
import { and, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';

/** Computed when read, since no job marks expired invitations. */
const STATUS = raw("case when i.status = 'PENDING' and i.expire_date <= now() then 'EXPIRED' else i.status end");

const invitationSelect: Sql = sql`
  select i.id, i.account_id, a.company_name, i.email, i.first_name, i.last_name, i.position,
         coalesce(u.permissions, i.permissions) as permissions, ${STATUS} as status,
         coalesce((select trim(b.first_name || ' ' || b.last_name) from users b
                   where b.account_id = i.inviter_account_id and b.id = i.invited_by), '') as invited_by_name,
         i.sends, i.send_date, i.expire_date, i.create_date
  from invitations i join accounts a on a.id = i.account_id
  left join users u on u.account_id = i.account_id and u.id = i.user_id and i.status = 'PENDING'`;

export interface InvitationFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
}

/** Selects invitations to a company, and those that its users sent to owners of sub-accounts. */
const sentBy = (account_id: string): Sql => sql`(i.account_id = ${account_id} or i.inviter_account_id = ${account_id})`;

const conditions = (account_id: string, filter: InvitationFilter): Sql =>
  and([
    sentBy(account_id),
    filter.search &&
      sql`(i.email ilike ${likePattern(filter.search)}
        or i.first_name || ' ' || i.last_name ilike ${likePattern(filter.search)})`,
    filter.statuses?.length && sql`${STATUS} = any(${filter.statuses}::text[])`,
  ]);

export const listInvitations = (db: Queryable, account_id: string, filter: InvitationFilter, page: Page) =>
  db.rows<Invitation>(sql`
    ${invitationSelect} where ${conditions(account_id, filter)}
    order by i.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countInvitations = async (db: Queryable, account_id: string, filter: InvitationFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from invitations i where ${conditions(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

/** Selects open invitations to a user's address. */
export const listReceivedInvitations = (db: Queryable, account_id: string, user_id: string) =>
  db.rows<Pick<Invitation, 'id' | 'company_name' | 'invited_by_name' | 'position' | 'send_date' | 'expire_date'>>(sql`
    select mine.id, mine.company_name, mine.invited_by_name, mine.position, mine.send_date, mine.expire_date
    from (${invitationSelect}
      where a.close_date is null and a.status <> 'BLOCKED' and i.status = 'PENDING' and i.expire_date > now()
        and lower(i.email) = (
          select lower(l.email) from users me join logins l on l.id = me.login_id
          where me.account_id = ${account_id} and me.id = ${user_id})
    ) mine order by mine.id desc limit 100`);

export const readInvitation = (db: Queryable, account_id: string, id: string) =>
  db.one<Invitation>(sql`${invitationSelect} where i.account_id = ${account_id} and i.id = ${id}`);

export interface InvitationRow {
  account_id: string;
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  position: string;
  permissions: Invitation['permissions'];
  status: Invitation['status'];
  invited_by: string | null;
  inviter_account_id: string;
  user_id: string | null;
  sends: number;
  seconds_since_send: number;
}

const rowSelect: Sql = sql`
  select i.account_id, i.id, i.email, i.first_name, i.last_name, i.position, i.permissions, ${STATUS} as status,
         i.invited_by, i.inviter_account_id, i.user_id, i.sends,
         extract(epoch from now() - i.send_date)::float8 as seconds_since_send
  from invitations i`;

export const lockInvitation = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<InvitationRow>(sql`${rowSelect} where ${sentBy(account_id)} and i.id = ${id} for update`);

export const lockPending = (db: Queryable, account_id: string, email: string) =>
  db.maybeOne<InvitationRow>(sql`
    ${rowSelect} where i.account_id = ${account_id} and lower(i.email) = ${email.toLowerCase()} and i.status = 'PENDING'
    for update`);

export const lockByToken = (db: Queryable, token_hash: Buffer) =>
  db.maybeOne<InvitationRow>(sql`${rowSelect} where i.token_hash = ${token_hash} for update`);

/** Counts the invitations that a company sent in the last hour. */
export const countRecentSends = async (db: Queryable, inviter_account_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from invitations
      where inviter_account_id = ${inviter_account_id} and send_date > now() - interval '1 hour'`)
  ).count;

export const insertInvitation = (
  db: Queryable,
  row: {
    account_id: string;
    id: string;
    email: string;
    first_name: string;
    last_name: string;
    position: string;
    permissions: Invitation['permissions'];
    token_hash: Buffer;
    invited_by: string | null;
    inviter_account_id: string;
    user_id: string | null;
    now: Date;
    days: number;
  },
) =>
  db.run(sql`
    insert into invitations (account_id, id, email, first_name, last_name, position, permissions, token_hash,
                             invited_by, inviter_account_id, user_id, send_date, expire_date)
    values (${row.account_id}, ${row.id}, ${row.email}, ${row.first_name}, ${row.last_name}, ${row.position},
            ${JSON.stringify(row.permissions)}::jsonb, ${row.token_hash}, ${row.invited_by}, ${row.inviter_account_id},
            ${row.user_id}, ${row.now}, ${row.now}::timestamptz + make_interval(days => ${row.days}))`);

/** Replaces the link; the old one stops working. */
export const renewInvitation = (
  db: Queryable,
  row: Pick<InvitationRow, 'account_id' | 'id' | 'first_name' | 'last_name' | 'position' | 'permissions'> & {
    token_hash: Buffer;
    now: Date;
    days: number;
    /** The new inviter; null keeps the old one. */
    invited_by: string | null;
  },
) =>
  db.run(sql`
    update invitations set invited_by = coalesce(${row.invited_by}::uuid, invited_by), token_hash = ${row.token_hash},
      first_name = ${row.first_name}, last_name = ${row.last_name}, position = ${row.position},
      permissions = ${JSON.stringify(row.permissions)}::jsonb, status = 'PENDING', sends = sends + 1,
      send_date = ${row.now}, expire_date = ${row.now}::timestamptz + make_interval(days => ${row.days})
    where account_id = ${row.account_id} and id = ${row.id}`);

export const setStatus = (
  db: Queryable,
  account_id: string,
  id: string,
  status: 'ACCEPTED' | 'REVOKED',
  user_id: string | null,
  now: Date,
) =>
  db.run(sql`
    update invitations set status = ${status}, user_id = coalesce(user_id, ${user_id}::uuid),
      accept_date = case when ${status} = 'ACCEPTED' then ${now}::timestamptz end
    where account_id = ${account_id} and id = ${id}`);

export const revokeUserInvitations = (db: Queryable, account_id: string, user_id: string) =>
  db.run(sql`
    update invitations set status = 'REVOKED'
    where account_id = ${account_id} and user_id = ${user_id} and status = 'PENDING'`);

export const attachUser = (db: Queryable, account_id: string, id: string, user_id: string) =>
  db.run(sql`update invitations set user_id = ${user_id} where account_id = ${account_id} and id = ${id}`);
