/**
 * What carriers report about messages, in batches: matched by the carrier's id, else by our reference, else kept for later. In any order, any
 * number of times, from any line: the outcome is the same. The carrier is told "taken" only after the commit.
 */
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Change } from './change.ts';
import { closeSessions } from './conversations.ts';
import { proveByReference } from './evidence.ts';
import { Gather } from './gather.ts';
import { changeOf } from './report_change.ts';
import { foldParts, type PartReport } from './report_parts.ts';
import { applyStatuses, type Locked, lockColumns } from './status.ts';
import { type Arrived, keepUnmatched, takeMatchable } from './unmatched.ts';

const BATCH = 500;
// A carrier leaves about 100 reports unanswered at a time: while one half is written down the other half arrives, and need not wait for more.
const ENOUGH = 40;
const WAIT_MS = 10;

export const gatherReports = (db: Db): Gather<Arrived> =>
  new Gather((arrived) => takeReports(db, arrived), { wait_ms: WAIT_MS, enough: ENOUGH, max: BATCH });

async function takeReports(db: Db, arrived: readonly Arrived[]): Promise<void> {
  await db.tx(async (tx) => {
    await keepUnmatched(tx, await applyReports(tx, arrived));
    failpoint('before_report_commit');
  }, 'by index');
  failpoint('after_report_commit');
}

/** Those kept earlier whose message is known by now. */
export async function retryUnmatched(db: Db, age: string): Promise<void> {
  for (let taken = BATCH; taken === BATCH; ) {
    taken = await db.tx(async (tx) => {
      const arrived = await takeMatchable(tx, age, BATCH);
      await keepUnmatched(tx, await applyReports(tx, arrived));
      return arrived.length;
    }, 'by index');
  }
}

interface Found {
  n: number;
  account_id: string;
  message_id: string;
  parts: number;
}

/** Returns those that belong to no message we know of. */
async function applyReports(tx: Tx, arrived: readonly Arrived[]): Promise<Arrived[]> {
  if (arrived.length === 0) return [];
  const all = arrived.map((one, n) => ({ ...one, n }));
  const locked = await lockById(tx, all);
  const found = locked.map(({ n, account_id, id: message_id, parts }) => ({ n, account_id, message_id, parts }));
  let rest = without(all, found);
  const proven = rest.length > 0 ? await proveByReference(tx, rest) : { found: [], changes: [] };
  rest = without(rest, proven.found);
  // The proof waited for whoever was writing down the answer: then the id is known by now.
  const late = rest.length > 0 ? await matchIds(tx, rest) : [];
  rest = without(rest, late);
  const changes: Change[] = [...proven.changes];
  const parts: PartReport[] = [];
  for (const { n, account_id, message_id, parts: total } of [...found, ...proven.found, ...late]) {
    const { connection_id, report } = arrived[n]!;
    if (total > 1) parts.push({ account_id, message_id, connection_id, report, parts: total });
    else changes.push(changeOf(account_id, message_id, connection_id, report));
  }
  if (parts.length > 0) changes.push(...(await foldParts(tx, parts)));
  await closeSessions(
    tx,
    [...found, ...proven.found, ...late].filter(({ n }) => arrived[n]!.report.failure?.closes),
  );
  await applyStatuses(tx, changes, locked);
  return rest;
}

type Numbered = Arrived & { n: number };

const without = (reports: readonly Numbered[], found: readonly { n: number }[]): Numbered[] => {
  const gone = new Set(found.map(({ n }) => n));
  return gone.size === 0 ? [...reports] : reports.filter(({ n }) => !gone.has(n));
};

// Found and locked in one go, in the order `applyStatuses` locks.
const lockById = (tx: Tx, reports: readonly Numbered[]) =>
  tx.rows<Locked & { n: number; parts: number }>(sql`
    select r.n, s.parts, ${lockColumns}
    from ${byId(reports)}
    join submissions s on s.connection_id = r.connection_id and s.external_id = r.external_id
    join messages m on m.account_id = s.account_id and m.id = s.message_id
    order by m.account_id, m.id, r.n
    for update of m`);

const matchIds = (tx: Tx, reports: readonly Numbered[]): Promise<Found[]> =>
  tx.rows<Found>(sql`
    select r.n, s.account_id, s.message_id, s.parts
    from ${byId(reports)}
    join submissions s on s.connection_id = r.connection_id and s.external_id = r.external_id
    order by r.n`);

const byId = (reports: readonly Numbered[]) => sql`
  unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
         ${reports.map(({ report }) => report.external_id)}::text[]) as r(n, connection_id, external_id)`;
