/** The only countries to which an account may send messages, if it limits them. */

import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type AllowedCountries,
  allowedCountriesChanged,
  openedCountries,
  type saveAllowedCountries,
} from '@parley/contract/guard/allowed_countries.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { cancelBlockedMessages, requireCompany, spreadChange } from './inheritance.ts';
import { inheritedAllowed, readLists } from './inherited_countries.ts';
import { mailOpened } from './mails.ts';

export async function readAllowed(db: Queryable, { account_id }: Pick<Actor, 'account_id'>): Promise<AllowedCountries> {
  const [row, lists] = await runTogether(
    db.maybeOne<Omit<AllowedCountries, 'inherited'>>(sql`
      select account_id, only_allowed as enabled, allowed as countries, allowed_sub_accounts as sub_accounts,
        update_date
      from country_blacklists where account_id = ${account_id}`),
    readLists(db, account_id),
  );
  const inherited = inheritedAllowed(lists);
  return {
    ...{ account_id, enabled: false, countries: [], sub_accounts: false, update_date: null, ...row },
    inherited: inherited && { account_name: lists.inherited_from!, countries: inherited },
  };
}

/** The audit log keeps who acknowledged the risk of which countries, and what a message there cost at that time. */
export async function saveAllowed(
  ctx: Ctx,
  body: Parsed<typeof saveAllowedCountries>['body'],
): Promise<AllowedCountries> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const { enabled } = body;
  const countries = [...new Set(body.countries)].sort();
  if (body.sub_accounts) await requireCompany(tx, account_id);
  if (enabled && countries.length === 0) throw new Problem('ALLOWED_COUNTRIES_EMPTY');
  await tx.run(sql`
    insert into country_blacklists (account_id, update_date) values (${account_id}, ${tx.now}) on conflict do nothing`);
  const before = await tx.one<Pick<AllowedCountries, 'enabled' | 'countries' | 'sub_accounts'>>(sql`
    select only_allowed as enabled, allowed as countries, allowed_sub_accounts as sub_accounts from country_blacklists
    where account_id = ${account_id} for update`);
  const opened = openedCountries(before, { enabled, countries });
  if (opened.length > 0 && !body.acknowledges_risk) throw new Problem('COUNTRY_RISK_NOT_ACKNOWLEDGED');
  const added = countries.filter((country) => !before.countries.includes(country));
  const removed = before.countries.filter((country) => !countries.includes(country));
  const { sub_accounts = before.sub_accounts } = body;
  const isShareChanged = sub_accounts !== before.sub_accounts;
  if (enabled === before.enabled && added.length + removed.length === 0 && !isShareChanged)
    return readAllowed(tx, actor);
  await tx.run(sql`
    update country_blacklists set only_allowed = ${enabled}, allowed = ${countries},
      allowed_sub_accounts = ${sub_accounts}, update_date = ${tx.now}
    where account_id = ${account_id}`);
  if (enabled && (!before.enabled || removed.length > 0)) await enqueue(tx, cancelBlockedMessages, { account_id });
  if (sub_accounts || before.sub_accounts) await enqueue(tx, spreadChange, { account_id });
  record(tx, ctx, {
    action: 'allowed_countries.changed',
    target: { type: 'account', id: account_id, name: '' },
    detail: {
      only_allowed: enabled,
      ...{ added, removed },
      ...(isShareChanged && { sub_accounts }),
      ...(opened.length > 0 && { risk_acknowledged: opened, prices: await readPrices(tx, account_id, opened) }),
    },
  });
  emit(tx, allowedCountriesChanged, account_id, { account_id, enabled, countries });
  if (opened.length > 0) await mailOpened(ctx, opened);
  return readAllowed(tx, actor);
}

/** The lowest and highest price of each channel in the opened countries. */
async function readPrices(
  db: Queryable,
  account_id: string,
  opened: readonly string[] | 'all',
): Promise<Record<string, string> | null> {
  if (opened === 'all') return null;
  const rows = await db.rows<{ country: string; channel: string; currency: string; low: number; high: number }>(sql`
    select country, channel, currency, min(price_micros)::bigint as low, max(price_micros)::bigint as high
    from (
      select distinct on (r.country, r.channel, r.mccmnc, r.purpose) r.country, r.channel, r.currency, r.price_micros
      from rates r join balances b on b.account_id = ${account_id} and b.currency = r.currency
      where r.country = any(${opened}::text[]) and (r.account_id is null or r.account_id = ${account_id})
      order by r.country, r.channel, r.mccmnc, r.purpose, r.account_id nulls last
    ) price
    group by 1, 2, 3 order by 1, 2`);
  const amount = (micros: number) => String(micros / 1_000_000);
  return Object.fromEntries(
    rows.map(({ country, channel, currency, low, high }) => [
      `${country} ${channel}`,
      `${low === high ? amount(low) : `${amount(low)}–${amount(high)}`} ${currency}`,
    ]),
  );
}
