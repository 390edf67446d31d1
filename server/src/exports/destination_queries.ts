import type { ExportDestination, S3Destination, SftpDestination } from '@parley/contract/exports/destinations.ts';
import type { ExportFormat } from '@parley/contract/exports/exports.ts';
import type { ExportList } from '@parley/contract/exports/lists.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { S3Access } from './s3.ts';
import type { SftpAccess } from './sftp.ts';

/** Serializes the creation of destinations in an account, so that the limit holds. */
export const lockDestinations = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7316))`);

/** The columns of each type. They are null in the rows of the other type. */
const PARTS = {
  sftp: ['host', 'port', 'username', 'auth', 'host_key_type', 'host_key_fingerprint'],
  s3: ['endpoint', 'region', 'bucket', 'access_key_id'],
} as const;
const ALL_PARTS = [...PARTS.sftp, ...PARTS.s3];
type Parts = Omit<SftpDestination, keyof S3Destination> & Omit<S3Destination, keyof SftpDestination>;
type WithParts<Row> = Omit<Row, keyof Parts> & { type: 'sftp' | 's3' } & Parts;

/** Leaves out the columns of the other type. */
function withoutNulls<Row>(row: WithParts<Row>): Row {
  const kept: readonly string[] = PARTS[row.type];
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => kept.includes(name) || !ALL_PARTS.some((part) => part === name)),
  ) as Row;
}

export const listDestinations = async (
  db: Queryable,
  account_id: string,
  id: string | null = null,
): Promise<ExportDestination[]> =>
  (
    await db.rows<WithParts<ExportDestination>>(sql`
      select d.id, d.account_id, d.type, d.name, d.host, d.port, d.username, d.auth, d.host_key_type,
             d.host_key_fingerprint, d.endpoint, d.region, d.bucket, d.access_key_id, d.folder, d.file_name, d.status,
             d.error_message, d.failing_since, d.last_file, d.last_upload_date, d.create_date, d.update_date,
             (select count(*)::int from export_uploads u
              where u.account_id = d.account_id and u.destination_id = d.id) as waiting_count
      from export_destinations d
      where d.account_id = ${account_id} and (${id}::uuid is null or d.id = ${id}::uuid)
      order by d.id`)
  ).map((row) => withoutNulls(row));

type Kept = 'id' | 'name' | 'folder' | 'file_name' | 'status';
export type SecretServer = SftpAccess & Pick<SftpDestination, Kept | 'type'>;
export type SecretBucket = S3Access & Pick<S3Destination, Kept | 'type'>;
/** With the sealed password, private key, or secret access key. */
export type SecretDestination = SecretServer | SecretBucket;

export const findSecret = async (db: Queryable, account_id: string, id: string): Promise<SecretDestination | null> => {
  const row = await db.maybeOne<WithParts<SecretDestination>>(sql`
    select id, type, name, host, port, username, auth, secret, host_key_type, host_key_fingerprint, endpoint, region,
           bucket, access_key_id, folder, file_name, status
    from export_destinations where account_id = ${account_id} and id = ${id}`);
  return row && withoutNulls(row);
};

type NewDestination = { account_id: string } & (Omit<SecretServer, 'status'> | Omit<SecretBucket, 'status'>);
const withNulls = (row: NewDestination) => ({
  ...(Object.fromEntries(ALL_PARTS.map((part) => [part, null])) as { [Part in keyof Parts]: Parts[Part] | null }),
  ...row,
});

export function insertDestination(tx: Tx, given: NewDestination) {
  const row = withNulls(given);
  return tx.run(sql`
    insert into export_destinations (account_id, id, type, name, host, port, username, auth, secret, host_key_type,
      host_key_fingerprint, endpoint, region, bucket, access_key_id, folder, file_name, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.type}, ${row.name}, ${row.host}, ${row.port}, ${row.username},
      ${row.auth}, ${row.secret}, ${row.host_key_type}, ${row.host_key_fingerprint}, ${row.endpoint}, ${row.region},
      ${row.bucket}, ${row.access_key_id}, ${row.folder}, ${row.file_name}, ${tx.now}, ${tx.now})`);
}

/** The type never changes. */
export function updateDestination(tx: Tx, given: NewDestination) {
  const row = withNulls(given);
  return tx.run(sql`
    update export_destinations set name = ${row.name}, host = ${row.host}, port = ${row.port},
      username = ${row.username}, auth = ${row.auth}, secret = ${row.secret}, host_key_type = ${row.host_key_type},
      host_key_fingerprint = ${row.host_key_fingerprint}, endpoint = ${row.endpoint}, region = ${row.region},
      bucket = ${row.bucket}, access_key_id = ${row.access_key_id}, folder = ${row.folder},
      file_name = ${row.file_name}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id}`);
}

export const deleteDestination = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    with uploads as (delete from export_uploads where account_id = ${account_id} and destination_id = ${id})
    delete from export_destinations where account_id = ${account_id} and id = ${id}`);

