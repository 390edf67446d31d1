/** The countries to which an account sends no messages. */
import { type CountryBlacklist, countryBlacklistChanged } from '@parley/contract/guard/country_blacklist.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { cancelBlockedMessages, requireCompany, spreadChange } from './inheritance.ts';
import { inheritedBlocked, readLists } from './inherited_countries.ts';
import { mailOpened } from './mails.ts';

export async function getCountryBlacklist(db: Queryable, { account_id }: Actor): Promise<CountryBlacklist> {
  const [row, lists] = await runTogether(
    db.maybeOne<Pick<CountryBlacklist, 'countries' | 'sub_accounts' | 'update_date'>>(sql`
      select countries, sub_accounts, update_date from country_blacklists where account_id = ${account_id}`),
    readLists(db, account_id),
  );
  const inherited = inheritedBlocked(lists);
  return {
    ...{ id: account_id, account_id, countries: [], sub_accounts: false, update_date: null, ...row },
    inherited: inherited && { account_name: lists.inherited_from!, countries: inherited },
  };
}

export async function saveCountryBlacklist(
  ctx: Ctx,
  id: string,
  body: { countries: readonly string[]; sub_accounts?: boolean | undefined },
): Promise<CountryBlacklist> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  if (id !== account_id) throw new Problem('COUNTRY_LIST_NOT_FOUND');
  const countries = [...new Set(body.countries)].sort();
  if (body.sub_accounts) await requireCompany(tx, account_id);
  await tx.run(sql`
    insert into country_blacklists (account_id, update_date) values (${account_id}, ${tx.now}) on conflict do nothing`);
  const before = await tx.one<{ countries: string[]; sub_accounts: boolean }>(
    sql`select countries, sub_accounts from country_blacklists where account_id = ${account_id} for update`,
  );
  const blocked = countries.filter((country) => !before.countries.includes(country));
  const opened = before.countries.filter((country) => !countries.includes(country));
  const { sub_accounts = before.sub_accounts } = body;
  const isShareChanged = sub_accounts !== before.sub_accounts;
  if (blocked.length + opened.length > 0 || isShareChanged) {
    await tx.run(sql`
      update country_blacklists set countries = ${countries}, sub_accounts = ${sub_accounts}, update_date = ${tx.now}
      where account_id = ${account_id}`);
    if (blocked.length > 0) await enqueue(tx, cancelBlockedMessages, { account_id });
    const target = { type: 'account', id: account_id, name: '' };
    if (sub_accounts || before.sub_accounts) await enqueue(tx, spreadChange, { account_id });
    const detail = { blocked, opened, ...(isShareChanged && { sub_accounts }) };
    record(tx, ctx, { action: 'country_blacklist.changed', target, detail });
    emit(tx, countryBlacklistChanged, account_id, { id: account_id, blocked, opened });
    if (opened.length > 0) await mailOpened(ctx, opened);
  }
  return getCountryBlacklist(tx, actor);
}
