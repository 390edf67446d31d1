import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { FieldReason, Registration, RequestKind } from '@parley/contract/registrations/registration.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

interface SenderRequest {
  id: string;
  account_id: string;
  sender_id: string;
  kind: RequestKind;
  status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED' | 'DELETED';
  /** True if the request waits for more information from the customer. */
  info_requested: boolean;
  form: Registration;
  revision: number;
}

/** Finds a request for operators, who can see the requests of all accounts. */
export const findRequest = (db: Queryable, id: string) =>
  db.maybeOne<SenderRequest>(sql`
    select id, account_id, sender_id, kind, status, info_requested, form, revision from sender_requests
    where id = ${id}`);

/**
 * The connections that can enroll the sender. SMS senders have none, because their messages are sent through routes.
 */
export const listConnectionsFor = async (db: Queryable, kind: RequestKind) =>
  isAccessKind(kind)
    ? db.rows<{ id: string; name: string; enabled: boolean }>(sql`
        select id, name, enabled from connections
        where channel = ${ACCESS_FORMS[kind].channel} order by enabled desc, name limit 100`)
    : [];

interface NewRequest {
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
    values (${row.account_id}, ${row.id}, ${row.sender_id}, ${row.kind}, 'IN_PROCESS',
            ${JSON.stringify(row.form)}::jsonb, ${tx.now}, ${row.expected_date})`);

/**
 * Adds a revision to the request awaiting more information, and returns its id. Returns null if no request waits.
 */
export const resubmitRequest = async (tx: Tx, row: Omit<NewRequest, 'id' | 'kind'>): Promise<string | null> =>
  (
    await tx.maybeOne<{ id: string }>(sql`
      update sender_requests
      set info_requested = false, revision = revision + 1, form = ${JSON.stringify(row.form)}::jsonb,
        expected_date = ${row.expected_date}
      where account_id = ${row.account_id} and sender_id = ${row.sender_id} and status = 'IN_PROCESS' and info_requested
      returning id`)
  )?.id ?? null;

interface Verdict {
  status: SenderRequest['status'];
  info_requested: boolean;
  reasons: readonly FieldReason[];
  note: string;
  reviewer_id: string | null;
}
/**
 * Returns 0 and writes nothing if the request was already decided. A rejection keeps the name, code, and countries of
 * the sender, which can change later.
 */
export const decide = (tx: Tx, account_id: string, id: string, verdict: Verdict) =>
  tx.run(sql`
    update sender_requests r set
      status = ${verdict.status}, info_requested = ${verdict.info_requested},
      reasons = ${JSON.stringify(verdict.reasons)}::jsonb, note = ${verdict.note}, reviewer_id = ${verdict.reviewer_id},
      decide_date = ${verdict.info_requested ? null : tx.now}::timestamptz,
      reviewer_name = coalesce((
        select trim(first_name || ' ' || last_name) from users where id = ${verdict.reviewer_id}::uuid), ''),
      (rejected_name, rejected_code, rejected_countries) = (
        select s.name, s.code, s.countries from senders s
        where s.account_id = r.account_id and s.id = r.sender_id and ${verdict.status} = 'CANCELED')
    where account_id = ${account_id} and id = ${id} and status = 'IN_PROCESS'`);
