/**
 * Finds statements of a migration that would block a large table for long. Each statement runs on tables with rows,
 * while a second session watches the locks of the first. A strong lock is harmless only if the transaction then neither
 * reads nor rewrites a large table, because the lock lasts until the commit.
 */
import type pg from 'pg';
import { isOutsideTransaction } from '../../kernel/db/migrate.ts';
import { splitStatements, withoutComments } from '../../kernel/db/sql_text.ts';

/** Tables that grow with traffic or with customers' data. */
export const LARGE_TABLES = [
  ...['audit_log', 'contacts', 'conversations', 'dispatch', 'events', 'fallbacks', 'holds', 'inbound_digests'],
  ...['ledger', 'messages', 'number_pool_contacts', 'shared_sender_replies', 'stop_list'],
  'submissions',
];
/** Locks that block writes. */
const STRONG = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const ROWS = 20;

/** Values for columns with a check. All other columns get a value for their type. */
const VALUES: Readonly<Record<string, string>> = {
  'conversations.unread_count': '0',
  'dispatch.stage': `'queued'`,
  'ledger.debit': `'outside'`,
  'ledger.credit': `'available'`,
  'ledger.kind': `'top_up'`,
  'messages.direction': `'MT'`,
  'messages.status': `'delivered'`,
  'messages.charge': `'none'`,
  'messages.source': `'api'`,
  'stop_list.reason': `'api'`,
};
const BY_TYPE: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x' || n`,
  bytea: `decode(md5(n::text), 'hex')`,
  jsonb: `'{}'`,
  json: `'{}'`,
  bool: 'false',
  timestamptz: 'now()',
  date: 'current_date + n',
};

/** Inserts rows into every large table. The client must be a superuser, so that foreign keys are not checked. */
export async function fillLargeTables(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  for (const table of LARGE_TABLES) {
    const { rows } = await client.query<{ name: string; type: string }>(
      `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
       where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull
         and not a.atthasdef and a.attgenerated = '' and a.attidentity = ''`,
      [table],
    );
    const values = rows.map(({ name, type }) => VALUES[`${table}.${name}`] ?? BY_TYPE[type] ?? 'n');
    const names = rows.map(({ name }) => `"${name}"`);
    await client.query(`insert into ${table} (${names}) select ${values} from generate_series(1, ${ROWS}) n`);
  }
  await client.query('set session_replication_role = default');
}

interface Traces {
  file: string;
  scans: number;
  changes: number;
}

/** Applies a migration and returns one line for each statement that would block a large table for long. */
export async function blockingStatements(client: pg.Client, watcher: pg.Client, text: string): Promise<string[]> {
  const isOutside = isOutsideTransaction(text);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const findings: string[] = [];
  if (!isOutside) await client.query('begin');
  try {
    for (const statement of splitStatements(text)) {
      const before = await readTraces(client);
      await client.query(statement);
      const after = await readTraces(client);
      const locked = isOutside ? [] : await strongLocks(watcher, rows[0]!.pid);
      findings.push(...describe(withoutComments(statement), locked, before, after));
    }
    if (!isOutside) await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return findings;
}

/** Returns the effects of this transaction on each large table so far. */
async function readTraces(client: pg.Client): Promise<Map<string, Traces>> {
  const { rows } = await client.query<Traces & { name: string }>(
    `select c.relname as name, pg_relation_filenode(c.oid)::text as file, s.seq_scan::int as scans,
       (s.n_tup_upd + s.n_tup_del)::int as changes
     from pg_class c join pg_stat_xact_all_tables s on s.relid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1)`,
    [LARGE_TABLES],
  );
  return new Map(rows.map(({ name, ...traces }) => [name, traces]));
}

async function strongLocks(watcher: pg.Client, pid: number): Promise<string[]> {
  const { rows } = await watcher.query<{ name: string }>(
    `select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = $1 and l.granted and l.mode = any($2) and c.relname = any($3) order by 1`,
    [pid, STRONG, LARGE_TABLES],
  );
  return rows.map(({ name }) => name);
}

function describe(
  statement: string,
  locked: readonly string[],
  before: ReadonlyMap<string, Traces>,
  after: ReadonlyMap<string, Traces>,
): string[] {
  const findings: string[] = [];
  for (const [name, { file, scans, changes }] of after) {
    const earlier = before.get(name);
    if (!earlier) continue;
    const problems = [
      changes > earlier.changes && `changes rows of ${name}`,
      file !== earlier.file && `rewrites ${name}`,
      locked.length > 0 && scans > earlier.scans && `reads all of ${name} while it locks ${locked.join(', ')}`,
    ].filter((problem) => problem !== false);
    if (problems.length > 0) findings.push(`${problems.join(', ')}: ${statement}`);
  }
  return findings;
}
