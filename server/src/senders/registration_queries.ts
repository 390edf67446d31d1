import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import type { FieldReason, Registration, SectionName } from '@parley/contract/registrations/registration.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { idAt } from '../kernel/clock.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { TimelineKind } from './announce.ts';

export interface SenderState {
  id: string;
  name: string;
  code: string;
  channel: Sender['channel'];
  type: Sender['type'];
  status: Sender['status'];
  countries: string[];
  brand: string;
  business_name: string;
  connection_id: string | null;
  carrier_address: string | null;
  company_name: string;
  wish: { kind: 'random' | 'chosen'; codes: string[] } | null;
  /** Its request waits for the customer's answer. */
  asked: boolean;
}

const state: Sql = sql`
  select s.id, s.name, s.code, s.channel, s.type, s.status, s.countries, s.brand, s.business_name, s.connection_id,
         s.carrier_address, a.company_name, s.wish,
         exists (select from sender_requests r where r.account_id = s.account_id and r.sender_id = s.id and r.status = 'IN_PROCESS' and r.asked) as asked
  from senders s join accounts a on a.id = s.account_id`;

/** What is gone is not found, and nothing becomes of it any more. */
export const lockSender = async (tx: Tx, account_id: string, id: string): Promise<SenderState | null> => {
  await tx.run(sql`select 1 from senders where account_id = ${account_id} and id = ${id} for update`);
  return tx.maybeOne<SenderState>(
    sql`${state} where s.account_id = ${account_id} and s.id = ${id} and s.delete_date is null`,
  );
};
export const senderState = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<SenderState & { deleted: boolean }>(sql`
    select *, (select delete_date is not null from senders where account_id = ${account_id} and id = ${id}) as deleted
    from (${state} where s.account_id = ${account_id} and s.id = ${id}) found`);

/** Before it was sent, after it was sent back, and while the team has asked something. */
export const isEditable = ({ status, asked }: Pick<SenderState, 'status' | 'asked'>): boolean =>
  status === 'unregistered' || status === 'rejected' || (status === 'pending' && asked);

const EMPTY: Registration = {
  company: null,
  sms_campaign: null,
  signup_options: null,
  example_messages: null,
  compliance_keyword_responses: null,
  toll_free: null,
  tcr: null,
  whatsapp: null,
  viber: null,
};

export const registrationOf = async (db: Queryable, account_id: string, sender_id: string): Promise<Registration> =>
  (await db.maybeOne<Registration>(sql`
    select company, sms_campaign, signup_options, example_messages, compliance_keyword_responses, toll_free, tcr, whatsapp, viber
    from sender_registrations where account_id = ${account_id} and sender_id = ${sender_id}`)) ?? EMPTY;

/** `name` is one of our own list. */
export const saveSection = (tx: Tx, account_id: string, sender_id: string, name: SectionName, value: object) =>
  tx.run(sql`
    insert into sender_registrations (account_id, sender_id, ${raw(name)}, update_date)
    values (${account_id}, ${sender_id}, ${JSON.stringify(value)}::jsonb, ${tx.now})
    on conflict (account_id, sender_id) do update set ${raw(name)} = excluded.${raw(name)}, update_date = excluded.update_date`);

/** Part by part: what is not given stays. */
export const saveAccess = (tx: Tx, account_id: string, sender_id: string, kind: AccessKind, part: object) =>
  tx.run(sql`
    insert into sender_registrations as r (account_id, sender_id, ${raw(kind)}, update_date)
    values (${account_id}, ${sender_id}, ${JSON.stringify(part)}::jsonb, ${tx.now})
    on conflict (account_id, sender_id) do update
      set ${raw(kind)} = coalesce(r.${raw(kind)}, '{}') || excluded.${raw(kind)}, update_date = excluded.update_date`);

export const saveKeywords = (
  tx: Tx,
  account_id: string,
  sender_id: string,
  texts: { start_text: string; stop_text: string; help_text: string },
) =>
  tx.run(sql`
    update senders set start_text = ${texts.start_text}, stop_text = ${texts.stop_text}, help_text = ${texts.help_text}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${sender_id}`);

export interface AttachmentRow {
  id: string;
  kind: string;
  file_name: string;
  content_type: string;
  bytes: number;
  storage_key: string;
  create_date: string;
}
export const attachmentsOf = (db: Queryable, account_id: string, sender_id: string) =>
  db.rows<AttachmentRow>(sql`
    select id, kind, file_name, content_type, bytes, storage_key, create_date from sender_attachments
    where account_id = ${account_id} and sender_id = ${sender_id} order by id`);
export const insertAttachment = (
  tx: Tx,
  account_id: string,
  sender_id: string,
  file: Omit<AttachmentRow, 'create_date'>,
) =>
  tx.one<AttachmentRow>(sql`
    insert into sender_attachments (account_id, id, sender_id, kind, file_name, content_type, bytes, storage_key, create_date)
    values (${account_id}, ${file.id}, ${sender_id}, ${file.kind}, ${file.file_name}, ${file.content_type}, ${file.bytes}, ${file.storage_key}, ${tx.now})
    returning id, kind, file_name, content_type, bytes, storage_key, create_date`);
export const deleteAttachment = (tx: Tx, account_id: string, sender_id: string, id: string) =>
  tx.maybeOne<Pick<AttachmentRow, 'kind' | 'file_name' | 'storage_key'>>(sql`
    delete from sender_attachments where account_id = ${account_id} and sender_id = ${sender_id} and id = ${id}
    returning kind, file_name, storage_key`);

/** Of a long one the newest, in the order in which they happened. */
export const timelineOf = (db: Queryable, account_id: string, sender_id: string) =>
  db.rows<{ id: string; kind: TimelineKind; text: string; create_date: string }>(sql`
    select * from (
      select id, kind, text, create_date from sender_timeline
      where account_id = ${account_id} and sender_id = ${sender_id} order by id desc limit 200) newest
    order by id`);

/** Of the newest request: what was said about it, and until when an answer is expected. */
export const latestRequest = (db: Queryable, account_id: string, sender_id: string) =>
  db.maybeOne<{ status: string; asked: boolean; reasons: FieldReason[]; note: string; expected_date: string }>(sql`
    select status, asked, reasons, note, expected_date from sender_requests
    where account_id = ${account_id} and sender_id = ${sender_id} order by id desc limit 1`);

/** What stops when the sender goes. */
export const campaignsOf = (db: Queryable, account_id: string, sender_id: string) =>
  db.rows<{ id: string; name: string; status: string }>(sql`
    select id, name, status from campaigns
    where account_id = ${account_id} and sender_id = ${sender_id}
      and status not in ('completed', 'canceled', 'failed', 'error') order by id desc limit 20`);
/** An account may send millions: only so many of its newest are looked at, by the primary key. */
const LOOKED_AT = 20_000;
export const messagesOf = (db: Queryable, account_id: string, sender_id: string, since: Date, most = LOOKED_AT) =>
  db.one<{ count: number; more: boolean }>(sql`
    select count(*) filter (where sender_id = ${sender_id} and direction = 'MT')::int as count, count(*) >= ${most} as more
    from (
      select sender_id, direction from messages where account_id = ${account_id} and id >= ${idAt(since.getTime())}
      order by id desc limit ${most}) newest`);
