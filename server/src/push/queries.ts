import type { PushDevice, PushSettings } from '@parley/contract/push/push.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export type StoredSettings = Omit<PushSettings, 'public_key' | 'quiet_hours'> & {
  quiet_from: string | null;
  quiet_until: string | null;
};

export const readSettings = async (db: Queryable, account_id: string, user_id: string): Promise<StoredSettings> =>
  (await db.maybeOne<StoredSettings>(sql`
    select new_messages, assignments, mentions, quiet_from, quiet_until from push_settings
    where account_id = ${account_id} and user_id = ${user_id}`)) ?? {
    ...{ new_messages: true, assignments: true, mentions: true, quiet_from: null, quiet_until: null },
  };

export const saveSettings = (tx: Tx, account_id: string, user_id: string, settings: StoredSettings) =>
  tx.run(sql`
    insert into push_settings (account_id, user_id, new_messages, assignments, mentions, quiet_from, quiet_until)
    values (${account_id}, ${user_id}, ${settings.new_messages}, ${settings.assignments}, ${settings.mentions},
            ${settings.quiet_from}, ${settings.quiet_until})
    on conflict (account_id, user_id) do update
      set new_messages = excluded.new_messages, assignments = excluded.assignments, mentions = excluded.mentions,
          quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until`);

export const findKeys = (db: Queryable) =>
  db.maybeOne<{ public_key: string; private_key: string }>(sql`select public_key, private_key from push_keys`);

/** Does nothing if there are keys. */
export const insertKeys = (db: Queryable, keys: { public_key: string; private_key: string }) =>
  db.run(sql`
    insert into push_keys (public_key, private_key) values (${keys.public_key}, ${keys.private_key})
    on conflict do nothing`);

interface Owner {
  account_id: string;
  user_id: string;
  session_id: string;
}

export const listDevices = (db: Queryable, { account_id, user_id, session_id }: Owner) =>
  db.rows<PushDevice>(sql`
    select id, name, session_id = ${session_id} as current, create_date from push_devices
    where account_id = ${account_id} and user_id = ${user_id} order by id desc`);

/** Locks the devices of a user until the end of the transaction. */
export const lockUser = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${user_id} push`}, 7305))`);

/** One change of the device of a browser at a time: several users can subscribe in the same browser. */
export const lockEndpoint = (tx: Tx, account_id: string, endpoint_hash: Buffer) =>
  tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`${account_id} ${endpoint_hash.toString('hex')}`}, 7305))`);

export const deleteEndpoint = (tx: Tx, account_id: string, endpoint_hash: Buffer) =>
  tx.run(sql`delete from push_devices where account_id = ${account_id} and endpoint_hash = ${endpoint_hash}`);

export const countDevices = async (tx: Tx, account_id: string, user_id: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*) from push_devices where account_id = ${account_id} and user_id = ${user_id}`)
  ).count;

export const readAgent = async (tx: Tx, session_id: string): Promise<string> =>
  (await tx.maybeOne<{ agent: string }>(sql`select agent from sessions where id = ${session_id}`))?.agent ?? '';

interface NewDevice extends Owner {
  id: string;
  name: string;
  subscription: string;
  endpoint_hash: Buffer;
}

export const insertDevice = (tx: Tx, device: NewDevice) =>
  tx.one<PushDevice>(sql`
    insert into push_devices (account_id, id, user_id, session_id, name, subscription, endpoint_hash, create_date)
    values (${device.account_id}, ${device.id}, ${device.user_id}, ${device.session_id}, ${device.name},
            ${device.subscription}, ${device.endpoint_hash}, ${tx.now})
    returning id, name, true as current, create_date`);

export const deleteDevice = (tx: Queryable, account_id: string, id: string, user_id?: string) =>
  tx.run(sql`
    delete from push_devices
    where account_id = ${account_id} and id = ${id} and (${user_id ?? null}::uuid is null
      or user_id = ${user_id ?? null}::uuid)`);
