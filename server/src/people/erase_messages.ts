/**
 * Deletes the contents of messages: the text, the file, the values of templates, and the payload of the caller, in the
 * message, its fallbacks, and the copies for other programs. The status, time, price, and carrier's report are kept.
 */
import { DELETED_TEXT } from '@parley/contract/messages/marks.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { releaseMedia, removeMedia } from '../media/media.ts';
import { erasePayloads, eraseTexts } from '../messages/messages.ts';
import { inFlight, type Portion, type Subject } from './erasure_queries.ts';

const PORTION = 200;

export interface Candidate {
  id: string;
  direction: 'MT' | 'MO';
  media_id: string | null;
  is_erased: boolean;
  in_flight: boolean;
}

/** Waits for messages that were accepted just before the request and are still being sent. */
export async function eraseMessages(tx: Tx, subject: Subject, after: string | null): Promise<Portion> {
  const { account_id, number, until } = subject;
  const rows = await tx.rows<Candidate>(sql`
    with own as materialized (
      select m.id from messages m where m.account_id = ${account_id} and m.number = ${number}
    )
    select m.id, m.direction, m.content->>'media_id' as media_id, coalesce(m.marks ? 'erased', false) as is_erased,
           ${inFlight} as in_flight
    from messages m
    where m.account_id = ${account_id} and m.create_date <= ${until} and m.id = any(array(
      select id from own where id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid order by id
      limit ${PORTION}))
    order by m.id for update of m`);
  const due = rows.filter((row) => !row.is_erased && !row.in_flight);
  const files = await eraseContents(tx, account_id, due);
  const last = rows.length === 0 ? null : await findLast(tx, subject, after);
  const counts = { messages: due.length, files };
  if (last !== null) return { counts, after: last };
  return { counts, after: null, isWaiting: await hasRest(tx, subject) };
}

/** The last message of the portion; null if no more follow. */
async function findLast(tx: Tx, { account_id, number }: Subject, after: string | null): Promise<string | null> {
  const { last, count } = await tx.one<{ last: string | null; count: number }>(sql`
    with own as materialized (
      select m.id from messages m where m.account_id = ${account_id} and m.number = ${number}
    )
    select max(id::text) as last, count(*)::int as count from (
      select id from own where id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid order by id
      limit ${PORTION}) portion`);
  return count < PORTION ? null : last;
}

const hasRest = async (tx: Tx, { account_id, number, until }: Subject): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from messages m
    where m.account_id = ${account_id} and m.number = ${number} and m.create_date <= ${until}
      and not coalesce(m.marks ? 'erased', false) limit 1`)) !== null;

/** Returns the number of deleted files. */
export async function eraseContents(tx: Tx, account_id: string, messages: readonly Candidate[]): Promise<number> {
  if (messages.length === 0) return 0;
  await blankTexts(
    tx,
    account_id,
    messages.map(({ id }) => id),
  );
  return eraseFiles(tx, account_id, messages);
}

async function blankTexts(tx: Tx, account_id: string, ids: readonly string[]): Promise<void> {
  const at = tx.now.toISOString().slice(0, 19).replace('T', ' ');
  await tx.run(sql`
    update messages m set text = ${DELETED_TEXT}, content = null, type = 'text', payload = null,
      marks = ${JSON.stringify({ deleted: at, erased: true })}::jsonb
    where m.account_id = ${account_id} and m.id = any(${ids}::uuid[])`);
  await tx.run(sql`
    update fallbacks f set sealed_steps = null, steps = (
      select jsonb_agg(step || ${JSON.stringify({ text: DELETED_TEXT, type: 'text', content: null })}::jsonb order by n)
      from jsonb_array_elements(f.steps) with ordinality as s(step, n))
    where f.account_id = ${account_id} and f.message_id = any(${ids}::uuid[])`);
  await eraseTexts(tx, account_id, ids);
  await erasePayloads(tx, account_id, ids);
  await tx.run(sql`
    update smpp_deliveries set body = body || '{"text": ""}'
    where account_id = ${account_id} and message_id = any(${ids}::uuid[])
      and smpp_account_id = any(array(select id from smpp_accounts where account_id = ${account_id}))`);
  await tx.run(sql`
    delete from smpp_parts where account_id = ${account_id} and accepted and message_id = any(${ids}::uuid[])`);
  await tx.run(sql`
    update crm_logs set person_id = null, deal_id = null, activity_id = null, error = null
    where account_id = ${account_id} and message_id = any(${ids}::uuid[])
      and provider = any(array(select provider from crm_connections where account_id = ${account_id}))`);
}

/**
 * Files that the person sent are deleted unless something else uses them. Files of the account that were sent to the
 * person are only released.
 */
async function eraseFiles(tx: Tx, account_id: string, messages: readonly Candidate[]): Promise<number> {
  let removed = 0;
  for (const { id, direction, media_id } of messages) {
    if (media_id === null) continue;
    await releaseMedia(tx, account_id, `message:${id}`);
    if (direction === 'MO' && (await removeUnused(tx, account_id, media_id))) removed++;
  }
  return removed;
}

async function removeUnused(tx: Tx, account_id: string, id: string): Promise<boolean> {
  try {
    await removeMedia(tx, account_id, id);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
