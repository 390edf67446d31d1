import { type Queryable, raw, sql } from '../kernel/db/db.ts';
import type { AccountStatus } from './queries.ts';

export interface LockedAccount {
  id: string;
  kind: 'CUSTOMER' | 'OPERATOR';
  company_name: string;
  status: AccountStatus;
  blocked_by: 'operator' | 'parent' | 'cascade' | null;
  parent_id: string | null;
  tags: string[];
  admin_created: boolean;
  close_date: string | null;
  erase_date: string | null;
}

export const lockAccount = (db: Queryable, id: string) =>
  db.maybeOne<LockedAccount>(sql`
    select id, kind, company_name, status, blocked_by, parent_id, tags, admin_created, close_date, erase_date
    from accounts where id = ${id} for no key update`);

const readStatus = async (row: Promise<{ status: AccountStatus }>): Promise<AccountStatus> => (await row).status;

export const setStatus = (db: Queryable, id: string, status: AccountStatus) =>
  readStatus(
    db.one(sql`update accounts set status = ${status}, update_date = now() where id = ${id} returning status`),
  );

const BEFORE = raw("case when status = 'BLOCKED' then status_before_block else status end");

export const block = (db: Queryable, id: string, by: 'operator' | 'parent', reason: string) =>
  readStatus(
    db.one(sql`
      update accounts set status_before_block = ${BEFORE}, status = 'BLOCKED', blocked_by = ${by},
        block_reason = ${reason}, update_date = now()
      where id = ${id} returning status`),
  );

// Old blocks have no previous status. When they were set, only verified accounts could be blocked.
const RESTORE = raw(`
  status = coalesce(status_before_block, 'VERIFIED'), status_before_block = null, blocked_by = null, block_reason = '',
  update_date = now()`);

export const unblock = (db: Queryable, id: string) =>
  readStatus(db.one(sql`update accounts set ${RESTORE} where id = ${id} returning status`));

/** Lifts the account's own block. The account stays blocked because its parent is blocked. */
export const keepBlocked = (db: Queryable, id: string) =>
  readStatus(
    db.one(sql`
      update accounts set blocked_by = 'cascade', block_reason = '', update_date = now()
      where id = ${id} returning status`),
  );

type Child = Pick<LockedAccount, 'id' | 'company_name' | 'status'>;

export const blockChildren = (db: Queryable, parent_id: string) =>
  db.rows<Child>(sql`
    update accounts set status_before_block = status, status = 'BLOCKED', blocked_by = 'cascade', update_date = now()
    where parent_id = ${parent_id} and status <> 'BLOCKED' and close_date is null
    returning id, company_name, status`);

export const unblockChildren = (db: Queryable, parent_id: string) =>
  db.rows<Child>(sql`
    update accounts set ${RESTORE}
    where parent_id = ${parent_id} and blocked_by = 'cascade' and close_date is null
    returning id, company_name, status`);

interface LockedUser {
  id: string;
  email: string;
  first_name: string;
  full_name: string;
  blocked: boolean;
  blocked_by_operator: boolean;
  /** Null if the company itself has not blocked the user. */
  team_block_reason: string | null;
}

export const lockUser = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<LockedUser>(sql`
    select id, email, first_name, trim(first_name || ' ' || last_name) as full_name, blocked, blocked_by_operator,
           team_block_reason
    from users where account_id = ${account_id} and id = ${id} and remove_date is null for update`);

/**
 * Sets or removes only the operator's block. The company's block is kept, and applies again once the operator's block
 * is removed.
 */
export const setUserBlocked = (
  db: Queryable,
  account_id: string,
  id: string,
  { blocked, reason }: { blocked: boolean; reason: string },
) =>
  db.run(sql`
    update users set blocked_by_operator = ${blocked}, blocked = ${blocked} or team_block_reason is not null,
      block_reason = case when ${blocked} then ${reason} else coalesce(team_block_reason, '') end, update_date = now()
    where account_id = ${account_id} and id = ${id}`);

/** Expires the invitations sent by a user who may no longer invite people. A colleague can resend them. */
export const expireInvitations = (db: Queryable, account_id: string, user_id: string) =>
  db.run(sql`
    update invitations set expire_date = send_date
    where inviter_account_id = ${account_id} and invited_by = ${user_id} and status = 'PENDING'
      and expire_date > send_date`);

/** Counts an account's open work. The query reads tables of later modules, which cannot be imported here. */
export const countOpenWork = (db: Queryable, account_id: string) =>
  db.one<{ messages: number; campaigns: number; sub_accounts: number; available_micros: number }>(sql`
    select (select count(*) from (
             (select d.message_id from dispatch d where d.account_id = ${account_id} limit 10000)
             union
             (select f.message_id from fallbacks f
              where f.account_id = ${account_id} and f.due_date is not null limit 10000)
           ) waiting)::int as messages,
           (select count(*) from campaigns c
            where c.account_id = ${account_id} and c.status in ('in_progress', 'scheduled', 'paused'))::int
             as campaigns,
           (select count(*) from accounts a
            where a.parent_id = ${account_id} and a.close_date is null)::int as sub_accounts,
           coalesce((select available_micros from balances b where b.account_id = ${account_id}), 0)
             as available_micros`);

export const close = (db: Queryable, id: string, now: Date) =>
  readStatus(
    db.one(sql`
      update accounts set close_date = ${now}, update_date = ${now},
        status = case status when 'FORM_SUBMITTED' then 'UNVERIFIED' else status end,
        status_before_block =
          case status_before_block when 'FORM_SUBMITTED' then 'UNVERIFIED' else status_before_block end
      where id = ${id} returning status`),
  );

export const reopen = (db: Queryable, id: string) =>
  readStatus(db.one(sql`update accounts set close_date = null, update_date = now() where id = ${id} returning status`));

export const endReview = (db: Queryable, account_id: string, now: Date) =>
  db.run(sql`
    update account_reviews set status = 'REJECTED', reason = 'The account was closed', decide_date = ${now}
    where account_id = ${account_id} and status = 'OPEN'`);

export const endKeys = (db: Queryable, account_id: string, now: Date) =>
  db.run(sql`update api_keys set revoke_date = ${now} where account_id = ${account_id} and revoke_date is null`);

export const endInvitations = (db: Queryable, account_id: string) =>
  db.run(sql`update invitations set status = 'REVOKED' where account_id = ${account_id} and status = 'PENDING'`);
