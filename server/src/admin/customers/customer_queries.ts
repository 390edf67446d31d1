import type { Customer, listCustomers } from '@parley/contract/admin/customers.ts';
import { type AccountRow, accountColumns } from '../../accounts/accounts.ts';
import { and, customPlan, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { afterKey, CAP, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { matchesSearch } from './customer_search.ts';

interface CustomerFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
}

/** Columns from the account `a`, its balance `b`, and its owner `o`. */
const customerColumns: Sql = sql`
  ${accountColumns}, a.block_reason, a.close_date is not null as closed,
  coalesce(o.full_name, '') as owner_name, coalesce(o.email, '') as owner_email, o.phone_number as owner_phone,
  (select count(*) from users u where u.account_id = a.id and u.remove_date is null) as users_count,
  (select count(*) from senders s where s.account_id = a.id and s.delete_date is null) as senders_count,
  coalesce(b.available_micros, 0) as available_micros, coalesce(b.held_micros, 0) as held_micros,
  coalesce(b.credit_limit_micros, 0) as credit_limit_micros`;
const joins: Sql = sql`
  left join balances b on b.account_id = a.id
  left join lateral (
    select u.email, trim(u.first_name || ' ' || u.last_name) as full_name, l.phone_number
    from users u left join logins l on l.id = u.login_id
    where u.account_id = a.id and u.is_owner and u.remove_date is null order by u.id limit 1) o on true`;

export type CustomerRow = AccountRow &
  Omit<Customer, keyof AccountRow | 'is_restricted_onboarding' | 'messages_30_days'> & { owner_phone: string | null };

const conditions = ({ search, statuses, tags }: CustomerFilter): Sql =>
  and([
    search && matchesSearch(search),
    statuses?.length && sql`a.status = any(${statuses}::text[])`,
    tags?.length && sql`a.tags && ${tags}::text[]`,
  ]);

const SORTS: Sorts<typeof listCustomers> = {
  company_name: 'lower(a.company_name)',
  status: 'a.status',
  country_code: 'a.country_code',
  create_date: 'a.id',
};

/** The page is selected before its rows are joined to other tables. */
export const listCustomerRows = (db: Queryable, filter: CustomerFilter, page: Page) => {
  const order = orderBy(page, SORTS, 'a.id', 'a.id desc');
  return db.rows<CustomerRow>(
    customPlan(sql`
      with page as (
        select a.id from accounts a where ${and([conditions(filter), afterKey(page, 'a.id')])}
        order by ${order} limit ${page.size + 1} offset ${page.offset}
      )
      select ${customerColumns} from page join accounts a on a.id = page.id ${joins} order by ${order}`),
  );
};

export const countCustomers = async (db: Queryable, filter: CustomerFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (select 1 from accounts a where ${conditions(filter)} limit ${CAP + 1}) capped`),
    )
  ).count;

export const findCustomer = (db: Queryable, id: string) =>
  db.maybeOne<CustomerRow>(sql`select ${customerColumns} from accounts a ${joins} where a.id = ${id}`);

type Changeable = Pick<
  Customer,
  'company_name' | 'country_code' | 'tags' | 'channels' | 'tax_rate' | 'import_rows' | 'status' | 'closed'
> & {
  kind: 'CUSTOMER' | 'OPERATOR';
};

export const lockCustomer = (tx: Tx, id: string) =>
  tx.maybeOne<Changeable>(sql`
    select company_name, country_code, tags, channels, tax_rate::float8 as tax_rate, import_rows, status,
           close_date is not null as closed, kind
    from accounts where id = ${id} for update`);

/** True if the user is an owner of the account `id`. */
export const isOwner = async (tx: Tx, id: string, user_id: string | null): Promise<boolean> =>
  (
    await tx.one<{ owner: boolean }>(sql`
      select exists (select 1 from users where account_id = ${id} and id = ${user_id}::uuid and is_owner
        and remove_date is null) as owner`)
  ).owner;

export const updateCustomer = (tx: Tx, id: string, row: Changeable) =>
  tx.run(sql`
    update accounts set company_name = ${row.company_name}, name_held = name_held
      or company_name <> ${row.company_name}, country_code = ${row.country_code}, tags = ${row.tags},
      channels = ${row.channels}, tax_rate = ${row.tax_rate}, import_rows = ${row.import_rows},
      update_date = ${tx.now}
    where id = ${id}`);
