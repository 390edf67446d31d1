/**
 * Maps carrier ids to messages. An entry is written in the transaction that learns the id, and read for every report.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announceMatchable } from './unmatched.ts';

export interface Submission {
  connection_id: string;
  external_id: string;
  account_id: string;
  message_id: string;
  part: number;
  parts: number;
  /** Our reference in the submission. */
  reference: number;
}

/** Replaces the id of a part if the carrier reports none. Receipts match it only by our reference. */
export const placeholderId = (message_id: string, part: number): string => `~${message_id}:${part}`;

/** Also triggers the retry if an unmatched report waits for one of the ids. */
export async function insertSubmissions(tx: Tx, submissions: readonly Submission[]): Promise<void> {
  if (submissions.length === 0) return;
  const named = submissions.map((entry) =>
    entry.external_id === '' ? { ...entry, external_id: placeholderId(entry.message_id, entry.part) } : entry,
  );
  const identified = [
    ...new Map(named.map((entry) => [`${entry.connection_id} ${entry.external_id}`, entry])).values(),
  ];
  const column = <T>(pick: (submission: Submission) => T): T[] => identified.map(pick);
  const { waiting } = await tx.one<{ waiting: boolean }>(sql`
    with given as materialized (
      select * from unnest(
        ${column((s) => s.connection_id)}::uuid[], ${column((s) => s.external_id)}::text[],
        ${column((s) => s.account_id)}::uuid[], ${column((s) => s.message_id)}::uuid[],
        ${column((s) => s.part)}::smallint[], ${column((s) => s.parts)}::smallint[],
        ${column((s) => s.reference)}::int[]
      ) as t(connection_id, external_id, account_id, message_id, part, parts, reference)
    ), written as (
      insert into submissions as s (connection_id, external_id, account_id, message_id, part, parts, reference)
      select * from given
      -- Some carriers reuse ids: the latest message owns the id. A report may have matched the message before its
      -- response came; only the response knows which part it is.
      on conflict (connection_id, external_id) do update set
        account_id = excluded.account_id, message_id = excluded.message_id, part = excluded.part,
        parts = excluded.parts, reference = excluded.reference,
        state = case when s.message_id = excluded.message_id then s.state end,
        create_date = case when s.message_id = excluded.message_id then s.create_date else now() end
        where (s.message_id, s.part, s.reference)
          is distinct from (excluded.message_id, excluded.part, excluded.reference)
    )
    select exists (
      select from given join unmatched_reports u on u.connection_id = given.connection_id
        and u.external_id = given.external_id
    ) as waiting`);
  if (waiting) announceMatchable(tx);
}
