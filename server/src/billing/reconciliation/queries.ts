import type { PaymentDifference, Reconciliation } from '@parley/contract/admin/reconciliation.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import type { Difference } from './compare.ts';

export const STAGES = ['payments', 'refunds', 'disputes', 'ours', 'disputed', 'open', 'done'] as const;
export type Stage = (typeof STAGES)[number];

export interface Run {
  id: string;
  from_date: string;
  until_date: string;
  stage: Stage;
  position: string | null;
}

const runColumns = raw('id, from_date, until_date, stage, position');

export const openRun = (db: Queryable) =>
  db.maybeOne<Run>(sql`select ${runColumns} from reconciliations where end_date is null`);

/** Returns null if another one is running. */
export const insertRun = (tx: Tx, run: { id: string; from_date: Date; until_date: Date }) =>
  tx.maybeOne<Run>(sql`
    insert into reconciliations (id, from_date, until_date, create_date)
    values (${run.id}, ${run.from_date}, ${run.until_date}, ${tx.now})
    on conflict do nothing returning ${runColumns}`);

/** The start of the next comparison: the end of the last one, or the first payment. */
export const findLastEnd = async (db: Queryable): Promise<string | null> =>
  (
    await db.one<{ date: string | null }>(sql`
      select coalesce((select until_date from reconciliations order by id desc limit 1),
                      (select min(create_date) from payments where provider_id is not null)) as date`)
  ).date;

/** Returns null if another worker has moved the comparison. */
export const moveRun = (
  tx: Tx,
  run: Run,
  { stage, position }: Pick<Run, 'stage' | 'position'>,
  payments_count: number,
): Promise<Run | null> =>
  tx.maybeOne<Run>(sql`
    update reconciliations set stage = ${stage}, position = ${position},
      payments_count = payments_count + ${payments_count},
      end_date = case when ${stage === 'done'} then ${tx.now}::timestamptz end
    where id = ${run.id} and stage = ${run.stage} and position is not distinct from ${run.position}
    returning ${runColumns}`);

export const markSeen = (tx: Tx, account_id: string, id: string, reconciliation_id: string) =>
  tx.run(sql`
    update payments set reconciliation_id = ${reconciliation_id} where account_id = ${account_id} and id = ${id}`);

/** Payments of the time of the comparison, oldest first. */
export const listOurPayments = (db: Queryable, run: Run, size: number) => {
  const [date, id] = run.position === null ? [null, null] : (run.position.split(' ') as [string, string]);
  return db.rows<{ account_id: string; id: string; provider_id: string; is_seen: boolean; position: string }>(sql`
    select account_id, id, provider_id, reconciliation_id is not distinct from ${run.id}::uuid as is_seen,
      to_char(create_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || id as position
    from payments
    where provider_id is not null and create_date >= ${run.from_date} and create_date < ${run.until_date}
      and ${date === null ? sql`true` : sql`(create_date, id) > (${date}::timestamptz, ${id}::uuid)`}
    order by create_date, id limit ${size}`);
};

/** Payments whose dispute is open. The provider lists disputes by their start, so it does not list their decisions. */
export const listDisputedPayments = (db: Queryable, run: Run, size: number) =>
  db.rows<{ account_id: string; id: string; provider_id: string; position: string }>(sql`
    select account_id, id, provider_id, id::text as position from payments
    where dispute = 'open' and provider_id is not null
      and ${run.position === null ? sql`true` : sql`id > ${run.position}::uuid`}
    order by id limit ${size}`);

interface Found extends Difference {
  id: string;
  account_id: string | null;
  payment_id: string | null;
  provider_id: string;
  status: 'open' | 'settled';
  reconciliation_id: string;
}

