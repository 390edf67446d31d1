/** Margins by connection, country, or account. The rows are written with the ledger entries that settle messages. */
import type { listMargins as List, Margin, MarginGroup } from '@parley/contract/admin/margins.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { and, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { CAP, type Page, type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';

type Query = Parsed<typeof List>['query'];

const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';
const MAX_ROWS = 100_000;

const KEYS: Readonly<Record<MarginGroup, Sql>> = {
  connection: sql`m.connection_id::text`,
  country: sql`m.country`,
  account: sql`m.account_id::text`,
};
/** Names are looked up after the sums. A deleted connection has none. */
const NAMES: Readonly<Record<MarginGroup, Sql>> = {
  connection: sql`case when s.key = ${NO_CONNECTION} then 'No connection' else coalesce(
    (select name from connections where id = s.key::uuid), 'Deleted connection') end`,
  country: sql`s.key`,
  account: sql`(select company_name from accounts where id = s.key::uuid)`,
};

/** Days are in UTC. A time in the filter selects its day. */
const sums = ({ group, filter }: Query): Sql => sql`
  select ${KEYS[group]} as key, m.currency, sum(m.messages)::bigint as messages, sum(m.segments)::bigint as segments,
         sum(m.income_micros)::bigint as income_micros, sum(m.cost_micros)::bigint as cost_micros,
         sum(m.uncosted_segments)::bigint as uncosted_segments
  from margins m where ${and([
    filter?.from && sql`m.day >= ${filter.from}::timestamp::date`,
    filter?.to && sql`m.day <= ${filter.to}::timestamp::date`,
  ])}
  group by 1, 2`;

const listMarginRows = (db: Queryable, query: Query, page: Pick<Page, 'size' | 'offset'>) =>
  db.rows<Margin>(sql`
    select case when s.key = ${NO_CONNECTION} then '' else s.key end as key, ${NAMES[query.group]} as name, s.currency,
           s.messages, s.segments, s.income_micros, s.cost_micros, s.income_micros - s.cost_micros as margin_micros,
           s.uncosted_segments
    from (${sums(query)}) s order by s.currency, s.income_micros desc, s.key
    limit ${page.size + 1} offset ${page.offset}`);

const countMargins = async (db: Queryable, query: Query): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from (${sums(query)} limit ${CAP + 1}) capped`)).count;

export async function listMargins(db: Queryable, query: Query): Promise<Paged<Margin>> {
  const page = readPage(query);
  return paged(page, await listMarginRows(db, query, page), await countMargins(db, query));
}

const TITLES = [
  'Name',
  'Key',
  'Currency',
  'Messages',
  'Segments',
  'Income',
  'Cost',
  'Margin',
  'Segments without a cost',
];

export async function exportMargins({ tx, reply }: Ctx, query: Query): Promise<void> {
  const rows = await listMarginRows(tx, query, { size: MAX_ROWS, offset: 0 });
  const units = (micros: number) => micros / 1_000_000;
  const lines = rows.map((row) =>
    csvLine([
      ...[row.name, row.key, row.currency, row.messages, row.segments, units(row.income_micros)],
      ...[units(row.cost_micros), units(row.margin_micros), row.uncosted_segments],
    ]),
  );
  await reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="margins_by_${query.group}.csv"`)
    .send(csvLine(TITLES) + lines.join(''));
}
