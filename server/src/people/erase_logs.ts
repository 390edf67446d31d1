/**
 * Deletes a number and the texts around it from logs that are not kept by number: rows of import files, events, webhook
 * deliveries, and API requests. The account's rows are read in the order of their IDs.
 */
import { idAt } from '../kernel/clock.ts';
import { type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Portion, Subject } from './erasure_queries.ts';
import { numberPattern, writtenPattern } from './number_pattern.ts';

const PORTION = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The next IDs of a table of the account until the request. */
async function nextPage(tx: Tx, table: Sql, { account_id, until }: Subject, after: string | null) {
  const end = idAt(Date.parse(`${until.slice(0, 19).replace(' ', 'T')}Z`) + 1_000);
  const rows = await tx.rows<{ id: string }>(sql`
    select id from ${table} where account_id = ${account_id} and id > ${after ?? FIRST}::uuid and id < ${end}::uuid
    order by id limit ${PORTION}`);
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length < PORTION ? null : ids.at(-1)! };
}

/** Matches the number, and the IDs of its conversations and messages. */
async function tracePattern(tx: Tx, { account_id, number }: Subject): Promise<string> {
  const conversations = await tx.rows<{ id: string }>(sql`
    select id from conversations where account_id = ${account_id} and number = ${number}`);
  return [numberPattern(number), ...conversations.map(({ id }) => id)].join('|');
}

export async function eraseEvents(tx: Tx, subject: Subject, after: string | null): Promise<Portion> {
  const { ids, next } = await nextPage(tx, sql`events`, subject, after);
  const other = await tx.run(sql`
    delete from events
    where account_id = ${subject.account_id} and id = any(${ids}::uuid[])
      and payload::text ~ ${await tracePattern(tx, subject)}`);
  return { counts: { other }, after: next };
}

/** A delivery that has not been sent yet fails. */
export async function eraseWebhookDeliveries(tx: Tx, subject: Subject, after: string | null): Promise<Portion> {
  const { ids, next } = await nextPage(tx, sql`webhook_deliveries`, subject, after);
  const deliveries = await tx.run(sql`
    update webhook_deliveries d set body = '{}', attempts = '[]', update_date = ${tx.now},
      error = case when status = 'pending' then 'The person was erased' end,
      status = case when status = 'pending' then 'failed' else status end
    where account_id = ${subject.account_id} and id = any(${ids}::uuid[]) and body <> '{}'
      and (body || ' ' || attempts::text) ~ ${await tracePattern(tx, subject)}`);
  return { counts: { deliveries }, after: next };
}

export async function eraseRequests(tx: Tx, subject: Subject, after: string | null): Promise<Portion> {
  const { ids, next } = await nextPage(tx, sql`api_requests`, subject, after);
  const pattern = writtenPattern(subject.number);
  const requests = await tx.run(sql`
    update api_requests set request_body = null, response_body = null,
      path = regexp_replace(path, ${pattern}, '*', 'g')
    where account_id = ${subject.account_id} and id = any(${ids}::uuid[])
      and concat_ws(' ', path, request_body, response_body) ~ ${`${pattern}|${await tracePattern(tx, subject)}`}
      and (request_body is not null or response_body is not null or path ~ ${pattern})`);
  return { counts: { requests }, after: next };
}

export async function eraseRefusedCalls(tx: Tx, subject: Subject, after: string | null): Promise<Portion> {
  const { ids, next } = await nextPage(tx, sql`refused_calls`, subject, after);
  const requests = await tx.run(sql`
    delete from refused_calls
    where account_id = ${subject.account_id} and id = any(${ids}::uuid[])
      and concat_ws(' ', path, message, "from", "to") ~ ${writtenPattern(subject.number)}`);
  return { counts: { requests }, after: next };
}

/** One import per portion: the rows that it skipped or shortened, the sample in its preview, and its stored file. */
export async function eraseImportRows(
  tx: Tx,
  subject: Subject,
  after: string | null,
  { storage }: Kernel,
): Promise<Portion> {
  const { account_id, number, until } = subject;
  const row = await tx.maybeOne<{ id: string; refused_key: string | null; status: string }>(sql`
    select id, refused_key, status from audience_imports
    where account_id = ${account_id} and id > ${after ?? FIRST}::uuid and create_date <= ${until}
    order by id limit 1`);
  if (!row) return { counts: {}, after: null };
  // A running import still adds rows, so the erasure reads it later.
  if (row.status === 'running') return { counts: {}, after, isWaiting: true };
  const pattern = writtenPattern(number);
  const import_rows = await tx.run(sql`
    update import_rows set cells = (select jsonb_agg(''::text) from jsonb_array_elements(cells))
    where account_id = ${account_id} and import_id = ${row.id} and cells::text ~ ${pattern}`);
  await tx.run(sql`
    update audience_imports set preview = jsonb_set(preview, '{sample_rows}', '[]')
    where account_id = ${account_id} and id = ${row.id} and preview->>'sample_rows' ~ ${pattern}`);
  if (import_rows > 0 && row.refused_key !== null) {
    await storage.remove(row.refused_key);
    await tx.run(sql`
      update audience_imports set refused_key = null, refused_bytes = 0
      where account_id = ${account_id} and id = ${row.id}`);
  }
  return { counts: { import_rows }, after: row.id };
}
