/** The rules that sub-accounts inherit from their company, and the company's overrides for one of them. */

import { allowedCountriesChanged } from '@parley/contract/guard/allowed_countries.ts';
import { countryBlacklistChanged } from '@parley/contract/guard/country_blacklist.ts';
import { limitsChanged } from '@parley/contract/guard/limits.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';

/** Cancels the waiting messages to blocked countries. The messages module runs it. */
export const cancelBlockedMessages = job<{ account_id: string }>('guard.cancel_blocked_messages', {
  key: ({ account_id }) => account_id,
});

/** Announces a change of a limit to all sub-accounts, or of the country lists if there is no `limit_id`. */
export const spreadChange = job<{ account_id: string; limit_id?: string | undefined }>('guard.spread_change');

const BATCH = 200;

/** A repeated run announces it again, which changes nothing. */
export async function spread(
  db: Db,
  { account_id, limit_id }: { account_id: string; limit_id?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    // The job runs again and notifies all of them.
    if (signal.aborted) throw new Error('stopped before all sub-accounts were notified');
    const ids = await db.tx(async (tx) => {
      const rows = await tx.rows<{ id: string }>(sql`
        select id from accounts where parent_id = ${account_id} and close_date is null and id > ${after}
        order by id limit ${BATCH}`);
      for (const { id } of rows)
        if (limit_id) emit(tx, limitsChanged, id, { id: limit_id });
        else await announceCountries(tx, id);
      return rows;
    });
    if (ids.length < BATCH) return;
    after = ids.at(-1)!.id;
  }
}

/** Cancels the waiting messages that the lists block now. */
export async function announceCountries(tx: Tx, account_id: string): Promise<void> {
  await enqueue(tx, cancelBlockedMessages, { account_id });
  emit(tx, countryBlacklistChanged, account_id, { id: account_id });
  emit(tx, allowedCountriesChanged, account_id, { account_id });
}

export const deleteOverrides = (tx: Tx, account_id: string, limit_id: string) =>
  tx.run(sql`delete from limit_overrides where account_id = ${account_id} and limit_id = ${limit_id}`);

export const isSubAccount = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${account_id} and parent_id is not null`)) !== null;

/** Throws COUNTRIES_NOT_SHAREABLE for a sub-account, which has no sub-accounts. */
export async function requireCompany(db: Queryable, account_id: string): Promise<void> {
  if (await isSubAccount(db, account_id)) throw new Problem('COUNTRIES_NOT_SHAREABLE');
}
