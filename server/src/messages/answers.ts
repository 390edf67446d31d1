/**
 * What the carrier's answers mean for the queue: taken, again later, never, or nobody knows. An answer counts for the attempt it belongs to only;
 * that a carrier took a message is true whoever asked.
 */
import { AFTER, type Outcome } from '../channels/channel.ts';
import { sql, type Tx, together } from '../kernel/db/db.ts';
import type { Change } from './change.ts';
import type { Claimed } from './claim.ts';
import { closeSessions } from './conversations.ts';
import { applyStatuses } from './status.ts';
import { insertSubmissions } from './submissions.ts';

export interface Answered {
  row: Claimed;
  outcome: Outcome;
}

/** "Not now" that may also mean never: so often, then it is final. */
export const REFUSALS_MOST = 4;

type Fate = 'taken' | 'again' | 'evidence' | 'final';

function fateOf({ row, outcome: { failure } }: Answered): Fate {
  if (!failure) return 'taken';
  const after = AFTER[failure.kind];
  if (after === 'evidence') return 'evidence';
  if (after === 'again' && !(failure.limited && row.refusals + 1 >= REFUSALS_MOST)) return 'again';
  return 'final';
}

export async function recordAnswers(tx: Tx, connection_id: string, answers: readonly Answered[]): Promise<void> {
  const by: Record<Fate, Answered[]> = { taken: [], again: [], evidence: [], final: [] };
  for (const answer of answers) by[fateOf(answer)].push(answer);
  const submissions = answers.flatMap(({ row, outcome }) =>
    outcome.accepted.map(({ part, external_id }) => ({
      connection_id,
      external_id,
      account_id: row.account_id,
      message_id: row.message_id,
      part,
      parts: outcome.parts,
    })),
  );
  const changes: Change[] = by.taken.map((answer) => takenBy(connection_id, answer));
  if (by.again.length > 0) changes.push(...(await putBack(tx, connection_id, by.again)));
  if (by.evidence.length > 0) await leaveOpen(tx, by.evidence);
  if (by.final.length > 0) changes.push(...(await finish(tx, connection_id, by.final)));
  await closeSessions(
    tx,
    by.final.flatMap(({ row, outcome }) => (outcome.failure?.closes ? [row] : [])),
  );
  await together(insertSubmissions(tx, submissions), applyStatuses(tx, changes));
}

const takenBy = (connection_id: string, { row, outcome }: Answered): Change => ({
  account_id: row.account_id,
  message_id: row.message_id,
  status: 'sent',
  source: 'carrier',
  detail: outcome.detail,
  connection_id,
});

/** A carrier that asks for less gets the same message later and later, but never so late that it is forgotten. */
export function backOffMs({ row, outcome }: Answered): number {
  const [first, most] = outcome.failure?.kind === 'throttled' ? [500, 60_000] : [1_000, 60_000];
  const step = outcome.failure?.limited ? row.refusals : row.attempt - 1;
  const ceiling = Math.min(most, first * 2 ** Math.min(step, 10));
  return Math.round(ceiling * (0.5 + Math.random() / 2));
}

const partsOf = ({ row, outcome }: Answered) =>
  `{${[...row.sent_parts, ...outcome.accepted.map(({ part }) => part)].join(',')}}`;

const columns = (answers: readonly Answered[]) => sql`
  unnest(${answers.map(({ row }) => row.account_id)}::uuid[], ${answers.map(({ row }) => row.message_id)}::uuid[],
         ${answers.map(({ row }) => row.attempt)}::int[], ${answers.map(partsOf)}::text[],
         ${answers.map(backOffMs)}::int[], ${answers.map(({ outcome }) => (outcome.failure?.limited ? 1 : 0))}::int[]
  ) as t(account_id, message_id, attempt, parts, wait_ms, refusals)`;

// A pause that came meanwhile has put `not_before` further away: it stays there.
async function putBack(tx: Tx, connection_id: string, answers: readonly Answered[]): Promise<Change[]> {
  await tx.run(sql`
    update dispatch d set
      stage = 'queued', worker_id = null, sent_parts = t.parts::smallint[], refusals = d.refusals + t.refusals,
      not_before = greatest(d.not_before, now() + t.wait_ms * interval '1 millisecond')
    from ${columns(answers)}
    where d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt and d.stage = 'submitting'`);
  return answers.flatMap(({ row, outcome: { failure, detail } }): Change[] => {
    if (!failure?.limited) return [];
    const { account_id, message_id } = row;
    const note = { status: 'enroute', source: 'carrier', code: failure.code, text: failure.text, detail } as const;
    return [{ account_id, message_id, ...note, connection_id }];
  });
}

/** Nobody waits for it any more; see unknown.ts. */
const leaveOpen = (tx: Tx, answers: readonly Answered[]) =>
  tx.run(sql`
    update dispatch d set worker_id = null, unknown_date = now(), sent_parts = t.parts::smallint[]
    from ${columns(answers)}
    where d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt and d.stage = 'submitting'`);

/** Refused for good, if this was the attempt that counts. A part the carrier took before is paid for all the same. */
async function finish(tx: Tx, connection_id: string, answers: readonly Answered[]): Promise<Change[]> {
  const current = await tx.rows<{ message_id: string }>(sql`
    select d.message_id from ${columns(answers)}
    join dispatch d on d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt
    where d.stage = 'submitting' for update of d`);
  const counts = new Set(current.map((row) => row.message_id));
  return answers.flatMap(({ row, outcome }): Change[] => {
    const { failure, detail, accepted } = outcome;
    if (!failure || !counts.has(row.message_id)) return [];
    const after = AFTER[failure.kind];
    return [
      {
        account_id: row.account_id,
        message_id: row.message_id,
        status: after === 'rejected' || after === 'unsubscribed' ? after : 'failed',
        source: 'carrier',
        failure: failure.kind,
        code: failure.code,
        text: failure.text,
        detail,
        connection_id,
        accepted: row.sent_parts.length + accepted.length > 0,
      },
    ];
  });
}
