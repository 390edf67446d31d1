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

/** `key` is the SQL of the row's key, as it is bound into the value. */
const sealedColumn = (name: string, table: string, column: string, key = 'id'): SealedColumn => ({
  table,
  name,
  outdated: (prefix) => sql`
    select ${raw(key)} as row, ${raw(column)} as value from ${raw(table)}
    where ${raw(column)} like 'sealed.%' and not starts_with(${raw(column)}, ${prefix})`,
  replace: ({ row, value }, sealed) => sql`
    update ${raw(table)} set ${raw(column)} = ${sealed} where ${raw(key)} = ${row} and ${raw(column)} = ${value}`,
});

const CRM_USER = `concat_ws(' ', account_id, provider, id)`;

const COLUMNS: readonly SealedColumn[] = [
  sealedColumn('authenticator', 'logins', 'totp_secret'),
  sealedColumn('new authenticator', 'sessions', 'totp_setup'),
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
  sealedColumn('two-step verification PIN', 'carrier_pins', 'pin', `channel || ' ' || number`),
  sealedColumn('waiting email', 'mails', 'sealed'),
  sealedColumn('waiting message', 'dispatch', 'sealed_text', 'message_id'),
  sealedColumn('waiting message', 'dispatch', 'sealed_content', 'message_id'),
  sealedColumn('waiting fallback', 'fallbacks', 'sealed_steps', 'message_id'),
  sealedColumn('webhook secret', 'webhooks', 'secret'),
  sealedColumn('previous webhook secret', 'webhooks', 'previous_secret'),
  sealedColumn('client key of a webhook', 'webhooks', 'client_key'),
  sealedColumn('password for exports', 'export_destinations', 'secret'),
  sealedColumn('SMPP password', 'smpp_accounts', 'password'),
  sealedColumn('previous SMPP password', 'smpp_accounts', 'previous_password'),
  sealedColumn('key for notifications', 'push_keys', 'private_key', `'vapid'`),
  sealedColumn('device for notifications', 'push_devices', 'subscription'),
  sealedColumn('key of the language model', 'assistance_provider', 'api_key', `'provider'`),
  sealedColumn('CRM access token', 'crm_users', 'access_token', CRM_USER),
  sealedColumn('CRM refresh token', 'crm_users', 'refresh_token', CRM_USER),
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
