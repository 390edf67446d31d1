/**
 * Proves that a carrier has a message although its response is missing: the proof is a report with our reference and
 * the number. The reference alone is short and repeats; together with the number, it identifies one of the messages
 * that are being submitted.
 */
import type { Report } from '../../channels/channel.ts';
import { getAdapter } from '../../channels/index.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Change } from '../model/change.ts';
import { insertSubmissions, type Submission } from './submissions.ts';

/** A message that the carrier may have in full, in part, or not at all. */
export interface OpenSubmission {
  account_id: string;
  message_id: string;
  connection_id: string;
  adapter: string;
  settings: unknown;
  text: string;
  /** The numbers of the parts that the carrier is known to have. */
  known_parts: number[];
  /** The number of further parts that the carrier has. The reports do not say which parts they are. */
  unplaced: number;
}

/** A placeholder for an unknown part number until the response for the part arrives. */
const UNPLACED = 0;

interface Proof {
  n: number;
  account_id: string;
  message_id: string;
  parts: number;
}

interface NumberedReport {
  n: number;
  connection_id: string;
  report: Report;
}

export async function proveByReference(
  tx: Tx,
  reports: readonly NumberedReport[],
): Promise<{ proofs: Proof[]; changes: Change[] }> {
  const echoed = reports.filter(({ report }) => report.reference !== null);
  if (echoed.length === 0) return { proofs: [], changes: [] };
  const open = await openByReference(tx, echoed);
  const proofs = echoed.flatMap((candidate) => {
    const row = open.find(({ n }) => n === candidate.n);
    return row ? [{ ...row, n: candidate.n, external_id: candidate.report.external_id }] : [];
  });
  const changes = await proveParts(tx, proofs);
  return { proofs: proofs.map((proof) => ({ ...proof, parts: countParts(proof) })), changes };
}

export const countParts = ({ adapter, connection_id, settings, text }: OpenSubmission): number =>
  getAdapter(adapter).parts({ id: connection_id, settings }, text);

export const countMissing = (open: OpenSubmission): number =>
  countParts(open) - open.known_parts.length - open.unplaced;

/** Each id proves that the carrier has a part. Messages with all their parts become `sent`. */
export async function proveParts(
  tx: Tx,
  proofs: readonly (OpenSubmission & { external_id: string })[],
): Promise<Change[]> {
  const byMessage = Map.groupBy(proofs, (proof) => proof.message_id);
  const submissions: Submission[] = [];
  const changes: Change[] = [];
  for (const [message_id, all] of byMessage) {
    const open = all[0]!;
    const { account_id, connection_id } = open;
    const parts = countParts(open);
    const ids = [...new Set(all.map(({ external_id }) => external_id))];
    const part = parts === 1 ? 1 : UNPLACED;
    for (const external_id of ids)
      submissions.push({ account_id, message_id, connection_id, external_id, part, parts });
    if (ids.length < countMissing(open)) continue;
    const text = 'Confirmed by a delivery receipt';
    changes.push({ account_id, message_id, connection_id, status: 'sent', source: 'carrier', text });
  }
  await insertSubmissions(tx, submissions);
  return changes;
}

const openByReference = (tx: Tx, reports: readonly NumberedReport[]) =>
  tx.rows<OpenSubmission & { n: number }>(sql`
    select r.n, d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, ${knownParts}
    from unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
                ${reports.map(({ report }) => report.number)}::text[],
                ${reports.map(({ report }) => report.reference)}::int[])
      as r(n, connection_id, number, reference)
    join dispatch d on d.connection_id = r.connection_id and d.number = r.number and d.reference = r.reference
      and d.stage = 'submitting'
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    order by d.account_id, d.message_id
    for update of d`);

/**
 * Columns for `dispatch d`. Only its current connection counts, because another connection may have submitted the
 * message before.
 */
export const knownParts: Sql = sql`
  array(
    select s.part from submissions s
    where s.account_id = d.account_id and s.message_id = d.message_id and s.connection_id = d.connection_id
      and s.part <> ${UNPLACED}
    union select unnest(d.sent_parts)
  ) as known_parts,
  (select count(*) from submissions s
   where s.account_id = d.account_id and s.message_id = d.message_id and s.connection_id = d.connection_id
     and s.part = ${UNPLACED}) as unplaced`;
