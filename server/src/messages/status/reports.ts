/**
 * Stores delivery receipts in batches. A receipt is matched by the carrier's id or, failing that, by our reference.
 * Both also find a message that was given up.
 * Otherwise, it is kept for later. The order of receipts, their repetition, and the bind make no difference. The
 * carrier gets its acknowledgment only after the commit.
 */
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { Batcher } from '../model/batcher.ts';
import type { Change } from '../model/change.ts';
import { countOnConnection } from '../routing/connection_health.ts';
import { closeSessions } from '../thread/conversations.ts';
import { proveByReference } from './evidence.ts';
import { matchReferences } from './references.ts';
import { toChange } from './report_change.ts';
import { foldParts, type PartReport } from './report_parts.ts';
import { applyStatuses, type LockedMessage, lockColumns } from './status.ts';
import { type ArrivedReport, keepUnmatched, takeMatchable } from './unmatched.ts';

const BATCH = 500;
/**
 * A carrier sends about 100 reports before it waits for acknowledgments, so one half is stored while the other half
 * arrives.
 */
const FLUSH_AT = 40;
const WAIT_MS = 10;

export const createReportBatcher = (db: Db): Batcher<ArrivedReport> =>
  new Batcher((arrived) => storeReports(db, arrived), { wait_ms: WAIT_MS, flush_at: FLUSH_AT, max: BATCH });

async function storeReports(db: Db, arrived: readonly ArrivedReport[]): Promise<void> {
  await db.tx(async (tx) => {
    const rest = await applyReports(tx, arrived);
    await keepUnmatched(tx, rest);
    const kept = new Set(rest);
    tx.afterCommit(() =>
      countReceipts(
        db,
        arrived.filter((entry) => !kept.has(entry)),
      ),
    );
    failpoint('before_report_commit');
  }, 'by index');
  failpoint('after_report_commit');
}

/** Receipts count for the connection's health. A rejection by the network does not count. */
function countReceipts(db: Db, matched: readonly ArrivedReport[]): void {
  for (const { connection_id, report } of matched) {
    if (report.status === 'delivered') countOnConnection(db, connection_id, { delivered: 1 });
    if (report.status === 'failed' || report.status === 'expired')
      countOnConnection(db, connection_id, { undelivered: 1 });
  }
}

/** Applies kept reports whose message is now known. */
export async function retryUnmatched(db: Db, age: string): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    count = await db.tx(async (tx) => {
      const arrived = await takeMatchable(tx, age, BATCH);
      await keepUnmatched(tx, await applyReports(tx, arrived));
      return arrived.length;
    }, 'by index');
  }
}

interface Match {
  n: number;
  account_id: string;
  message_id: string;
  parts: number;
  /** The id of the submission, if the report contains no usable one. */
  external_id?: string;
}

/** Returns the reports that match no message. */
async function applyReports(tx: Tx, arrived: readonly ArrivedReport[]): Promise<ArrivedReport[]> {
  if (arrived.length === 0) return [];
  const all = arrived.map((entry, n) => ({ ...entry, n }));
  const locked = await lockById(tx, all);
  const matched = locked.map(({ n, account_id, id: message_id, parts }) => ({ n, account_id, message_id, parts }));
  let rest = excludeMatched(all, matched);
  const proven = rest.length > 0 ? await proveByReference(tx, rest) : { proofs: [], changes: [] };
  rest = excludeMatched(rest, proven.proofs);
  // The lookup by reference waited for the transaction that stored the response, so the id may be known now.
  const matchedLate = rest.length > 0 ? await matchIds(tx, rest) : [];
  rest = excludeMatched(rest, matchedLate);
  const referenced = rest.length > 0 ? await matchReferences(tx, rest) : [];
  rest = excludeMatched(rest, referenced);
  const matches: readonly Match[] = [...matched, ...proven.proofs, ...matchedLate, ...referenced];
  const changes: Change[] = [...proven.changes];
  const parts: PartReport[] = [];
  for (const { n, account_id, message_id, parts: total, external_id } of matches) {
    const { connection_id, report: original } = arrived[n]!;
    const report = external_id === undefined ? original : { ...original, external_id };
    if (total > 1) parts.push({ account_id, message_id, connection_id, report, parts: total });
    else changes.push(toChange(account_id, message_id, connection_id, report));
  }
  if (parts.length > 0) changes.push(...(await foldParts(tx, parts)));
  await closeSessions(
    tx,
    matches.filter(({ n }) => arrived[n]!.report.failure?.closes),
  );
  await applyStatuses(tx, changes, locked);
  return rest;
}

type NumberedReport = ArrivedReport & { n: number };

const excludeMatched = (reports: readonly NumberedReport[], matches: readonly { n: number }[]): NumberedReport[] => {
  const ids = new Set(matches.map(({ n }) => n));
  return ids.size === 0 ? [...reports] : reports.filter(({ n }) => !ids.has(n));
};

/** Matches and locks in one statement, in the same order as `applyStatuses`. */
const lockById = (tx: Tx, reports: readonly NumberedReport[]) =>
  tx.rows<LockedMessage & { n: number; parts: number }>(sql`
    select r.n, s.parts, ${lockColumns}
    from ${byId(reports)}
    join submissions s on s.connection_id = r.connection_id and s.external_id = r.external_id
    join messages m on m.account_id = s.account_id and m.id = s.message_id
    order by m.account_id, m.id, r.n
    for update of m`);

const matchIds = (tx: Tx, reports: readonly NumberedReport[]): Promise<Match[]> =>
  tx.rows<Match>(sql`
    select r.n, s.account_id, s.message_id, s.parts
    from ${byId(reports)}
    join submissions s on s.connection_id = r.connection_id and s.external_id = r.external_id
    order by r.n`);

const byId = (reports: readonly NumberedReport[]) => sql`
  unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
         ${reports.map(({ report }) => report.external_id)}::text[]) as r(n, connection_id, external_id)`;
