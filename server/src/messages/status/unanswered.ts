/**
 * Submissions without a response, kept after the message was given up or sent again. Evidence about them counts for
 * three days after the last verdict: it reopens a message that was given up, and removes a message from the queue if it
 * is waiting to be sent again. If the message has already been sent again, the evidence is only recorded: the message
 * is charged once and stays marked as a possible duplicate.
 */
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { knownParts, type NumberedReport, type OpenSubmission } from './open_submission.ts';

const KEEP_FOR = '72 hours';
/** The time that a report without a reference waits to be matched by id before it counts as evidence. */
const MATCH_DELAY = '3 seconds';
/** Reports without a reference are compared for this long after they arrive. */
const COMPARE_FOR = '2 minutes';
const BATCH = 500;

interface MessageKey {
  readonly account_id: string;
  readonly message_id: string;
}

const keys = (messages: readonly MessageKey[]) => sql`
  unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
         ${messages.map(({ message_id }) => message_id)}::uuid[]) as t(account_id, message_id)`;

/** Call this before the queue row of a message is deleted or sent again. */
export async function keepUnanswered(tx: Tx, messages: readonly MessageKey[]): Promise<void> {
  if (messages.length === 0) return;
  await extendUnanswered(tx, messages);
  await tx.run(sql`
    insert into unanswered_submissions (account_id, message_id, attempt, connection_id, number, sender_address,
      reference, submit_date, sent_parts)
    select d.account_id, d.message_id, d.attempt, d.connection_id, d.number, d.sender_address, d.reference,
           d.submit_date, d.sent_parts
    from ${keys(messages)} join dispatch d on d.account_id = t.account_id and d.message_id = t.message_id
    where d.stage = 'submitting'
    on conflict (account_id, message_id, attempt) do nothing`);
}

/** Restarts the time in which evidence counts, after a new verdict about the messages. */
export const extendUnanswered = (tx: Tx, messages: readonly MessageKey[]) =>
  tx.run(sql`
    update unanswered_submissions u set verdict_date = now() from ${keys(messages)}
    where u.account_id = t.account_id and u.message_id = t.message_id`);

/** Finds the messages whose reference and number a report repeats. */
export const findUnanswered = (tx: Tx, reports: readonly NumberedReport[]) =>
  tx.rows<OpenSubmission & { n: number }>(sql`
    select r.n, d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, d.reference,
           true as given_up, ${knownParts}
    from unnest(${reports.map(({ n }) => n)}::int[], ${reports.map(({ connection_id }) => connection_id)}::uuid[],
                ${reports.map(({ report }) => report.number)}::text[],
                ${reports.map(({ report }) => report.reference)}::int[])
      as r(n, connection_id, number, reference)
    join unanswered_submissions d on d.connection_id = r.connection_id and d.number = r.number
      and d.reference = r.reference
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    order by d.account_id, d.message_id, d.attempt desc
    for update of d`);

/**
 * Finds evidence from carriers that do not echo our reference, as for open submissions. Skips reports that could be
 * about an open submission.
 */
export const findByNumber = (tx: Tx) =>
  tx.rows<OpenSubmission & { external_id: string }>(sql`
    select distinct on (u.id) d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, d.reference,
           true as given_up, u.external_id, ${knownParts}
    from unmatched_reports u
    join unanswered_submissions d on d.connection_id = u.connection_id and d.number = u.number
      and d.sender_address = u.report->>'sender' and d.submit_date <= u.create_date
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    where u.create_date between now() - ${COMPARE_FOR}::interval and now() - ${MATCH_DELAY}::interval
      and u.external_id <> '' and u.report->>'reference' is null
      and not exists (select from submissions s where s.connection_id = u.connection_id
        and s.external_id = u.external_id)
      and not exists (select from dispatch o where o.connection_id = u.connection_id and o.number = u.number
        and o.stage = 'submitting' and o.sender_address = d.sender_address)
    order by u.id, d.submit_date
    limit ${BATCH}`);

export const pruneUnanswered = (db: Db, limit: number) =>
  db.run(sql`
    delete from unanswered_submissions where (account_id, message_id, attempt) in (
      select account_id, message_id, attempt from unanswered_submissions u
      where verdict_date < now() - ${KEEP_FOR}::interval
        and not exists (select from dispatch d where d.account_id = u.account_id and d.message_id = u.message_id)
      order by verdict_date limit ${limit})`);
