import type { CarrierLine, CarrierStatement } from '@parley/contract/admin/carrier_statements.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import type { Charged } from './statement_file.ts';

export interface StatementKey {
  id: string;
  connection_id: string;
  currency: string;
  from_day: string;
  until_day: string;
}

const day = (column: string): Sql => raw(`to_char(s.${column}, 'YYYY-MM-DD') as ${column}`);

/** Two uploads for one connection wait for each other. Returns false if the connection does not exist. */
export const lockConnection = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybeOne(sql`select 1 from connections where id = ${id} for no key update`)) !== null;

/** The statement of the connection that shares a day with the given days. */
export const findOverlap = (tx: Tx, { connection_id, from_day, until_day }: StatementKey) =>
  tx.maybeOne<{ filename: string; from_day: string; until_day: string }>(sql`
    select s.filename, ${day('from_day')}, ${day('until_day')} from carrier_statements s
    where s.connection_id = ${connection_id} and s.from_day <= ${until_day}::date and s.until_day >= ${from_day}::date
    order by s.from_day limit 1`);

export const insertStatement = (tx: Tx, key: StatementKey, filename: string, user_id: string | null) =>
  tx.run(sql`
    insert into carrier_statements (id, connection_id, filename, currency, from_day, until_day, user_id, create_date,
                                    compare_date)
    values (${key.id}, ${key.connection_id}, ${filename}, ${key.currency}, ${key.from_day}, ${key.until_day},
            ${user_id}, ${tx.now}, ${tx.now})`);

export const insertLines = (
  tx: Tx,
  statement_id: string,
  lines: readonly (Charged & { id: string; country: string })[],
) =>
  tx.run(sql`
    insert into carrier_statement_lines (statement_id, id, country, their_segments, their_micros, our_segments,
                                         our_micros, uncosted_segments, status)
    select ${statement_id}, id, country, segments, micros, 0, 0, 0, 'open'
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ country }) => country)}::text[],
                ${lines.map(({ segments }) => segments)}::bigint[], ${lines.map(({ micros }) => micros)}::bigint[])
      as t(id, country, segments, micros)
    on conflict (statement_id, country) do nothing`);

export interface OurSide {
  country: string;
  segments: number;
  micros: number;
  uncosted: number;
}

/** The costs recorded for the connection on the days of a statement, by country. */
export const listOurSide = (db: Queryable, { connection_id, currency, from_day, until_day }: StatementKey) =>
  db.rows<OurSide>(sql`
    select country, sum(segments)::bigint as segments,
           coalesce(sum(cost_micros) filter (where currency = ${currency}), 0)::bigint as micros,
           coalesce(sum(case when currency = ${currency} then uncosted_segments else segments end), 0)::bigint
             as uncosted
    from margins where connection_id = ${connection_id} and day between ${from_day}::date and ${until_day}::date
    group by country`);

/** A difference that an operator has resolved stays resolved as long as our side has the same values. */
export const compareLines = (tx: Tx, statement_id: string, ours: readonly OurSide[], less_than_micros: number) =>
  tx.run(sql`
    update carrier_statement_lines l set our_segments = t.segments, our_micros = t.micros,
      uncosted_segments = t.uncosted,
      status = case
        when l.their_segments = t.segments and abs(l.their_micros - t.micros) < ${less_than_micros} then 'equal'
        when l.status = 'resolved' and (l.our_segments, l.our_micros) = (t.segments, t.micros) then 'resolved'
        else 'open' end
    from (select l.id, coalesce(o.segments, 0) as segments, coalesce(o.micros, 0) as micros,
                 coalesce(o.uncosted, 0) as uncosted
          from carrier_statement_lines l
          left join unnest(${ours.map(({ country }) => country)}::text[],
                           ${ours.map(({ segments }) => segments)}::bigint[],
                           ${ours.map(({ micros }) => micros)}::bigint[],
                           ${ours.map(({ uncosted }) => uncosted)}::bigint[]) as o(country, segments, micros, uncosted)
            on o.country = l.country
          where l.statement_id = ${statement_id}) t
    where l.statement_id = ${statement_id} and l.id = t.id`);

