import { type BalanceForecast, FORECAST_DAYS } from '@parley/contract/insights/balance_forecast.ts';
import { getBalance } from '../billing/billing.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';

const DAY_MS = 86_400_000;

/** Divides the balance by the average spend on messages. Rentals and other charges are left out. */
export async function readForecast(db: Queryable, actor: Actor, now: Date, id: string): Promise<BalanceForecast> {
  const balance = await getBalance(db, actor, id);
  const { account_id, currency, available_micros, configuration } = balance;
  const since = new Date(now.getTime() - FORECAST_DAYS * DAY_MS);
  const { spend_micros, age_ms } = await db.one<{ spend_micros: number; age_ms: number }>(sql`
    select coalesce((select sum(spend_micros) from message_slots
                     where account_id = ${account_id} and slot >= ${since} and slot <= ${now}), 0)::float8
        as spend_micros,
      (extract(epoch from ${now}::timestamptz - create_date) * 1000)::float8 as age_ms
    from accounts where id = ${account_id}`);
  const days = Math.min(FORECAST_DAYS, Math.max(1, age_ms / DAY_MS));
  const spend_per_day_micros = Math.round(spend_micros / days);
  const left_micros = Math.max(0, available_micros + Math.round(configuration.credit_limit * 1_000_000));
  const days_left = spend_per_day_micros === 0 ? null : Math.round((left_micros / spend_per_day_micros) * 10) / 10;
  return { id: account_id, account_id, currency, spend_per_day_micros, days_left };
}
