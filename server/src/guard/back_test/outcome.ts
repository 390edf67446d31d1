/** The outcome of the messages that a rule would have blocked. */
import { BACK_TEST_EXAMPLES, type Outcome } from '@parley/contract/guard/back_tests.ts';
import { customPlan, empty, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';

type BlockedOutcome = Omit<Outcome, 'days' | 'messages' | 'currency'>;

/** A reply counts as an answer to a delivered message that is at most this much older. */
export const REPLY_TIME = '3 days';

/** The list of the messages in `examples`. */
export const exampleList: Sql = sql`
  coalesce(json_agg(json_build_object('id', id, 'to', number, 'country', country, 'status', status,
    'answered', answered,
    'create_date', to_char(create_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) order by id desc), '[]')`;

export interface BlockedMessages {
  /** Common table expressions that end with `blocked`: id, number, country, status, price_micros, and create_date. */
  readonly blocked: Sql;
  /** Selects the IDs of the blocked messages that count as answered. By default, those with a reply. */
  readonly answered?: Sql;
  /** Additional columns of the result. */
  readonly columns?: Sql;
}

const repliedTo = (account_id: string): Sql => sql`
  with replies as materialized (
    select r.number, r.create_date from messages r
    where r.account_id = ${account_id} and r.direction = 'MO' and r.id >= (select min(id::text) from blocked)::uuid
  )
  select distinct b.id from blocked b join replies r on r.number = b.number
    and r.create_date between b.create_date and b.create_date + ${REPLY_TIME}::interval
  where b.status in ('delivered', 'read')`;

export const readOutcome = <T extends object = object>(
  db: Queryable,
  account_id: string,
  { blocked, answered = repliedTo(account_id), columns }: BlockedMessages,
): Promise<BlockedOutcome & T> =>
  db.one<BlockedOutcome & T>(
    customPlan(sql`
      with ${blocked}, answered as materialized (
        ${answered}
      ), examples as (
        select b.*, a.id is not null as answered from blocked b left join answered a using (id)
        order by b.id desc limit ${BACK_TEST_EXAMPLES}
      )
      select (select count(*) from blocked) as blocked,
             (select coalesce(sum(price_micros), 0)::bigint from blocked) as blocked_micros,
             (select count(*) from blocked where status in ('delivered', 'read')) as delivered,
             (select count(*) from answered) as answered,
             (select ${exampleList} from examples) as examples ${columns ? sql`, ${columns}` : empty}`),
  );

export const readCurrency = async (db: Queryable, account_id: string): Promise<Outcome['currency']> =>
  (await db.one<Pick<Outcome, 'currency'>>(sql`select currency from balances where account_id = ${account_id}`))
    .currency;
