/**
 * The rules of the installation, compiled. A process reads them again when they have changed, which it notices
 * immediately for its own changes and within a few seconds for those of other processes. Without rules, a message costs
 * nothing.
 */
import { type Db, type Queryable, sql } from '../../kernel/db/db.ts';
import { type CompiledRule, compileRule, type Rule } from './matcher.ts';

const MAX_AGE_MS = 3_000;

interface Shelf {
  rules: readonly CompiledRule[] | null;
  version: string;
  read_at: number;
  reading: Promise<unknown> | null;
}

const shelves = new WeakMap<Db, Shelf>();

/** Returns the enabled rules that apply to the account and the channel. */
export async function readRulesFor(
  kernel: { db: Db },
  callerDb: Queryable,
  account_id: string,
  channel: string,
): Promise<readonly CompiledRule[]> {
  const rules = await loadRules(kernel.db, callerDb);
  return rules.length === 0
    ? rules
    : rules.filter(
        ({ accounts, exempt, channels }) =>
          (accounts === null || accounts.has(account_id)) &&
          !exempt.has(account_id) &&
          (channels === null || channels.has(channel)),
      );
}

/** The first read of a process uses the transaction of the caller, because a second connection could deadlock. */
async function loadRules(db: Db, callerDb: Queryable): Promise<readonly CompiledRule[]> {
  let shelf = shelves.get(db.root);
  if (!shelf) {
    shelf = { rules: null, version: '', read_at: 0, reading: null };
    shelves.set(db.root, shelf);
  }
  const known = shelf;
  if (known.rules === null) await refresh(known, callerDb);
  else if (performance.now() - known.read_at >= MAX_AGE_MS) {
    known.reading ??= refresh(known, db).finally(() => {
      known.reading = null;
    });
    known.reading.catch(() => {});
  }
  return known.rules!;
}

async function refresh(shelf: Shelf, db: Queryable): Promise<void> {
  const { version } = await db.one<{ version: string }>(sql`
    select count(*) || ' ' || coalesce(max(update_date)::text, '') as version from content_rules`);
  if (shelf.rules === null || version !== shelf.version) {
    const rows = await db.rows<Rule>(sql`select * from content_rules where enabled order by id`);
    shelf.rules = rows.map(compileRule);
    shelf.version = version;
  }
  shelf.read_at = performance.now();
}

/** Call this in the process that has changed a rule, after the commit. */
export const forgetContentRules = (db: Db): void => {
  shelves.delete(db.root);
};
