import type { listSubAccounts, SubAccount } from '@parley/contract/team/subaccounts.ts';
import { and, type Queryable, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';

const selectFrom = (accounts: Sql): Sql => sql`
  select a.id, a.company_name, a.country_code, a.currency, a.timezone, a.status, a.create_date,
         coalesce(o.id::text, '') as owner_user_id, coalesce(o.email, '') as owner_email,
         coalesce(trim(o.first_name || ' ' || o.last_name), '') as owner_name,
         (select count(*) from users u where u.account_id = a.id and u.remove_date is null)::int as users_count,
         (select b.available_micros from balances b where b.account_id = a.id) as available_micros
  from ${accounts} a left join lateral (
    select id, email, first_name, last_name from users u
    where u.account_id = a.id and u.is_owner and u.remove_date is null order by u.id limit 1) o on true`;

interface SubAccountFilter {
  search?: string | undefined;
}

const conditions = (parent_id: string, { search }: SubAccountFilter): Sql =>
  and([
    sql`a.parent_id = ${parent_id} and a.close_date is null`,
    search &&
      sql`(a.company_name ilike ${likePattern(search)} or exists (
        select 1 from users u
        where u.account_id = a.id and u.remove_date is null and u.email ilike ${likePattern(search)}))`,
  ]);

const SORTS: Sorts<typeof listSubAccounts> = {
  company_name: 'lower(a.company_name)',
  status: 'a.status',
  country_code: 'a.country_code',
  users_count: 'users_count',
  create_date: 'a.id',
};

/** Materialized, so that the planner does not read the accounts of other parents in the order of the page. */
export const listSubAccountRows = (db: Queryable, parent_id: string, filter: SubAccountFilter, page: Page) =>
  db.rows<SubAccount>(sql`
    with own as materialized (select a.* from accounts a where ${conditions(parent_id, filter)})
    ${selectFrom(sql`own`)}
    order by ${orderBy(page, SORTS, 'a.id', 'lower(a.company_name), a.id')}
    limit ${page.size + 1} offset ${page.offset}`);

export const countSubAccounts = async (db: Queryable, parent_id: string, filter: SubAccountFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from accounts a where ${conditions(parent_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findSubAccount = (db: Queryable, parent_id: string, id: string) =>
  db.maybeOne<SubAccount>(
    sql`${selectFrom(sql`accounts`)} where a.parent_id = ${parent_id} and a.id = ${id} and a.close_date is null`,
  );

export const isMain = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.one<{ main: boolean }>(sql`select account_type = 'MAIN' as main from accounts where id = ${id}`)).main;

/**
 * Creates the account and its empty balance in one statement, since `billing` is a later module that cannot be imported
 * here. A sub-account has no trial tag, because it shares its parent's trial and gets no credit of its own.
 */
export const insertSubAccount = (
  db: Queryable,
  account: { id: string; parent_id: string; company_name: string; country_code: string; timezone: string },
) =>
  db.run(sql`
    with created as (
      insert into accounts (id, account_type, parent_id, company_name, country_code, timezone, currency, channels,
                            industry_id, status, admin_created)
      select ${account.id}, 'SUB_ACCOUNT', id, ${account.company_name}, ${account.country_code}, ${account.timezone},
             currency, channels, industry_id, status, admin_created
      from accounts where id = ${account.parent_id}
      returning id, currency
    )
    insert into balances (account_id, currency) select id, currency from created`);

export const updateSubAccount = (
  db: Queryable,
  id: string,
  change: { company_name?: string | undefined; country_code?: string | undefined; timezone?: string | undefined },
) =>
  db.run(sql`
    update accounts set company_name = coalesce(${change.company_name ?? null}, company_name),
      country_code = coalesce(${change.country_code ?? null}, country_code),
      timezone = coalesce(${change.timezone ?? null}, timezone), update_date = now()
    where id = ${id}`);
