import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import {
  EMPTY_REGISTRATION,
  type FieldReason,
  type Registration,
  type SectionName,
} from '@parley/contract/registrations/registration.ts';
import { ID_MARGIN_MS, idAt } from '../kernel/clock.ts';
import { type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';
import type { TimelineKind } from '../senders/senders.ts';

/** Each section has a column with the same name. */
const COLUMNS = raw(Object.keys(EMPTY_REGISTRATION).join(', '));

export const readRegistration = async (db: Queryable, account_id: string, sender_id: string): Promise<Registration> =>
  (await db.maybeOne<Registration>(sql`
    select ${COLUMNS} from sender_registrations where account_id = ${account_id} and sender_id = ${sender_id}`)) ??
  EMPTY_REGISTRATION;

/** `name` is a column name from our own list, so it is safe as raw SQL. */
export const saveSection = (tx: Tx, account_id: string, sender_id: string, name: SectionName, value: object) =>
  tx.run(sql`
    insert into sender_registrations (account_id, sender_id, ${raw(name)}, update_date)
    values (${account_id}, ${sender_id}, ${JSON.stringify(value)}::jsonb, ${tx.now})
    on conflict (account_id, sender_id) do update
      set ${raw(name)} = excluded.${raw(name)}, update_date = excluded.update_date`);

/** Merges the given fields into the form. Omitted fields keep their values. */
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
    update senders
    set start_text = ${texts.start_text}, stop_text = ${texts.stop_text}, help_text = ${texts.help_text},
      update_date = ${tx.now}
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

export const listAttachments = (db: Queryable, account_id: string, sender_id: string) =>
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
    insert into sender_attachments (account_id, id, sender_id, kind, file_name, content_type, bytes, storage_key,
      create_date)
    values (${account_id}, ${file.id}, ${sender_id}, ${file.kind}, ${file.file_name}, ${file.content_type},
            ${file.bytes}, ${file.storage_key}, ${tx.now})
    returning id, kind, file_name, content_type, bytes, storage_key, create_date`);

export const deleteAttachment = (tx: Tx, account_id: string, sender_id: string, id: string) =>
  tx.maybeOne<Pick<AttachmentRow, 'kind' | 'file_name' | 'storage_key'>>(sql`
    delete from sender_attachments where account_id = ${account_id} and sender_id = ${sender_id} and id = ${id}
    returning kind, file_name, storage_key`);

/** The newest 200 entries, oldest first. */
export const readTimeline = (db: Queryable, account_id: string, sender_id: string) =>
  db.rows<{ id: string; kind: TimelineKind; text: string; create_date: string }>(sql`
    select * from (
      select id, kind, text, create_date from sender_timeline
      where account_id = ${account_id} and sender_id = ${sender_id} order by id desc limit 200) newest
    order by id`);

interface LatestRequest {
  status: string;
  info_requested: boolean;
  reasons: FieldReason[];
  note: string;
  expected_date: string;
}

/** The review of the newest request: its status, reasons, and expected date. */
export const findLatestRequest = (db: Queryable, account_id: string, sender_id: string) =>
  db.maybeOne<LatestRequest>(sql`
    select status, info_requested, reasons, note, expected_date from sender_requests
    where account_id = ${account_id} and sender_id = ${sender_id} order by id desc limit 1`);

/** The unfinished campaigns, which stop if the sender is removed. */
export const openCampaigns = (db: Queryable, account_id: string, sender_id: string) =>
  db.rows<{ id: string; name: string; status: CampaignStatus }>(sql`
    select id, name, status from campaigns
    where account_id = ${account_id} and sender_id = ${sender_id}
      and status not in ('completed', 'canceled', 'failed', 'error') order by id desc limit 20`);

/** The midnight in the account's time zone that begins the last `days` days. The message log filters by whole days. */
export const readPeriodStart = async (db: Queryable, account_id: string, now: Date, days: number): Promise<Date> => {
  const { at } = await db.one<{ at: number }>(sql`
    select extract(epoch from ((${now}::timestamptz at time zone timezone)::date - ${days - 1}::int)::timestamp
      at time zone timezone)::float8 as at
    from accounts where id = ${account_id}`);
  return new Date(at * 1_000);
};

/** An account can have millions of messages. Only the newest messages are read, through the primary key. */
const MAX_READ = 20_000;
export const countMessages = (db: Queryable, account_id: string, sender_id: string, since: Date, limit = MAX_READ) =>
  db.one<{ count: number; more: boolean }>(sql`
    select count(*) filter (where sender_id = ${sender_id} and direction = 'MT')::int as count,
           count(*) >= ${limit} as more
    from (
      select sender_id, direction from messages
      where account_id = ${account_id} and id >= ${idAt(since.getTime() - ID_MARGIN_MS)} and create_date >= ${since}
      order by id desc limit ${limit}) newest`);
