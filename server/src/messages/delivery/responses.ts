/**
 * Applies the carrier's responses to the queue: accepted, retried, failed, or ambiguous. A refusal counts only for the
 * attempt it answers; an acceptance counts for every attempt.
 */
import { AFTER, type Outcome } from '../../channels/channel.ts';
import { pauseConnection } from '../../connections/connections.ts';
import { runTogether, sql, type Tx } from '../../kernel/db/db.ts';
import type { Change } from '../model/change.ts';
import { retryPriority } from '../model/traffic_class.ts';
import type { Claimed } from '../queue/claim.ts';
import { applyStatuses } from '../status/status.ts';
import { insertSubmissions } from '../status/submissions.ts';
import { closeSessions } from '../thread/conversations.ts';

export interface SubmitResponse {
  row: Claimed;
  outcome: Outcome;
}

/** A temporary refusal may in fact be permanent, so a message fails after this many. */
const MAX_REFUSALS = 4;

type Fate = 'accepted' | 'retry' | 'ambiguous' | 'final';

function decideFate({ row, outcome: { failure } }: SubmitResponse): Fate {
  if (!failure) return 'accepted';
  const after = AFTER[failure.kind];
  if (after === 'evidence') return 'ambiguous';
  if (after === 'again' && !(failure.limited && row.refusals + 1 >= MAX_REFUSALS)) return 'retry';
  return 'final';
}

export async function recordResponses(
  tx: Tx,
  connection_id: string,
  responses: readonly SubmitResponse[],
): Promise<void> {
  const by: Record<Fate, SubmitResponse[]> = { accepted: [], retry: [], ambiguous: [], final: [] };
  for (const response of responses) by[decideFate(response)].push(response);
  const submissions = responses.flatMap(({ row, outcome }) =>
    outcome.accepted.map(({ part, external_id }) => ({
      connection_id,
      external_id,
      account_id: row.account_id,
      message_id: row.message_id,
      part,
      parts: outcome.parts,
      reference: row.reference,
    })),
  );
  const changes: Change[] = by.accepted.map((response) => sentChange(connection_id, response));
  if (by.retry.length > 0) changes.push(...(await requeue(tx, connection_id, by.retry)));
  if (by.ambiguous.length > 0) await markAmbiguous(tx, by.ambiguous);
  if (by.final.length > 0) changes.push(...(await failMessages(tx, connection_id, by.final)));
  await closeSessions(
    tx,
    by.final.flatMap(({ row, outcome }) => (outcome.failure?.closes ? [row] : [])),
  );
  await runTogether(insertSubmissions(tx, submissions), applyStatuses(tx, changes));
  const fault = responses.find(({ outcome }) => outcome.failure?.pauses)?.outcome.failure;
  if (fault) await pauseConnection(tx, connection_id, fault.internal ?? fault.text);
}

const sentChange = (connection_id: string, { row, outcome }: SubmitResponse): Change => ({
  account_id: row.account_id,
  message_id: row.message_id,
  status: 'sent',
  source: 'carrier',
  detail: outcome.detail,
  ...unpricedSegments(row, outcome),
  connection_id,
});

/**
 * A message keeps the price from its acceptance. If its connection has since changed and divides the text into more
 * segments, the timeline states both numbers.
 */
function unpricedSegments(row: Claimed, { segments, parts, detail }: Outcome): Pick<Change, 'text' | 'detail'> {
  const sent = segments ?? parts;
  if (sent <= row.segments_count) return {};
  const text = `Sent in ${sent} segments, charged as ${row.segments_count}`;
  return { text, detail: { ...detail, segments: sent, priced: row.segments_count } };
}

/**
 * The number of attempts for which a throttled message waits only for the connection's pace. If the carrier throttles
 * it more often, the limit may apply only to its recipient, so the message backs off.
 */
const PACED_ATTEMPTS = 3;