export const isUsed = async (db: Queryable, account_id: string, id: string): Promise<boolean> =>
  (
    await db.one<{ used: boolean }>(sql`
      select exists (select from export_schedules where account_id = ${account_id} and destination_id = ${id}) as used`)
  ).used;

/** Makes the destination active, and its uploads due. */
export const resume = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    with due as (
      update export_uploads set next_date = ${tx.now}, tries = 0
      where account_id = ${account_id} and destination_id = ${id}
        and (next_date is null or tries > 0)
    )
    update export_destinations set status = 'active', error_message = null, failing_since = null
    where account_id = ${account_id} and id = ${id}`);

/** An export that is written again is uploaded again. */
export const insertUpload = (tx: Tx, account_id: string, export_id: string, destination_id: string) =>
  tx.run(sql`
    insert into export_uploads (account_id, export_id, destination_id, next_date, create_date)
    select ${account_id}, ${export_id}, id, case when status <> 'disabled' then ${tx.now}::timestamptz end, ${tx.now}
    from export_destinations where account_id = ${account_id} and id = ${destination_id}
    on conflict (account_id, export_id) do update set tries = 0, next_date = excluded.next_date`);

export const listDueUploads = (db: Queryable, now: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, export_id as id from export_uploads where next_date <= ${now} order by next_date limit 500`);

export interface ClaimedUpload {
  account_id: string;
  export_id: string;
  destination_id: string;
  run_id: string;
  previous_run_id: string | null;
  tries: number;
  list: ExportList;
  format: ExportFormat;
  time_zone: string;
  storage_key: string | null;
  status: string;
  remove_date: string | null;
  create_date: string;
}

/** Gives the upload to this run until the lease ends. Returns null if it is not due, or its export was deleted. */
export const claimUpload = (tx: Tx, account_id: string, export_id: string, run_id: string, lease_end: Date) =>
  tx.maybeOne<ClaimedUpload>(sql`
    with before as (
      select account_id, export_id, run_id from export_uploads
      where account_id = ${account_id} and export_id = ${export_id} and next_date <= ${tx.now} for update skip locked
    )
    update export_uploads u set run_id = ${run_id}, tries = u.tries + 1, next_date = ${lease_end}
    from before b join exports e on e.account_id = b.account_id and e.id = b.export_id
    where u.account_id = b.account_id and u.export_id = b.export_id
    returning u.account_id, u.export_id, u.destination_id, u.run_id, b.run_id as previous_run_id, u.tries, e.list,
              e.format, e.time_zone, e.storage_key, e.status, e.remove_date, e.create_date`);

/** Returns false if another run has taken over. */
export const extendLease = async (tx: Tx, row: ClaimedUpload, lease_end: Date): Promise<boolean> =>
  (await tx.run(sql`
    update export_uploads set next_date = ${lease_end}
    where account_id = ${row.account_id} and export_id = ${row.export_id} and run_id = ${row.run_id}`)) > 0;

export const deleteUpload = async (tx: Tx, row: ClaimedUpload): Promise<boolean> =>
  (await tx.run(sql`
    delete from export_uploads
    where account_id = ${row.account_id} and export_id = ${row.export_id} and run_id = ${row.run_id}`)) > 0;

export const postponeUpload = async (tx: Tx, row: ClaimedUpload, next_date: Date): Promise<boolean> =>
  (await tx.run(sql`
    update export_uploads set next_date = ${next_date}
    where account_id = ${row.account_id} and export_id = ${row.export_id} and run_id = ${row.run_id}`)) > 0;

export const setUploaded = (tx: Tx, { account_id, destination_id }: ClaimedUpload, file: string) =>
  tx.run(sql`
    update export_destinations set status = 'active', error_message = null, failing_since = null, last_file = ${file},
      last_upload_date = ${tx.now}
    where account_id = ${account_id} and id = ${destination_id}`);

/** Returns null if the destination was deleted or is disabled already. */
export const setFailing = (tx: Tx, { account_id, destination_id }: ClaimedUpload, message: string) =>
  tx.maybeOne<{ name: string; failing_since: string }>(sql`
    update export_destinations set status = 'failing', error_message = ${message},
      failing_since = coalesce(failing_since, ${tx.now})
    where account_id = ${account_id} and id = ${destination_id} and status <> 'disabled'
    returning name, failing_since`);

export const disable = (tx: Tx, { account_id, destination_id }: ClaimedUpload) =>
  tx.run(sql`
    with waiting as (
      update export_uploads set next_date = null
      where account_id = ${account_id} and destination_id = ${destination_id}
    )
    update export_destinations set status = 'disabled'
    where account_id = ${account_id} and id = ${destination_id}`);
