import { type Queryable, sql } from '../../kernel/db/db.ts';

/** Returns the account's country, which is the default for numbers without a country code. */
export const readAccountCountry = async (db: Queryable, account_id: string): Promise<string> =>
  (await db.one<{ country_code: string }>(sql`select country_code from accounts where id = ${account_id}`))
    .country_code;

/** Returns how many rows a file of the account can have. */
export const importRowLimit = async (db: Queryable, account_id: string): Promise<number> =>
  (await db.one<{ import_rows: number }>(sql`select import_rows from accounts where id = ${account_id}`)).import_rows;
