/** The countries to which an account sends no messages. */
import { type CountryBlacklist, countryBlacklistChanged } from '@parley/contract/guard/country_blacklist.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';

/** Cancels the waiting messages to blocked countries. The messages module runs it. */
export const cancelBlockedMessages = job<{ account_id: string }>('guard.cancel_blocked_messages', {
  key: ({ account_id }) => account_id,
});

export const getCountryBlacklist = async (db: Queryable, { account_id }: Actor): Promise<CountryBlacklist> =>
  (await db.maybeOne<CountryBlacklist>(sql`
    select account_id as id, account_id, countries, update_date from country_blacklists
    where account_id = ${account_id}`)) ?? { id: account_id, account_id, countries: [], update_date: null };

export async function saveCountryBlacklist(
  tx: Tx,
  caller: Acting & { actor: Actor },
  id: string,
  requested: readonly string[],
): Promise<CountryBlacklist> {
  const { account_id } = caller.actor;
  if (id !== account_id) throw new Problem('COUNTRY_LIST_NOT_FOUND');
  const countries = [...new Set(requested)].sort();
  await tx.run(sql`
    insert into country_blacklists (account_id, update_date) values (${account_id}, ${tx.now}) on conflict do nothing`);
  const before = await tx.one<{ countries: string[] }>(
    sql`select countries from country_blacklists where account_id = ${account_id} for update`,
  );
  const blocked = countries.filter((country) => !before.countries.includes(country));
  const opened = before.countries.filter((country) => !countries.includes(country));
  if (blocked.length + opened.length > 0) {
    await tx.run(sql`
      update country_blacklists set countries = ${countries}, update_date = ${tx.now}
      where account_id = ${account_id}`);
    if (blocked.length > 0) await enqueue(tx, cancelBlockedMessages, { account_id });
    const target = { type: 'account', id: account_id, name: '' };
    record(tx, caller, { action: 'country_blacklist.changed', target, detail: { blocked, opened } });
    emit(tx, countryBlacklistChanged, account_id, { id: account_id });
  }
  return getCountryBlacklist(tx, caller.actor);
}
