/**
 * Matches receipts that contain our reference but no usable message ID. The sender identifies the accounts, the number
 * identifies the messages, and the reference identifies one of them. This costs more than the lookup by ID but needs no
 * index of its own.
 */
import { idAt } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { NumberedReport } from './open_submission.ts';

/** The maximum time between a submission and its receipt. */
const LATEST_MS = 4 * 86_400_000;
/** The number of newest messages from one sender to one number that are compared. */
const COMPARED = 200;

interface Candidate {
  n: number;
  account_id: string;
  message_id: string;
  external_id: string;
  parts: number;
  reported: boolean;
}

export type ReferenceMatch = Omit<Candidate, 'reported'>;

/**
 * The receipts for the parts of a long message all have the same reference, so each is matched with a part that has no
 * receipt yet.
 */
export async function matchReferences(tx: Tx, reports: readonly NumberedReport[]): Promise<ReferenceMatch[]> {
  const echoed = reports.filter(({ report }) => report.reference !== null);
  if (echoed.length === 0) return [];
  const byReport = Map.groupBy(await findCandidates(tx, echoed), ({ n }) => n);
  const taken = new Set<string>();
  return [...byReport]
    .sort(([a], [b]) => a - b)
    .flatMap(([, all]) => {
      const rows = all.filter(({ message_id }) => message_id === all[0]!.message_id);
      const row = rows.find(({ external_id, reported }) => !reported && !taken.has(external_id)) ?? rows[0]!;
      taken.add(row.external_id);
      const { reported: _, ...match } = row;
      return [match];
    });
}

const findCandidates = (tx: Tx, reports: readonly NumberedReport[]): Promise<Candidate[]> =>
  tx.rows<Candidate>(sql`
    select r.n, s.account_id, s.message_id, s.external_id, s.parts, s.state is not null as reported
    from unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
                ${reports.map(({ report }) => report.number)}::text[],
                ${reports.map(({ report }) => report.sender)}::text[],
                ${reports.map(({ report }) => report.reference)}::int[])
      as r(n, connection_id, number, sender, reference)
    join senders x on lower(x.code) = lower(r.sender)
    cross join lateral (
      select x.id as sender_id
      union all
      -- A message from a number pool has the ID of the pool.
      select p.pool_id from number_pool_members p
      where p.account_id = x.account_id and p.sender_id = x.id and p.pool_id <> x.id
    ) origin
    cross join lateral (
      select m.account_id, m.id from messages m
      where m.account_id = x.account_id and m.number = r.number and m.sender_id = origin.sender_id
        and m.id >= ${idAt(Date.now() - LATEST_MS)}::uuid and m.direction = 'MT'
      order by m.id desc limit ${COMPARED}
    ) recent
    join submissions s on s.account_id = recent.account_id and s.message_id = recent.id
      and s.connection_id = r.connection_id and s.reference = r.reference
    order by r.n, recent.id desc, s.part`);
