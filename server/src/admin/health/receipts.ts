/** The list of receipts that match no message. Receipts that are still being matched are also listed. */
import type { listUnmatchedReceipts, UnmatchedReceipt } from '@parley/contract/admin/receipts.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { and, type Queryable, runTogether, type Sql, sql } from '../../kernel/db/db.ts';
import { afterKey, CAP, type Paged, paged, prefixPattern, readPage } from '../../kernel/db/list.ts';

type Filter = NonNullable<Parsed<typeof listUnmatchedReceipts>['query']['filter']>;

const conditions = ({ search, connection_id, from_date, to_date }: Filter): Sql =>
  and([
    search &&
      sql`(u.external_id like ${prefixPattern(search)} or u.number like ${prefixPattern(search.replace(/^\+/, ''))})`,
    connection_id && sql`u.connection_id = ${connection_id}`,
    from_date && sql`u.create_date >= ${from_date}::timestamptz`,
    to_date && sql`u.create_date < ${to_date}::timestamptz + interval '1 second'`,
  ]);

export async function listUnmatched(
  db: Queryable,
  query: Parsed<typeof listUnmatchedReceipts>['query'],
): Promise<Paged<UnmatchedReceipt>> {
  const page = readPage(query);
  const where = conditions(query.filter ?? {});
  const [rows, { count }] = await runTogether(
    db.rows<UnmatchedReceipt>(sql`
      select u.id, u.connection_id, coalesce(c.name, '') as connection_name, u.external_id, u.number,
             u.report->>'sender' as sender, u.report->>'status' as status, u.report->>'state' as state,
             u.report->>'code' as code, (u.report->>'reference')::int as reference, u.create_date
      from unmatched_reports u left join connections c on c.id = u.connection_id
      where ${where} and ${afterKey(page, 'u.id')}
      order by u.id desc limit ${page.size + 1} offset ${page.offset}`),
    db.one<{ count: number }>(
      sql`select count(*) as count from (select 1 from unmatched_reports u where ${where} limit ${CAP + 1}) capped`,
    ),
  );
  return paged(page, rows, count, ({ id }) => id);
}
