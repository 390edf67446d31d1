/**
 * Proves that a carrier has a message although its response is missing: the proof is a report with our reference and
 * the number. The reference alone is short and repeats; together with the number, it identifies one of the messages
 * that are being submitted.
 */
import { getAdapter } from '../../channels/index.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Change } from '../model/change.ts';
import { knownParts, type NumberedReport, type OpenSubmission, UNPLACED } from './open_submission.ts';
import { insertSubmissions, placeholderId, type Submission } from './submissions.ts';
import { findUnanswered } from './unanswered.ts';

interface Proof {
  n: number;
  account_id: string;
  message_id: string;
  external_id: string;
  parts: number;
}

export async function proveByReference(
  tx: Tx,
  reports: readonly NumberedReport[],
): Promise<{ proofs: Proof[]; changes: Change[] }> {
  const echoed = reports.filter(({ report }) => report.reference !== null);
  if (echoed.length === 0) return { proofs: [], changes: [] };
  const open = await openByReference(tx, echoed);
  const rest = echoed.filter(({ n }) => !open.some((row) => row.n === n));
  if (rest.length > 0) open.push(...(await findUnanswered(tx, rest)));
  const rows = new Map(open.toReversed().map((row) => [row.n, row]));
  const unnamed = new Map<string, number>();
  const proofs = echoed.flatMap(({ n, report }) => {
    const row = rows.get(n);
    if (!row) return [];
    if (report.external_id !== '') return [{ ...row, n, external_id: report.external_id }];
    // A receipt without an id counts for one of the missing parts.
    const part = missingParts(row)[unnamed.get(row.message_id) ?? 0];
    unnamed.set(row.message_id, (unnamed.get(row.message_id) ?? 0) + 1);
    return part === undefined ? [] : [{ ...row, n, external_id: placeholderId(row.message_id, part) }];
  });
  const changes = await proveParts(tx, proofs);
  return { proofs: proofs.map((proof) => ({ ...proof, parts: countParts(proof) })), changes };
}

export const countParts = ({ adapter, connection_id, settings, text }: OpenSubmission): number =>
  getAdapter(adapter).parts({ id: connection_id, settings }, text);

export const countMissing = (open: OpenSubmission): number =>
  countParts(open) - open.known_parts.length - open.unplaced;

/** Parts are sent in order, so parts with an unknown number count as the first missing parts. */
function missingParts(open: OpenSubmission): number[] {
  const parts = Array.from({ length: countParts(open) }, (_, index) => index + 1);
  return parts.filter((part) => !open.known_parts.includes(part)).slice(open.unplaced);
}

/** Each id proves that the carrier has a part. Messages with all their parts become `sent`. */
export async function proveParts(
  tx: Tx,
  proofs: readonly (OpenSubmission & { external_id: string })[],
  text = 'Confirmed by a delivery receipt',
): Promise<Change[]> {
  const byMessage = Map.groupBy(proofs, (proof) => proof.message_id);
  const submissions: Submission[] = [];
  const changes: Change[] = [];
  for (const [message_id, all] of byMessage) {
    const open = all[0]!;
    const { account_id, connection_id, reference } = open;
    const parts = countParts(open);
    const ids = [...new Set(all.map(({ external_id }) => external_id))];
    const part = parts === 1 ? 1 : UNPLACED;
    for (const external_id of ids)
      submissions.push({ account_id, message_id, connection_id, external_id, part, parts, reference });
    const change = { account_id, message_id, connection_id, source: 'carrier' };
    if (ids.length >= countMissing(open)) changes.push({ ...change, status: 'sent', text });
    else if (open.given_up)
      changes.push({ ...change, status: 'enroute', accepted: true, text: 'A delivery receipt confirmed a part' });
  }
  await insertSubmissions(tx, submissions);
  return changes;
}

const openByReference = (tx: Tx, reports: readonly NumberedReport[]) =>
  tx.rows<OpenSubmission & { n: number }>(sql`
    select r.n, d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, d.reference,
           false as given_up, ${knownParts}
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
