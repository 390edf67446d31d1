import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Dimensions, MediaType } from '@parley/contract/media/rules.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';

export interface MediaRow {
  account_id: string;
  id: string;
  status: 'waiting' | 'ready';
  type: MediaType;
  channel: ChannelName | null;
  file_name: string;
  directory: string;
  content_type: string;
  wanted_width: number | null;
  wanted_height: number | null;
  lease: string | null;
  bytes: number | null;
  sha256: string | null;
  width: number | null;
  height: number | null;
  has_thumbnail: boolean;
  create_date: string;
}

const COLUMNS = sql`
  account_id, id, status, type, channel, file_name, directory, content_type, wanted_width, wanted_height, lease, bytes, sha256, width, height,
  has_thumbnail, create_date`;

export const insertSlot = (
  db: Queryable,
  row: Pick<MediaRow, 'account_id' | 'id' | 'type' | 'channel' | 'file_name' | 'directory' | 'content_type'> & {
    user_id: string | null;
    wanted: Dimensions | null;
    now: Date;
  },
) =>
  db.one<MediaRow>(sql`
    insert into media (account_id, id, user_id, type, channel, file_name, directory, content_type, wanted_width, wanted_height,
      create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.user_id}, ${row.type}, ${row.channel}, ${row.file_name}, ${row.directory}, ${row.content_type},
      ${row.wanted?.width ?? null}, ${row.wanted?.height ?? null}, ${row.now}, ${row.now})
    returning ${COLUMNS}`);

export const mediaById = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<MediaRow>(sql`
    select ${COLUMNS} from media where account_id = ${account_id} and id = ${id} and status <> 'removed'`);

/** Of many accounts at once; what is not ready is left out. */
export const readyMedia = (db: Queryable, wanted: readonly { account_id: string; id: string }[]) =>
  db.rows<MediaRow>(sql`
    select ${COLUMNS} from media
    where (account_id, id) in (
      select * from unnest(${wanted.map(({ account_id }) => account_id)}::uuid[], ${wanted.map(({ id }) => id)}::uuid[]))
      and status = 'ready'`);

export const waitingSlots = async (db: Queryable, account_id: string, since: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from media where account_id = ${account_id} and status = 'waiting' and update_date > ${since}`)
  ).count;

/** What an account keeps, and what could still come to the slots it has open (the largest of its type: 24 MB of an image, 200 MB of the others). */
export const bytesOf = (db: Queryable, account_id: string) =>
  db.one<{ kept: number; coming: number }>(sql`
    select coalesce(sum(bytes) filter (where status = 'ready'), 0)::float8 as kept,
           coalesce(sum(case type when 'image' then 24 else 200 end) filter (where status = 'waiting'), 0)::float8 * 1048576 as coming
    from media where account_id = ${account_id} and status <> 'removed'`);

/** Whoever uploads from now on; an upload that is still under way elsewhere has lost. Null: it waits for nothing any more. */
export const takeLease = (db: Queryable, account_id: string, id: string, lease: string, now: Date) =>
  db.maybeOne<{ before: string | null }>(sql`
    update media m set lease = ${lease}, update_date = ${now}
    from (select account_id, id, lease from media where account_id = ${account_id} and id = ${id} for update) old
    where m.account_id = old.account_id and m.id = old.id and m.status = 'waiting'
    returning old.lease as before`);

/** Null when another upload has taken over, or the slot is gone. */
export const finish = (
  db: Queryable,
  row: Pick<
    MediaRow,
    'account_id' | 'id' | 'lease' | 'type' | 'content_type' | 'bytes' | 'sha256' | 'width' | 'height'
  > & {
    has_thumbnail: boolean;
    now: Date;
  },
) =>
  db.maybeOne<MediaRow>(sql`
    update media set status = 'ready', type = ${row.type}, content_type = ${row.content_type}, bytes = ${row.bytes}, sha256 = ${row.sha256}, width = ${row.width},
      height = ${row.height}, has_thumbnail = ${row.has_thumbnail}, idle_since = ${row.now}, update_date = ${row.now}
    where account_id = ${row.account_id} and id = ${row.id} and status = 'waiting' and lease = ${row.lease}
    returning ${COLUMNS}`);

export interface Removed {
  file_name: string;
  type: string;
  /** Else it was a slot that nothing had come to. */
  was_ready: boolean;
}

/** Only what nothing uses; the row goes when its files have gone. */
export const setRemoved = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.maybeOne<Removed>(sql`
    update media m set status = 'removed', update_date = ${now}
    from (select account_id, id, status from media where account_id = ${account_id} and id = ${id} for update) old
    where m.account_id = old.account_id and m.id = old.id and (m.status = 'waiting' or (m.status = 'ready' and m.idle_since is not null))
    returning m.file_name, m.type, old.status = 'ready' as was_ready`);

export const renew = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.maybeOne<MediaRow>(sql`
    update media set update_date = ${now} where account_id = ${account_id} and id = ${id} and status = 'waiting' returning ${COLUMNS}`);

// The row is the lock between a use and a removal: the one looks for "ready", the other for "idle".
export const markUsed = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<MediaRow>(sql`
    update media set idle_since = null where account_id = ${account_id} and id = ${id} and status = 'ready' returning ${COLUMNS}`);
export const insertUse = (db: Queryable, account_id: string, media_id: string, used_by: string) =>
  db.run(sql`
    insert into media_uses (account_id, media_id, used_by) values (${account_id}, ${media_id}, ${used_by}) on conflict do nothing`);
export const usedBy = (db: Queryable, account_id: string, used_by: string) =>
  db.rows<{ media_id: string }>(sql`
    select m.id as media_id from media m
    where m.account_id = ${account_id} and m.id in (select media_id from media_uses where account_id = ${account_id} and used_by = ${used_by})
    order by m.id for update of m`);
export const deleteUse = (db: Queryable, account_id: string, used_by: string) =>
  db.run(sql`delete from media_uses where account_id = ${account_id} and used_by = ${used_by}`);
export const markIdle = (db: Queryable, account_id: string, ids: readonly string[], now: Date) =>
  db.run(sql`
    update media m set idle_since = ${now}
    where m.account_id = ${account_id} and m.id = any(${ids}::uuid[]) and m.idle_since is null
      and not exists (select 1 from media_uses u where u.account_id = m.account_id and u.media_id = m.id)`);

export interface Gone {
  account_id: string;
  id: string;
  lease: string | null;
}
/** Slots nobody used, files nobody uses, and files of accounts that were erased. */
export const unwanted = (db: Queryable, slots_before: Date, idle_before: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from media where status = 'waiting' and update_date < ${slots_before}
    union all
    select account_id, id from media where status = 'ready' and idle_since < ${idle_before}
    limit 500`);
export const ofErased = (db: Queryable) =>
  db.run(sql`
    with gone as (
      select m.account_id, m.id from media m join accounts a on a.id = m.account_id
      where a.erase_date is not null and m.status <> 'removed' limit 500
    ), uses as (
      delete from media_uses u using gone g where u.account_id = g.account_id and u.media_id = g.id
    )
    update media m set status = 'removed', update_date = now() from gone g where m.account_id = g.account_id and m.id = g.id`);
export const removedRows = (db: Queryable) =>
  db.rows<Gone>(sql`
    select account_id, id, lease from media where status = 'removed' order by update_date limit 500`);
export const deleteRow = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`delete from media where account_id = ${account_id} and id = ${id} and status = 'removed'`);
