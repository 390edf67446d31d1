import { and, plannedAnew, type Queryable, type Sql, sql } from '../kernel/db.ts';
import { CAP, likePattern, type Page } from '../kernel/list.ts';
import type { TemplateRow } from './queries.ts';

interface ReviewFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  channel?: string | undefined;
}

// WhatsApp decides on its own, and SMS needs nobody.
const conditions = ({ search, statuses, channel }: ReviewFilter): Sql =>
  and([
    sql`t.channel = 'VIBER' and t.delete_date is null`,
    channel && sql`t.channel = ${channel}`,
    search && sql`a.company_name || ' ' || t.name ilike ${likePattern(search)}`,
    statuses?.length && sql`t.status = any(${statuses}::text[])`,
  ]);

/** What waits, longest first; then what was decided, newest first. */
export const reviewPage = (db: Queryable, filter: ReviewFilter, page: Page) =>
  db.rows<TemplateRow & { company_name: string }>(
    plannedAnew(sql`
      select t.id, t.account_id, t.channel, t.name, t.text, t.type, t.media_id, t.url, t.filename, t.header, t.footer, t.buttons, t.wa_category,
        null as wa_sender_code, t.language, t.samples, t.status, t.paused, t.reason, t.external_id, t.create_date, t.update_date,
        t.sender_id, t.revision, t.tried, t.submitted, a.company_name
      from templates t join accounts a on a.id = t.account_id where ${conditions(filter)}
      order by t.status <> 'IN_PROCESS', case when t.status = 'IN_PROCESS' then t.update_date end, t.update_date desc, t.id
      limit ${page.size + 1} offset ${page.offset}`),
  );

export const countReviews = async (db: Queryable, filter: ReviewFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(
      plannedAnew(sql`
        select count(*) from (
          select 1 from templates t join accounts a on a.id = t.account_id where ${conditions(filter)} limit ${CAP + 1}) capped`),
    )
  ).count;

/** Whose Viber template it is. */
export const accountOf = async (db: Queryable, id: string): Promise<string | null> =>
  (
    await db.maybeOne<{ account_id: string }>(sql`
      select account_id from templates where id = ${id} and channel = 'VIBER' and delete_date is null`)
  )?.account_id ?? null;
