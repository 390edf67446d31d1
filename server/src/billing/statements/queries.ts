import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import type { Statement } from '@parley/contract/billing/statements.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

export interface MonthSum {
  /** The first day of the month. */
  month: string;
  kind: LedgerEntry['kind'];
  debit: string;
  credit: string;
  amount_micros: number;
  entries_count: number;
}

const START = '1970-01-01';
/** The start of a day in UTC. */
const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

export const readCountedUntil = async (db: Queryable, account_id: string): Promise<string> =>
  (
    await db.maybeOne<{ day: string }>(
      sql`select counted_until::text as day from ledger_month_marks where account_id = ${account_id}`,
    )
  )?.day ?? START;

/** The sums of the entries from one day to another, read by the primary key. */
const counted = (account_id: string, from: string, until: string): Sql => sql`
  select date_trunc('month', create_date at time zone 'UTC')::date as month, kind, debit, credit,
    sum(amount_micros)::bigint as amount_micros, count(*) as entries_count
  from ledger
  where account_id = ${account_id} and id >= ${idAt(midnight(from).getTime() - ID_MARGIN_MS)}::uuid
    and create_date >= ${midnight(from)} and create_date < ${midnight(until)}
  group by 1, 2, 3, 4`;

/** The sums of all months before a day. Months that have not been stored yet are counted from the ledger. */
export const listMonthSums = (db: Queryable, account_id: string, mark: string, until: string) =>
  db.rows<MonthSum>(sql`
    select month::text as month, kind, debit, credit, amount_micros, entries_count from (
      select month, kind, debit, credit, amount_micros, entries_count from ledger_months
      where account_id = ${account_id} and month < least(${mark}::date, ${until}::date)
      union all
      ${counted(account_id, mark, until)}
    ) months
    order by month, kind, debit, credit`);

/** Accounts with months that have ended and are not stored. */
export const listUncountedAccounts = (db: Queryable, until: string, after: string | null, limit: number) =>
  db.rows<{ account_id: string }>(sql`
    select b.account_id from balances b left join ledger_month_marks m on m.account_id = b.account_id
    where (m.counted_until is null or m.counted_until < ${until}::date)
      and ${after === null ? sql`true` : sql`b.account_id > ${after}::uuid`}
    order by b.account_id limit ${limit}`);

/** Stores the months that have ended before the day. Returns false if they are stored. */
export async function storeMonths(tx: Tx, account_id: string, until: string): Promise<boolean> {
  const { mark } = await tx.one<{ mark: string }>(sql`
    insert into ledger_month_marks as m (account_id, counted_until) values (${account_id}, ${START})
    on conflict (account_id) do update set counted_until = m.counted_until
    returning counted_until::text as mark`);
  if (mark >= until) return false;
  await tx.run(sql`
    insert into ledger_months (month, kind, debit, credit, amount_micros, entries_count, account_id)
    select *, ${account_id}::uuid from (${counted(account_id, mark, until)}) sums`);
  await tx.run(sql`
    update ledger_month_marks set counted_until = ${until}::date where account_id = ${account_id}`);
  return true;
}

/** The volumes of destinations with volume prices. */
export const monthVolumes = (db: Queryable, account_id: string, month: string) =>
  db.rows<Statement['volumes'][number]>(sql`
    select v.channel, v.country, nullif(v.mccmnc, '') as mccmnc, n.name as network, nullif(v.purpose, '') as purpose,
           v.units, coalesce((
             select json_agg(json_build_object('above_units', s.above_units, 'price_micros', p.price_micros,
                                               'units', s.units) order by s.above_units)
             from price_volume_steps s left join lateral (
               select (step->>'price_micros')::bigint as price_micros from jsonb_array_elements(p.steps) step
               where (step->>'above_units')::bigint = s.above_units
             ) p on true
             where s.account_id = v.account_id and s.volume_id = v.id and s.units > 0
           ), '[]') as steps
    from price_volumes v left join networks n on n.mccmnc = v.mccmnc left join lateral (
      select steps from volume_prices p
      where (p.account_id = v.account_id or p.account_id is null) and p.channel = v.channel and p.country = v.country
        and coalesce(p.mccmnc, '') = v.mccmnc and coalesce(p.purpose, '') = v.purpose and p.currency = v.currency
        and p.month <= v.month
      order by p.account_id nulls last, p.month desc limit 1
    ) p on true
    where v.account_id = ${account_id} and v.month = ${`${month}-01`}::date and v.units > 0
    order by v.country, v.channel, v.mccmnc, v.purpose`);

export interface StatementAccount {
  company_name: string;
  currency: 'USD' | 'EUR' | 'AMD' | 'RUB' | 'AED';
  invoice_emails: string[];
  create_date: string;
}

/** The account itself or one of its sub-accounts. */
export const findStatementAccount = (db: Queryable, caller: string, account_id: string) =>
  db.maybeOne<StatementAccount>(sql`
    select company_name, currency, invoice_emails, create_date from accounts
    where id = ${account_id} and (id = ${caller} or parent_id = ${caller})`);
