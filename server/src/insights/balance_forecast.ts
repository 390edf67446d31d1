import { type BalanceForecast, FORECAST_DAYS } from '@parley/contract/insights/balance_forecast.ts';
import { getBalance } from '../billing/billing.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { countAll } from './insights.ts';

/** Divides the balance by the average spend on messages. Rentals and other charges are left out. */
export async function readForecast(db: Queryable, actor: Actor, now: Date, id: string): Promise<BalanceForecast> {
  const balance = await getBalance(db, actor, id);
  const { account_id, currency, available_micros, configuration } = balance;
  const { total } = await countAll(db, account_id, now, { days: FORECAST_DAYS });
  const { age_days } = await db.one<{ age_days: number }>(sql`
    select (extract(epoch from ${now}::timestamptz - create_date) / 86400)::float8 as age_days
    from accounts where id = ${account_id}`);
  const days = Math.min(FORECAST_DAYS, Math.max(1, age_days));
  const spend_per_day_micros = Math.round(total.spend_micros / days);
  const left_micros = Math.max(0, available_micros + Math.round(configuration.credit_limit * 1_000_000));
  const days_left = spend_per_day_micros === 0 ? null : Math.round((left_micros / spend_per_day_micros) * 10) / 10;
  return { id: account_id, account_id, currency, spend_per_day_micros, days_left };
}
