/**
 * Reads the rows of the message log for an export: only the fields of its columns, because the whole row of the log
 * costs several times as much.
 */
import type { AnyExportColumn } from '@parley/contract/exports/columns.ts';
import { WA_CATEGORIES } from '@parley/contract/messages/content.ts';
import { type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Paged } from '../kernel/db/list.ts';
import { followPages, hidesSpend, type ListCall, parseListCall } from '../kernel/http/list_calls.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { readLogColumns } from '../messages/messages.ts';

const PAGE_SIZE = 2_000;

/** The fields of `messages m` from which the columns are written, except those that cost more. */
const FIELDS: Sql = sql`
  m.id, to_char(m.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date, m.status, m.status_details, m.failure,
  m.direction, m."from", m."to", m.country, m.type, m.text, m.segments_count, m.price_micros, m.currency,
  m.channel, m.mccmnc, m.source, m.verification_status`;
/** The other fields, by the keys of their columns. */
const COSTLY: Readonly<Record<string, Sql>> = {
  network: sql`(select n.name from networks n where n.mccmnc = m.mccmnc) as network`,
  category: sql`(
    select c.name from unnest(${WA_CATEGORIES}::text[]) as c(name) where lower(c.name) = m.content->>'purpose'
  ) as wa_category`,
};

/** Yields the pages of the log with the fields of the columns. */
export function readLogPages(
  tx: Tx,
  actor: Actor,
  call: ListCall,
  columns: readonly AnyExportColumn[],
): AsyncGenerator<Paged<unknown>> {
  const { query } = parseListCall(call);
  const keys = new Set(columns.map(({ key }) => key));
  const fields = Object.entries(COSTLY).reduce(
    (all, [key, field]) => (keys.has(key) ? sql`${all}, ${field}` : all),
    FIELDS,
  );
  const hide = hidesSpend(actor, call.endpoint);
  return followPages(async (portion) => {
    const page = await readLogColumns(tx, actor, { ...query, ...portion, page_size: PAGE_SIZE }, fields);
    return hide ? { ...page, data: page.data.map(hide) } : page;
  }, call.isCounted);
}
