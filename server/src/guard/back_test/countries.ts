/** Back-tests a list of countries on the account's own messages. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { BACK_TEST_DAYS, type backTestCountries, type CountryBackTest } from '@parley/contract/guard/back_tests.ts';
import { permits } from '@parley/contract/permission.ts';
import { idAt } from '../../kernel/clock.ts';
import { customPlan, type Queryable, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { NO_OUTCOME, readCurrency, readOutcome } from './outcome.ts';

const DAY_MS = 86_400_000;
const MAX_COUNTRIES = 20;

export async function backTestList(
  db: Queryable,
  { account_id, permissions }: Actor,
  now: Date,
  { list, countries }: Parsed<typeof backTestCountries>['body'],
): Promise<CountryBackTest> {
  const since = idAt(now.getTime() - BACK_TEST_DAYS * DAY_MS);
  const sent = sql`
    m.account_id = ${account_id} and m.id >= ${since}::uuid and m.direction = 'MT' and m.source <> 'phone_app'`;
  const currency = await readCurrency(db, account_id);
  const all = await db.rows<{ country: string; messages: number; micros: number }>(
    customPlan(sql`
      select m.country, count(*) as messages, sum(m.price_micros)::bigint as micros
      from messages m where ${sent} group by 1 order by 2 desc, 1`),
  );
  const named = new Set(countries);
  const found = all.filter(({ country }) => named.has(country) === (list === 'blocked'));
  const result = {
    ...{ days: BACK_TEST_DAYS, messages: all.reduce((sum, { messages }) => sum + messages, 0), currency },
    countries: found
      .slice(0, MAX_COUNTRIES)
      .map(({ country, messages, micros }) => ({ country, blocked: messages, blocked_micros: micros })),
    countries_total: found.length,
  };
  const isHidden = !permits(permissions, 'MESSAGES:view');
  if (found.length === 0) return { ...result, ...NO_OUTCOME, examples: isHidden ? null : [] };
  const outcome = await readOutcome(db, account_id, {
    blocked: sql`
      blocked as materialized (
        select m.id, m.number, m.country, m.status, m.price_micros, m.create_date
        from messages m where ${sent} and m.country = any(${found.map(({ country }) => country)}::text[])
      )`,
  });
  return { ...result, ...outcome, ...(isHidden && { examples: null }) };
}
