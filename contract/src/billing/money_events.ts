/** Events about announced prices and overdue balances, apart from the calls, because every page of the app listens. */
import { z } from 'zod';
import { currency, micros, timestamp } from '../common.ts';
import { event } from '../event.ts';

/** A price change was announced to the account, or an announced change was changed or canceled. */
export const ratesAnnounced = event({
  id: 'rates.announced',
  modules: ['rates', 'announced_rates'],
  needs: 'INVOICES:view',
  payload: z.object({
    id: z.string(),
    status: z.enum(['announced', 'changed', 'canceled']),
    effective_date: timestamp,
    /** The countries with a changed price. */
    countries: z.array(z.string()),
    prices_count: z.int(),
  }),
});
export type RatesAnnounced = z.output<typeof ratesAnnounced.payload>;

/** A reminder was sent, sending was paused, or the balance was paid. */
export const overdueChanged = event({
  id: 'overdue.changed',
  modules: ['overdue', 'overdue_accounts'],
  needs: 'PAYMENTS:view',
  payload: z.object({
    id: z.string(),
    status: z.enum(['reminded', 'paused', 'extended', 'settled']),
    owed_micros: micros,
    currency,
  }),
});
export type OverdueChanged = z.output<typeof overdueChanged.payload>;

/** The balance fell below an amount of the credit alert. Each crossing is reported once. */
export const balanceLow = event({
  id: 'balance.low',
  modules: [],
  needs: 'PAYMENTS:view',
  payload: z.object({
    /** The ID of the account. */
    id: z.string(),
    available_micros: micros,
    /** The lowest amount that was crossed. */
    threshold_micros: micros,
    currency,
  }),
});
export type BalanceLow = z.output<typeof balanceLow.payload>;