/** Waits longer after each attempt, up to a ceiling, so that a throttled message is always retried. */
function backOffMs({ row, outcome: { failure } }: SubmitResponse): number {
  const isThrottled = failure?.kind === 'throttled';
  const paced = isThrottled && !failure.narrow ? PACED_ATTEMPTS : 0;
  if (row.attempt <= paced) return 0;
  const [first, max] = isThrottled ? [500, 60_000] : [1_000, 60_000];
  const step = failure?.limited ? row.refusals : row.attempt - 1 - paced;
  const ceiling = Math.min(max, first * 2 ** Math.min(step, 10));
  return Math.round(ceiling * (0.5 + Math.random() / 2));
}

const sentParts = ({ row, outcome }: SubmitResponse) =>
  `{${[...row.sent_parts, ...outcome.accepted.map(({ part }) => part)].join(',')}}`;

const responseRows = (responses: readonly SubmitResponse[]) => sql`
  unnest(${responses.map(({ row }) => row.account_id)}::uuid[], ${responses.map(({ row }) => row.message_id)}::uuid[],
         ${responses.map(({ row }) => row.attempt)}::int[], ${responses.map(sentParts)}::text[],
         ${responses.map(backOffMs)}::int[],
         ${responses.map(({ outcome }) => (outcome.failure?.limited ? 1 : 0))}::int[]
  ) as t(account_id, message_id, attempt, parts, wait_ms, refusals)`;

/**
 * Puts the messages ahead of the fresh messages of their class and account. Keeps `not_before` if the message was
 * paused in the meantime, because the pause has moved it further into the future.
 */
async function requeue(tx: Tx, connection_id: string, responses: readonly SubmitResponse[]): Promise<Change[]> {
  await tx.run(sql`
    update dispatch d set
      stage = 'queued', priority = ${retryPriority(sql`d.priority`)}, worker_id = null,
      sent_parts = t.parts::smallint[], refusals = d.refusals + t.refusals,
      not_before = greatest(d.not_before, now() + t.wait_ms * interval '1 millisecond')
    from ${responseRows(responses)}
    where d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt
      and d.stage = 'submitting'`);
  return responses.flatMap(({ row, outcome: { failure, detail } }): Change[] => {
    if (!failure?.limited) return [];
    const { account_id, message_id } = row;
    const note = { status: 'enroute', source: 'carrier', code: failure.code, text: failure.text, detail } as const;
    return [{ account_id, message_id, ...note, connection_id }];
  });
}

/** Marks the submissions as ambiguous; ambiguous.ts settles them. */
const markAmbiguous = (tx: Tx, responses: readonly SubmitResponse[]) =>
  tx.run(sql`
    update dispatch d set worker_id = null, unknown_date = now(), sent_parts = t.parts::smallint[]
    from ${responseRows(responses)}
    where d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt
      and d.stage = 'submitting'`);

/**
 * Fails the messages whose current attempt was refused. If the carrier has already accepted a part, the message is
 * still charged.
 */
async function failMessages(tx: Tx, connection_id: string, responses: readonly SubmitResponse[]): Promise<Change[]> {
  const current = await tx.rows<{ message_id: string }>(sql`
    select d.message_id from ${responseRows(responses)}
    join dispatch d on d.account_id = t.account_id and d.message_id = t.message_id and d.attempt = t.attempt
    where d.stage = 'submitting' for update of d`);
  // The message was given up before this response to its last attempt arrived.
  const given_up = await tx.rows<{ message_id: string }>(sql`
    select u.message_id from ${responseRows(responses)}
    join unanswered_submissions u on u.account_id = t.account_id and u.message_id = t.message_id
      and u.attempt = t.attempt
    join messages m on m.account_id = u.account_id and m.id = u.message_id and m.failure = 'unknown'`);
  const ids = new Set([...current, ...given_up].map((row) => row.message_id));
  return responses.flatMap(({ row, outcome }): Change[] => {
    const { failure, detail, accepted } = outcome;
    if (!failure || !ids.has(row.message_id)) return [];
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
