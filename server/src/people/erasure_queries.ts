import type { ErasedKind, PersonErasure } from '@parley/contract/people/erasures.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';

/** The scope of an erasure: everything about the number until `until`. */
export interface Subject {
  account_id: string;
  number: string;
  /** As text with microseconds. */
  until: string;
}

/** The result of one transaction of an erasure. */
export interface Portion {
  counts: Partial<Record<ErasedKind, number>>;
  /** The last row of the portion; null after the last portion of the step. */
  after: string | null;
  /** True if the step has to run again later, because messages are in flight or an import runs. */
  isWaiting?: boolean;
}

export interface ErasureRun {
  account_id: string;
  id: string;
  number: string;
  step: number;
  after: string | null;
  until: string;
  user_id: string | null;
}

const columns = raw(
  `e.id, e.account_id, e.number, e.status, e.counts, nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
  e.create_date, e.complete_date`,
);
const withUser = raw('person_erasures e left join users u on u.account_id = e.account_id and u.id = e.user_id');

export const findLatestErasure = (db: Queryable, account_id: string, number: string) =>
  db.maybeOne<PersonErasure>(sql`
    select ${columns} from ${withUser} where e.account_id = ${account_id} and e.number = ${number}
    order by e.id desc limit 1`);

export const insertErasure = (
  tx: Tx,
  row: { account_id: string; id: string; number: string; user_id: string | null },
) =>
  tx.run(sql`
    insert into person_erasures (account_id, id, number, user_id, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.number}, ${row.user_id}, ${tx.now}, ${tx.now})
    on conflict (account_id, number) where status <> 'completed' do nothing`);

/** Locks an unfinished erasure. The time is text with microseconds. */
export const lockErasure = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<ErasureRun>(sql`
    select account_id, id, number, step, after, create_date::text as until, user_id from person_erasures
    where account_id = ${account_id} and id = ${id} and status <> 'completed' for update`);

export const storeProgress = (
  tx: Tx,
  row: Pick<ErasureRun, 'account_id' | 'id' | 'step' | 'after'> & {
    status: PersonErasure['status'];
    counts: PersonErasure['counts'];
  },
) =>
  tx.run(sql`
    update person_erasures e
    set step = ${row.step}, after = ${row.after}, status = ${row.status}, update_date = ${tx.now},
      complete_date = case when ${row.status} = 'completed' then ${tx.now}::timestamptz end,
      counts = e.counts || coalesce((
        select jsonb_object_agg(key, value::int + coalesce((e.counts->>key)::int, 0))
        from jsonb_each_text(${JSON.stringify(row.counts)}::jsonb)), '{}')
    where account_id = ${row.account_id} and id = ${row.id}`);

/** Erasures that no worker has continued for a minute. */
export const listUnfinishedErasures = (db: Queryable, before: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from person_erasures where status <> 'completed' and update_date < ${before}
    order by update_date limit 500`);

/** A condition on `messages m`: the message or one of its fallbacks can still be sent. */
export const inFlight: Sql = sql`(
  m.status in ('scheduled', 'enroute')
  or exists (select from dispatch d where d.account_id = m.account_id and d.message_id = m.id)
  or exists (select from fallbacks f where f.account_id = m.account_id and f.message_id = m.id
               and f.due_date is not null and m.status not in ('failed', 'rejected', 'expired', 'blocked', 'canceled',
               'unsubscribed', 'delivered', 'read')))`;

/** Counts the messages in flight, up to 100. */
export const countInFlight = async (db: Queryable, account_id: string, number: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from messages m
        where m.account_id = ${account_id} and m.number = ${number} and ${inFlight} limit 100) found`)
  ).count;
