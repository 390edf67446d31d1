import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Dimensions } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface MediaRow {
  account_id: string;
  id: string;
  status: 'waiting' | 'ready';
  type: MediaType;
  channel: ChannelName | null;
  file_name: string;
  directory: string;
  content_type: string;
  declared_width: number | null;
  declared_height: number | null;
  lease: string | null;
  bytes: number | null;
  sha256: string | null;
  width: number | null;
  height: number | null;
  has_thumbnail: boolean;
  create_date: string;
}

const COLUMNS = sql`
  account_id, id, status, type, channel, file_name, directory, content_type, declared_width, declared_height, lease,
  bytes,
  sha256, width, height, has_thumbnail, create_date`;

export const insertSlot = (
  db: Queryable,
  row: Pick<MediaRow, 'account_id' | 'id' | 'type' | 'channel' | 'file_name' | 'directory' | 'content_type'> & {
    user_id: string | null;
    dimensions: Dimensions | null;
    now: Date;
  },
) =>
  db.one<MediaRow>(sql`
    insert into media (account_id, id, user_id, type, channel, file_name, directory, content_type, declared_width,
      declared_height, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.user_id}, ${row.type}, ${row.channel}, ${row.file_name},
      ${row.directory}, ${row.content_type}, ${row.dimensions?.width ?? null}, ${row.dimensions?.height ?? null},
      ${row.now}, ${row.now})
    returning ${COLUMNS}`);

export const findMedia = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<MediaRow>(sql`
    select ${COLUMNS} from media where account_id = ${account_id} and id = ${id} and status <> 'removed'`);

/** True if the company is approved. */
export const isVerified = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select from accounts where id = ${account_id} and status = 'VERIFIED'`)) !== null;

/** Selects the ready files among these, for several accounts at once. */
export const listReadyMedia = (db: Queryable, files: readonly { account_id: string; id: string }[]) =>
  db.rows<MediaRow>(sql`
    select ${COLUMNS} from media
    where (account_id, id) in (
      select * from unnest(${files.map(({ account_id }) => account_id)}::uuid[], ${files.map(({ id }) => id)}::uuid[]))
      and status = 'ready'`);

export const countWaitingSlots = async (db: Queryable, account_id: string, since: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from media
      where account_id = ${account_id} and status = 'waiting' and update_date > ${since}`)
  ).count;

export const lockStorage = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('storage ' || ${account_id}::text, 0))`);

/**
 * The stored bytes of media, imports, and documents of registrations, plus the maximum that the open slots can add: 24
 * MB for an image, 200 MB for any other type.
 */
export const countBytes = (db: Queryable, account_id: string) =>
  db.one<{ stored: number; reserved: number }>(sql`
    select coalesce(sum(bytes) filter (where status = 'ready'), 0)::float8
             + (select coalesce(sum(file_bytes + refused_bytes), 0)::float8 from audience_imports
                where account_id = ${account_id} and (file_bytes > 0 or refused_bytes > 0))
             + (select coalesce(sum(bytes), 0)::float8 from sender_attachments
                where account_id = ${account_id}) as stored,
           coalesce(sum(case type when 'image' then 24 else 200 end) filter (where status = 'waiting'), 0)::float8
             * 1048576 as reserved
    from media where account_id = ${account_id} and status <> 'removed'`);

/** Gives the slot to a new upload and returns the previous lease. Returns null if the slot is complete or removed. */
export const takeLease = (db: Queryable, account_id: string, id: string, lease: string, now: Date) =>
  db.maybeOne<{ lease: string | null }>(sql`
    update media m set lease = ${lease}, update_date = ${now}
    from (select account_id, id, lease from media where account_id = ${account_id} and id = ${id} for update) old
    where m.account_id = old.account_id and m.id = old.id and m.status = 'waiting'
    returning old.lease`);

/** Returns null if a newer upload took over or the slot was removed. */
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
    update media set status = 'ready', type = ${row.type}, content_type = ${row.content_type}, bytes = ${row.bytes},
      sha256 = ${row.sha256}, width = ${row.width}, height = ${row.height}, has_thumbnail = ${row.has_thumbnail},
      idle_since = ${row.now}, update_date = ${row.now}
    where account_id = ${row.account_id} and id = ${row.id} and status = 'waiting' and lease = ${row.lease}
    returning ${COLUMNS}`);

