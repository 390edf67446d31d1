/** How long the balance lasts at the current pace. */
import { z } from 'zod';
import { currency, idParams, micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** The days of spending on which the forecast is based. */
export const FORECAST_DAYS = 7;

export const BalanceForecast = z.object({
  id: z.string(),
  account_id: z.string(),
  currency,
  /** The average spend on messages per day in the last seven days, or since the account was created. */
  spend_per_day_micros: micros,
  /** The days until the balance and the credit limit are used up. Null if nothing was spent. */
  days_left: z.number().nullable(),
});
export type BalanceForecast = z.output<typeof BalanceForecast>;

export const getBalanceForecast = endpoint({
  id: 'balance_forecasts.get',
  method: 'GET',
  path: '/v1/balances/{id}/forecast',
  summary: 'Get the number of days the balance will last at the average spend of the last seven days',
  needs: 'PAYMENTS:view',
  params: idParams('BALANCE_NOT_FOUND'),
  output: BalanceForecast,
  problems: ['BALANCE_NOT_FOUND'],
});
