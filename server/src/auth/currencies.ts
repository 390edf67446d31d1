/**
 * In which currency a company that signs up has its account. It never changes (CURRENCY_CHANGE_NOT_ALLOWED), so it has
 * to be one in which messages have prices: that of its country when a message to its own country has a price in it,
 * else USD, else the one with the most prices.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { type Sql, sql } from '../kernel/db/db.ts';

type Currency = (typeof CURRENCIES)[number];

const EURO: ReadonlySet<string> = new Set(
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '),
);
const OWN: Readonly<Record<string, Currency>> = { AE: 'AED', AM: 'AMD', RU: 'RUB' };

export const currencyOf = (country: string): Currency => (EURO.has(country) ? 'EUR' : (OWN[country] ?? 'USD'));

/** A value for a statement. The prices are billing's, which stands above; they are only read. */
export const currencyFor = (country: string): Sql => sql`
  coalesce((
    select currency from rates
    where account_id is null and channel = ${PHONE_CHANNEL} and currency = any(${[...CURRENCIES]}::text[])
    group by currency
    order by currency = ${currencyOf(country)} and bool_or(country = ${country}) desc, currency = 'USD' desc, count(*) desc, currency
    limit 1), 'USD')`;