export const markCompared = (tx: Tx, id: string) =>
  tx.run(sql`update carrier_statements set compare_date = ${tx.now} where id = ${id}`);

const statementColumns: Sql = sql`
  s.id, s.connection_id, c.name as connection_name, s.filename, s.currency, ${day('from_day')}, ${day('until_day')},
  s.create_date, s.compare_date, t.their_segments, t.their_micros, t.our_segments, t.our_micros, t.open_count
  from carrier_statements s left join connections c on c.id = s.connection_id
  cross join lateral (
    select coalesce(sum(their_segments), 0)::bigint as their_segments,
           coalesce(sum(their_micros), 0)::bigint as their_micros,
           coalesce(sum(our_segments), 0)::bigint as our_segments, coalesce(sum(our_micros), 0)::bigint as our_micros,
           count(*) filter (where status = 'open') as open_count
    from carrier_statement_lines where statement_id = s.id) t`;

const ofConnection = (connection_id: string | undefined): Sql =>
  and([connection_id && sql`s.connection_id = ${connection_id}`]);

export const listStatements = (db: Queryable, connection_id: string | undefined, page: Page) =>
  db.rows<CarrierStatement>(sql`
    select ${statementColumns} where ${ofConnection(connection_id)}
    order by s.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countStatements = async (db: Queryable, connection_id: string | undefined): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from carrier_statements s where ${ofConnection(connection_id)}
                            limit ${CAP + 1}) capped`)
  ).count;

export const findStatement = (db: Queryable, id: string) =>
  db.maybeOne<CarrierStatement>(sql`select ${statementColumns} where s.id = ${id}`);

/** Locks the statement, so that two comparisons do not mix. */
export const lockStatement = (tx: Tx, id: string) =>
  tx.maybeOne<StatementKey & { filename: string }>(sql`
    select s.id, s.connection_id, s.filename, s.currency, ${day('from_day')}, ${day('until_day')}
    from carrier_statements s where s.id = ${id} for update`);

export const deleteStatement = (tx: Tx, id: string) => tx.run(sql`delete from carrier_statements where id = ${id}`);

export interface LineFilter {
  statuses?: readonly string[] | undefined;
  statement_id?: string | undefined;
  connection_id?: string | undefined;
}
const matches = ({ statuses, statement_id, connection_id }: LineFilter): Sql =>
  and([
    statuses?.length && sql`l.status = any(${statuses}::text[])`,
    statement_id && sql`l.statement_id = ${statement_id}`,
    connection_id && sql`s.connection_id = ${connection_id}`,
  ]);
const lineSource: Sql = sql`
  from carrier_statement_lines l join carrier_statements s on s.id = l.statement_id
  left join connections c on c.id = s.connection_id`;
const lineColumns: Sql = sql`
  l.id, l.statement_id, s.connection_id, c.name as connection_name, ${day('from_day')}, ${day('until_day')},
  l.country, s.currency, l.their_segments, l.their_micros, l.our_segments, l.our_micros, l.uncosted_segments, l.status,
  l.reason, l.resolve_date,
  (select trim(u.first_name || ' ' || u.last_name) from users u where u.id = l.user_id) as resolved_by ${lineSource}`;

export const listLines = (db: Queryable, filter: LineFilter, page: Page) =>
  db.rows<CarrierLine>(sql`
    select ${lineColumns} where ${matches(filter)}
    order by l.statement_id desc, l.country limit ${page.size + 1} offset ${page.offset}`);

export const countLines = async (db: Queryable, filter: LineFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 ${lineSource} where ${matches(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findLine = (db: Queryable, id: string) =>
  db.maybeOne<CarrierLine>(sql`select ${lineColumns} where l.id = ${id}`);

/** Returns false if the difference is not open. */
export const resolveLine = async (tx: Tx, id: string, user_id: string | null, reason: string): Promise<boolean> =>
  (await tx.run(sql`
    update carrier_statement_lines set status = 'resolved', user_id = ${user_id}, reason = ${reason},
      resolve_date = ${tx.now}
    where id = ${id} and status = 'open'`)) > 0;