/** A difference with the same values is stored once. */
export const insertDifference = (tx: Tx, found: Found) =>
  tx.run(sql`
    insert into payment_differences (id, account_id, payment_id, provider_id, kind, ours, theirs, status,
      reconciliation_id, resolve_date, create_date)
    values (${found.id}, ${found.account_id}, ${found.payment_id}, ${found.provider_id}, ${found.kind}, ${found.ours},
      ${found.theirs}, ${found.status}, ${found.reconciliation_id},
      ${found.status === 'settled' ? tx.now : null}, ${tx.now})
    on conflict (provider_id, kind, ours, theirs) do update set status = 'open', resolve_date = null,
      reconciliation_id = excluded.reconciliation_id
    where payment_differences.status = 'settled' and excluded.status = 'open'`);

/** Settles the open differences of a payment, except the ones that still exist. */
export const settleGone = (tx: Tx, provider_id: string, still: readonly Difference[]) =>
  tx.run(sql`
    update payment_differences set status = 'settled', resolve_date = ${tx.now}
    where provider_id = ${provider_id} and status = 'open'
      and ${and(
        still.map(({ kind, ours, theirs }) => sql`(kind, ours, theirs) is distinct from (${kind}, ${ours}, ${theirs})`),
      )}`);

export const openPayments = (db: Queryable, run: Run, size: number) =>
  db.rows<{ id: string; account_id: string | null; payment_id: string | null; provider_id: string }>(sql`
    select id, account_id, payment_id, provider_id from payment_differences
    where status = 'open' and ${run.position === null ? sql`true` : sql`id > ${run.position}::uuid`}
    order by id limit ${size}`);

const runPageColumns: Sql = sql`
  r.id, r.from_date, r.until_date, r.payments_count, r.create_date, r.end_date,
  (select count(*) from payment_differences d where d.reconciliation_id = r.id and d.status = 'settled')
    as settled_count,
  (select count(*) from payment_differences d where d.reconciliation_id = r.id and d.status <> 'settled')
    as differences_count`;

export const runPage = (db: Queryable, page: Page) =>
  db.rows<Reconciliation>(sql`
    select ${runPageColumns} from reconciliations r
    order by r.id desc limit ${page.size + 1} offset ${page.offset}`);

export const findRun = (db: Queryable, id: string) =>
  db.one<Reconciliation>(sql`select ${runPageColumns} from reconciliations r where r.id = ${id}`);

export const countRuns = async (db: Queryable): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from (select 1 from reconciliations limit ${CAP + 1}) capped`))
    .count;

interface DifferenceFilter {
  statuses?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
  account_id?: string | undefined;
}
const matches = ({ statuses, kinds, account_id }: DifferenceFilter): Sql =>
  and([
    statuses?.length && sql`d.status = any(${statuses}::text[])`,
    kinds?.length && sql`d.kind = any(${kinds}::text[])`,
    account_id && sql`d.account_id = ${account_id}`,
  ]);
const columns: Sql = sql`
  d.id, d.account_id, a.company_name, d.payment_id, d.provider_id, d.kind, d.ours, d.theirs, d.status, d.reason,
  (select trim(u.first_name || ' ' || u.last_name) from users u where u.id = d.user_id) as resolved_by,
  d.resolve_date, d.create_date`;

export const listDifferences = (db: Queryable, filter: DifferenceFilter, page: Page) =>
  db.rows<PaymentDifference>(sql`
    select ${columns} from payment_differences d left join accounts a on a.id = d.account_id
    where ${matches(filter)} order by d.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countDifferences = async (db: Queryable, filter: DifferenceFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from payment_differences d where ${matches(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findDifference = (db: Queryable, id: string) =>
  db.maybeOne<PaymentDifference>(sql`
    select ${columns} from payment_differences d left join accounts a on a.id = d.account_id where d.id = ${id}`);

/** Returns false if the difference is no longer open. */
export const resolve = async (tx: Tx, id: string, user_id: string | null, reason: string): Promise<boolean> =>
  (await tx.run(sql`
    update payment_differences set status = 'resolved', user_id = ${user_id}, reason = ${reason},
      resolve_date = ${tx.now}
    where id = ${id} and status = 'open'`)) > 0;

export const countOpen = async (db: Queryable): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from payment_differences where status = 'open'`)).count;