export interface Removed {
  file_name: string;
  type: string;
  /** False if the slot had no file. */
  was_ready: boolean;
}

/** Removes only unused files. The row is deleted after its objects. */
export const setRemoved = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.maybeOne<Removed>(sql`
    update media m set status = 'removed', update_date = ${now}
    from (select account_id, id, status from media where account_id = ${account_id} and id = ${id} for update) old
    where m.account_id = old.account_id and m.id = old.id
      and (m.status = 'waiting' or (m.status = 'ready' and m.idle_since is not null))
    returning m.file_name, m.type, old.status = 'ready' as was_ready`);

export const renew = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.maybeOne<MediaRow>(sql`
    update media set update_date = ${now} where account_id = ${account_id} and id = ${id} and status = 'waiting'
    returning ${COLUMNS}`);

/** Locks the row, so that a file cannot be used and removed at the same time: only an idle file can be removed. */
export const markUsed = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<MediaRow>(sql`
    update media set idle_since = null where account_id = ${account_id} and id = ${id} and status = 'ready'
    returning ${COLUMNS}`);

export const insertUse = (db: Queryable, account_id: string, media_id: string, used_by: string) =>
  db.run(sql`
    insert into media_uses (account_id, media_id, used_by) values (${account_id}, ${media_id}, ${used_by})
    on conflict do nothing`);

export const listMediaUsedBy = (db: Queryable, account_id: string, used_by: string) =>
  db.rows<{ media_id: string }>(sql`
    select m.id as media_id from media m
    where m.account_id = ${account_id}
      and m.id in (select media_id from media_uses where account_id = ${account_id} and used_by = ${used_by})
    order by m.id for update of m`);

export const deleteUse = (db: Queryable, account_id: string, used_by: string) =>
  db.run(sql`delete from media_uses where account_id = ${account_id} and used_by = ${used_by}`);

/** Starts the 30-day period for these files unless something else uses them. */
export const markIdle = (db: Queryable, account_id: string, ids: readonly string[], now: Date) =>
  db.run(sql`
    update media m set idle_since = ${now}
    where m.account_id = ${account_id} and m.id = any(${ids}::uuid[]) and m.idle_since is null
      and not exists (select 1 from media_uses u where u.account_id = m.account_id and u.media_id = m.id)`);

/** Selects slots without a file, and unused files, that are old enough. */
export const listUnusedMedia = (db: Queryable, slots_before: Date, idle_before: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from media where status = 'waiting' and update_date < ${slots_before}
    union all
    select account_id, id from media where status = 'ready' and idle_since < ${idle_before}
    limit 500`);

export const removeErasedAccountMedia = (db: Queryable) =>
  db.run(sql`
    with erased as (
      select m.account_id, m.id from media m join accounts a on a.id = m.account_id
      where a.erase_date is not null and m.status <> 'removed' limit 500
    ), uses as (
      delete from media_uses u using erased e where u.account_id = e.account_id and u.media_id = e.id
    )
    update media m set status = 'removed', update_date = now()
    from erased e where m.account_id = e.account_id and m.id = e.id`);

export const listRemovedMedia = (db: Queryable) =>
  db.rows<Pick<MediaRow, 'account_id' | 'id' | 'lease'>>(sql`
    select account_id, id, lease from media where status = 'removed' order by update_date limit 500`);

export const deleteRow = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`delete from media where account_id = ${account_id} and id = ${id} and status = 'removed'`);
