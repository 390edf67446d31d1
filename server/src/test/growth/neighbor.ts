/**
 * Fills the tables with the rows of a huge account: copies of the rows that the small account has, with their own keys.
 * The copies are generated from the catalog, so a new table takes part as soon as the small account has a row in it.
 */
import type pg from 'pg';

/** The number of copies per table. The other tables grow with the use of the product too, but less. */
const COPIES: Readonly<Record<string, number>> = {
  messages: 30_000,
  contacts: 20_000,
  conversations: 20_000,
  ...{ events: 20_000, event_positions: 20_000, submissions: 20_000, ledger: 20_000, dispatch: 10_000 },
  ...{ conversation_texts: 20_000, conversation_words: 20_000 },
  ...{ holds: 10_000, stop_list: 10_000, audit_log: 10_000, sessions: 5_000, users: 5_000 },
};
const FEW = 6_000;
const PEOPLE: ReadonlySet<string> = new Set(['login_id', 'user_id', 'real_user_id']);
/** One row each, or written by the only sequencer. */
const ALONE = ['event_queue'];
/** Marks of work that a job of all accounts does in batches. Copies would fill its next batch. */
const MARKS: ReadonlySet<string> = new Set(['texts_due']);

interface Column {
  name: string;
  type: string;
  isKey: boolean;
}

/** The client must be a superuser, so that neither foreign keys nor triggers run. `scale` multiplies the copies. */
export async function fillNeighbor(
  client: pg.Client,
  small_account: string,
  huge_account: string,
  scale = 1,
): Promise<Record<string, number>> {
  await client.query('set session_replication_role = replica');
  const filled: Record<string, number> = {};
  for (const [table, columns] of await listTables(client)) {
    if (ALONE.includes(table)) continue;
    const copies = Math.round((COPIES[table] ?? FEW) * scale);
    const names = columns.map(({ name }) => `"${name}"`);
    const values = columns.map((column) => copiedValue(table, column, huge_account));
    const { rowCount } = await client.query(
      `insert into "${table}" (${names})
       select ${values} from (select * from "${table}" where account_id = $1 limit 1) t
       cross join generate_series(1, ${copies}) n
       on conflict do nothing`,
      [small_account],
    );
    filled[table] = rowCount ?? 0;
  }
  await client.query('set session_replication_role = default');
  await client.query('analyze');
  return filled;
}

/** All tables with an account. A column is varied if it is part of a key and has no check. */
async function listTables(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column & { table: string }>(`
    select c.relname as table, a.attname as name, t.typname as type,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey))
        and not exists (select from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)) as "isKey"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.attidentity = ''
    join pg_type t on t.oid = a.atttypid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'account_id')
    order by 1, a.attnum`);
  const tables = new Map<string, Column[]>();
  for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column]);
  return tables;
}

/** `number` is varied too, because most lists of an account have many different ones. */
function copiedValue(table: string, { name, type, isKey }: Column, huge_account: string): string {
  const own = `t."${name}"`;
  if (name === 'account_id') return `'${huge_account}'`;
  if (name === 'number' && type === 'text' && table !== 'numbers') return `(447500000000 + n)::text`;
  // People of the small account have no sessions and no work elsewhere.
  if (PEOPLE.has(name)) return `case when ${own} is not null then gen_random_uuid() end`;
  if (MARKS.has(name)) return 'false';
  if (!isKey) return own;
  switch (type) {
    case 'uuid':
      return `case when ${own} is not null then gen_random_uuid() end`;
    case 'text':
      return `${own} || '-' || n`;
    case 'bytea':
      return `decode(md5(n::text || '${name}'), 'hex')`;
    case 'timestamptz':
      return `${own} - n * interval '1 second'`;
    case 'int2':
      return own;
    case 'int4':
    case 'int8':
      return `-n`;
    default:
      return own;
  }
}
