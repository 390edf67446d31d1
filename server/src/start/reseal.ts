/** Seals stored secrets again after SECRET_KEY was replaced. Codes in the job queue are not included: they expire. */
import { type Db, raw, type Sql, sql } from '../kernel/db/db.ts';
import { isSealed, type Seals } from '../kernel/security/seal.ts';

interface SealedValue {
  /** The key of the row, as it is bound into the value. */
  row: string;
  value: string;
}

/** A column with sealed values. */
interface SealedColumn {
  readonly table: string;
  /** The name of the column in messages to the operator. */
  readonly name: string;
  /** Selects the values that do not begin with the prefix of the current key. */
  readonly outdated: (prefix: string) => Sql;
  /** Replaces a value, unless it has changed since it was read. */
  readonly replace: (stored: SealedValue, value: string) => Sql;
}

const COLUMNS: readonly SealedColumn[] = [
  {
    table: 'logins',
    name: 'authenticator',
    outdated: (prefix) => sql`
      select id as row, totp_secret as value from logins
      where totp_secret like 'sealed.%' and not starts_with(totp_secret, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update logins set totp_secret = ${sealed} where id = ${row} and totp_secret = ${value}`,
  },
  {
    table: 'sessions',
    name: 'new authenticator',
    outdated: (prefix) => sql`
      select id as row, totp_setup as value from sessions
      where totp_setup like 'sealed.%' and not starts_with(totp_setup, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update sessions set totp_setup = ${sealed} where id = ${row} and totp_setup = ${value}`,
  },
  {
    table: 'connections',
    name: 'carrier password',
    outdated: (prefix) => sql`
      select c.id as row, s.value from connections c, jsonb_each_text(c.settings) s
      where s.value like 'sealed.%' and not starts_with(s.value, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update connections set settings = (
        select jsonb_object_agg(key, case when v = to_jsonb(${value}::text) then to_jsonb(${sealed}::text) else v end)
        from jsonb_each(settings) as e (key, v))
      where id = ${row} and exists (select from jsonb_each_text(settings) s where s.value = ${value})`,
  },
  {
    table: 'carrier_pins',
    name: 'two-step verification PIN',
    outdated: (prefix) => sql`
      select channel || ' ' || number as row, pin as value from carrier_pins
      where pin like 'sealed.%' and not starts_with(pin, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update carrier_pins set pin = ${sealed} where channel || ' ' || number = ${row} and pin = ${value}`,
  },
  {
    table: 'mails',
    name: 'waiting email',
    outdated: (prefix) => sql`
      select id as row, sealed as value from mails
      where sealed like 'sealed.%' and not starts_with(sealed, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update mails set sealed = ${sealed} where id = ${row} and sealed = ${value}`,
  },
  {
    table: 'dispatch',
    name: 'waiting message',
    outdated: (prefix) => sql`
      select message_id as row, sealed_text as value from dispatch
      where sealed_text like 'sealed.%' and not starts_with(sealed_text, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update dispatch set sealed_text = ${sealed} where message_id = ${row} and sealed_text = ${value}`,
  },
  {
    table: 'dispatch',
    name: 'waiting message',
    outdated: (prefix) => sql`
      select message_id as row, sealed_content as value from dispatch
      where sealed_content like 'sealed.%' and not starts_with(sealed_content, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update dispatch set sealed_content = ${sealed} where message_id = ${row} and sealed_content = ${value}`,
  },
  {
    table: 'fallbacks',
    name: 'waiting fallback',
    outdated: (prefix) => sql`
      select message_id as row, sealed_steps as value from fallbacks
      where sealed_steps like 'sealed.%' and not starts_with(sealed_steps, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update fallbacks set sealed_steps = ${sealed} where message_id = ${row} and sealed_steps = ${value}`,
  },
  {
    table: 'webhooks',
    name: 'webhook secret',
    outdated: (prefix) => sql`
      select id as row, secret as value from webhooks
      where secret like 'sealed.%' and not starts_with(secret, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update webhooks set secret = ${sealed} where id = ${row} and secret = ${value}`,
  },
  {
    table: 'webhooks',
    name: 'previous webhook secret',
    outdated: (prefix) => sql`
      select id as row, previous_secret as value from webhooks
      where previous_secret like 'sealed.%' and not starts_with(previous_secret, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update webhooks set previous_secret = ${sealed} where id = ${row} and previous_secret = ${value}`,
  },
  {
    table: 'smpp_accounts',
    name: 'SMPP password',
    outdated: (prefix) => sql`
      select id as row, password as value from smpp_accounts
      where password like 'sealed.%' and not starts_with(password, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update smpp_accounts set password = ${sealed} where id = ${row} and password = ${value}`,
  },
  {
    table: 'smpp_accounts',
    name: 'previous SMPP password',
    outdated: (prefix) => sql`
      select id as row, previous_password as value from smpp_accounts
      where previous_password like 'sealed.%' and not starts_with(previous_password, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update smpp_accounts set previous_password = ${sealed} where id = ${row} and previous_password = ${value}`,
  },
  {
    table: 'push_keys',
    name: 'key for notifications',
    outdated: (prefix) => sql`
      select 'vapid' as row, private_key as value from push_keys
      where private_key like 'sealed.%' and not starts_with(private_key, ${prefix})`,
    replace: ({ value }, sealed) => sql`
      update push_keys set private_key = ${sealed} where private_key = ${value}`,
  },
  {
    table: 'push_devices',
    name: 'device for notifications',
    outdated: (prefix) => sql`
      select id as row, subscription as value from push_devices
      where subscription like 'sealed.%' and not starts_with(subscription, ${prefix})`,
    replace: ({ row, value }, sealed) => sql`
      update push_devices set subscription = ${sealed} where id = ${row} and subscription = ${value}`,
  },
  ...(['access_token', 'refresh_token'] as const).map(
    (column): SealedColumn => ({
      table: 'crm_users',
      name: `CRM ${column.replace('_', ' ')}`,
      outdated: (prefix) => sql`
        select concat_ws(' ', account_id, provider, id) as row, ${raw(column)} as value from crm_users
        where ${raw(column)} like 'sealed.%' and not starts_with(${raw(column)}, ${prefix})`,
      replace: ({ row, value }, sealed) => sql`
        update crm_users set ${raw(column)} = ${sealed}
        where concat_ws(' ', account_id, provider, id) = ${row} and ${raw(column)} = ${value}`,
    }),
  ),
];

export const RESEALED_TABLES = [...new Set(COLUMNS.map(({ table }) => table))];

interface Resealed {
  resealed: number;
  /** Values that cannot be opened with any known key. */
  unknown: { place: string; error: string }[];
}

/** Returns the new value, or the error if no known key opens the old one. */
function resealValue(seals: Seals, table: string, { row, value }: SealedValue): string | Error {
  try {
    const place = { table, row };
    return isSealed(value) ? seals.seal(seals.open(value, place), place) : value;
  } catch (error) {
    return error as Error;
  }
}

export async function resealAll(db: Db): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unknown: [] };
  for (const { table, name, outdated, replace } of COLUMNS) {
    for (const stored of await db.rows<SealedValue>(outdated(db.seals.prefix))) {
      const value = resealValue(db.seals, table, stored);
      if (value instanceof Error) result.unknown.push({ place: `${name} ${stored.row}`, error: value.message });
      else result.resealed += await db.run(replace(stored, value));
    }
  }
  return result;
}
