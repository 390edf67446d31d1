import { ACCESS_CHANNELS } from '@parley/contract/sender_access_form.ts';
import type { FieldReason, Registration, RequestKind } from '@parley/contract/sender_registration.ts';
import type { SenderRequest } from '@parley/contract/sender_requests.ts';
import { and, plannedAnew, type Queryable, type Sql, sql, type Tx } from '../kernel/db.ts';
import { CAP, likePattern, type Page } from '../kernel/list.ts';

const columns: Sql = sql`
  r.id, r.account_id, a.company_name, r.sender_id, s.name, s.code, r.kind, s.countries, r.status, r.asked, r.reasons, r.note,
  r.reviewer_name, r.create_date, r.decide_date, r.expected_date`;
const tables: Sql = sql`
  sender_requests r join senders s on s.account_id = r.account_id and s.id = r.sender_id join accounts a on a.id = r.account_id`;

export interface RequestFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
}
const conditions = ({ search, statuses, kinds }: RequestFilter): Sql =>
  and([
    search && sql`a.company_name || ' ' || s.name || ' ' || s.code ilike ${likePattern(search)}`,
    kinds?.length && sql`r.kind = any(${kinds}::text[])`,
    // Asked ones are in process too, but it is not us they wait for.
    statuses?.length &&
      sql`(case when r.status = 'IN_PROCESS' and r.asked then 'ASKED' else r.status end) = any(${statuses}::text[])`,
  ]);

/** What waits, longest first; then what was decided, newest first. */
export const requestPage = (db: Queryable, filter: RequestFilter, page: Page) =>
  db.rows<SenderRequest>(
    plannedAnew(sql`
      select ${columns} from ${tables} where ${conditions(filter)}
      order by r.status <> 'IN_PROCESS', r.asked, case when r.status = 'IN_PROCESS' then r.create_date end, r.decide_date desc, r.id
      limit ${page.size + 1} offset ${page.offset}`),
  );
export const countRequests = async (db: Queryable, filter: RequestFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(
      plannedAnew(
        sql`select count(*) from (select 1 from ${tables} where ${conditions(filter)} limit ${CAP + 1}) capped`,
      ),
    )
  ).count;

export const request = (db: Queryable, id: string) =>
  db.maybeOne<SenderRequest & { form: Registration; revision: number }>(
    sql`select ${columns}, r.form, r.revision from ${tables} where r.id = ${id}`,
  );
export const earlierRequests = (db: Queryable, account_id: string, id: string) =>
  db.rows<SenderRequest>(sql`
    select ${columns} from ${tables} where r.account_id = ${account_id} and r.id <> ${id} order by r.id desc limit 20`);

/** What could carry it; none where numbers and names go by routes. */
export const connectionsFor = async (db: Queryable, kind: RequestKind) =>
  kind === 'whatsapp' || kind === 'viber'
    ? db.rows<{ id: string; name: string; enabled: boolean }>(sql`
        select id, name, enabled from connections where channel = ${ACCESS_CHANNELS[kind]} order by enabled desc, name limit 100`)
    : [];

export interface NewRequest {
  id: string;
  account_id: string;
  sender_id: string;
  kind: RequestKind;
  form: Registration;
  expected_date: Date;
}
export const insertRequest = (tx: Tx, row: NewRequest) =>
  tx.run(sql`
    insert into sender_requests (account_id, id, sender_id, kind, status, form, create_date, expected_date)
    values (${row.account_id}, ${row.id}, ${row.sender_id}, ${row.kind}, 'IN_PROCESS', ${JSON.stringify(row.form)}::jsonb, ${tx.now}, ${row.expected_date})`);
/** Null: nothing had been asked. */
export const answerRequest = async (tx: Tx, row: Omit<NewRequest, 'id' | 'kind'>): Promise<string | null> =>
  (
    await tx.maybeOne<{ id: string }>(sql`
      update sender_requests set asked = false, revision = revision + 1, form = ${JSON.stringify(row.form)}::jsonb, expected_date = ${row.expected_date}
      where account_id = ${row.account_id} and sender_id = ${row.sender_id} and status = 'IN_PROCESS' and asked returning id`)
  )?.id ?? null;

export interface Verdict {
  status: SenderRequest['status'];
  asked: boolean;
  reasons: readonly FieldReason[];
  note: string;
  reviewer_id: string | null;
}
/** Whoever comes second finds it decided, and nothing is written. */
export const decide = (tx: Tx, account_id: string, id: string, verdict: Verdict) =>
  tx.run(sql`
    update sender_requests set status = ${verdict.status}, asked = ${verdict.asked}, reasons = ${JSON.stringify(verdict.reasons)}::jsonb,
      note = ${verdict.note}, reviewer_id = ${verdict.reviewer_id}, decide_date = ${verdict.asked ? null : tx.now}::timestamptz,
      reviewer_name = coalesce((select trim(first_name || ' ' || last_name) from users where id = ${verdict.reviewer_id}::uuid), '')
    where account_id = ${account_id} and id = ${id} and status = 'IN_PROCESS'`);
