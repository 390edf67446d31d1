/**
 * Proof that a carrier has a message although its answer never came (or has not come yet): a report that carries our reference and the number we
 * sent to. The reference alone is short and comes round; with the number, among what is being submitted, it names one message.
 */
import type { Report } from '../channels/channel.ts';
import { adapterOf } from '../channels/index.ts';
import { sql, type Tx } from '../kernel/db.ts';
import type { Change } from './change.ts';
import { insertSubmissions, type Submission } from './submissions.ts';

interface Open {
  account_id: string;
  message_id: string;
  connection_id: string;
  adapter: string;
  settings: unknown;
  text: string;
  /** Parts known to be with the carrier. */
  known_parts: number[];
}

export interface Proof {
  n: number;
  account_id: string;
  message_id: string;
  parts: number;
}

interface Unmatched {
  n: number;
  connection_id: string;
  report: Report;
}

export async function proveByReference(
  tx: Tx,
  reports: readonly Unmatched[],
): Promise<{ found: Proof[]; changes: Change[] }> {
  const echoed = reports.filter(({ report }) => report.reference !== null);
  if (echoed.length === 0) return { found: [], changes: [] };
  const open = await openByReference(tx, echoed);
  const proofs = echoed.flatMap((one) => {
    const row = open.find(({ n }) => n === one.n);
    return row ? [{ ...row, n: one.n, external_id: one.report.external_id }] : [];
  });
  const changes = await proveParts(tx, proofs);
  return { found: proofs.map((proof) => ({ ...proof, parts: partsOf(proof) })), changes };
}

export const partsOf = ({ adapter, connection_id, settings, text }: Open): number =>
  adapterOf(adapter).parts({ id: connection_id, settings }, text);

/** Each proof is a part the carrier has; which one is not told, so it counts as the first still missing. Complete messages are `sent`. */
export async function proveParts(tx: Tx, proofs: readonly (Open & { external_id: string })[]): Promise<Change[]> {
  const known = new Map<string, Set<number>>();
  const seen = new Set<string>();
  const submissions: Submission[] = [];
  for (const proof of proofs) {
    const { account_id, message_id, connection_id, external_id } = proof;
    const parts = known.get(message_id) ?? new Set(proof.known_parts);
    known.set(message_id, parts);
    const key = `${message_id} ${external_id}`;
    if (seen.has(key) || parts.size >= partsOf(proof)) continue;
    seen.add(key);
    let part = 1;
    while (parts.has(part)) part++;
    parts.add(part);
    submissions.push({ account_id, message_id, connection_id, external_id, part, parts: partsOf(proof) });
  }
  await insertSubmissions(tx, submissions);
  const whole = new Map(
    proofs
      .filter((proof) => known.get(proof.message_id)!.size >= partsOf(proof))
      .map((proof) => [proof.message_id, proof]),
  );
  return [...whole.values()].map(({ account_id, message_id, connection_id }) => ({
    account_id,
    message_id,
    connection_id,
    status: 'sent',
    source: 'carrier',
    text: 'Proved by the carrier’s report',
  }));
}

const openByReference = (tx: Tx, reports: readonly Unmatched[]) =>
  tx.rows<Open & { n: number }>(sql`
    select r.n, d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, ${knownParts} as known_parts
    from unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
                ${reports.map(({ report }) => report.number)}::text[], ${reports.map(({ report }) => report.reference)}::int[])
      as r(n, connection_id, number, reference)
    join dispatch d on d.connection_id = r.connection_id and d.number = r.number and d.reference = r.reference and d.stage = 'submitting'
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    order by d.account_id, d.message_id
    for update of d`);

/** Of `dispatch d`. */
export const knownParts = sql`
  array(select s.part from submissions s where s.account_id = d.account_id and s.message_id = d.message_id
        union select unnest(d.sent_parts))`;
