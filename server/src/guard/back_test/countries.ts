/** Back-tests a list of countries on the account's own messages. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { BACK_TEST_DAYS, type backTestCountries, type CountryBackTest } from '@parley/contract/guard/back_tests.ts';
import { permits } from '@parley/contract/permission.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Queryable, raw, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { binTime } from './bins.ts';
import { readIntervals } from './intervals.ts';
import { readCurrency } from './outcome.ts';

const DAY_MS = 86_400_000;
const MAX_COUNTRIES = 20;
const start = binTime('day', 'm.create_date');

export async function backTestList(
  db: Queryable,
  { account_id, permissions }: Actor,
  now: Date,
  { list, countries }: Parsed<typeof backTestCountries>['body'],
): Promise<CountryBackTest> {
  const since = idAt(now.getTime() - BACK_TEST_DAYS * DAY_MS);
  const where = sql`
    m.account_id = ${account_id} and m.id >= ${since}::uuid and m.direction = 'MT' and m.source <> 'phone_app'`;
  const isNamed = sql`m.country = any(${countries}::text[])`;
  const isBlocked = list === 'blocked' ? isNamed : sql`not ${isNamed}`;
  const {
    scopes,
    intervals: _,
    intervals_total: __,
    ...outcome
  } = await readIntervals(db, {
    ...{ account_id, since, where, start, scope: raw('m.country') },
    intervals: sql`
      intervals as materialized (
        select ${start} as start, m.country as scope, count(*) as messages, count(*) as used,
               count(*) filter (where ${isBlocked}) as blocked,
               coalesce(sum(m.price_micros) filter (where ${isBlocked}), 0)::bigint as blocked_micros,
               count(*) filter (where m.status in ('delivered', 'read') and ${isBlocked}) as delivered,
               null::uuid as first_id, max(m.create_date) filter (where ${isBlocked}) as last_date
        from messages m where ${where} group by 1, 2
      )`,
  });
  return {
    ...{ days: BACK_TEST_DAYS, ...outcome, currency: await readCurrency(db, account_id) },
    examples: permits(permissions, 'MESSAGES:view') ? outcome.examples : null,
    countries: scopes.slice(0, MAX_COUNTRIES).map(({ scope, ...figures }) => ({ country: scope, ...figures })),
    countries_total: scopes.length,
  };
}
