/**
 * The currency of a new account. It never changes (CURRENCY_CHANGE_NOT_ALLOWED), so there must be message prices in it.
 * It is the currency of the company's country if messages to that country have a price in it, otherwise the default
 * currency, otherwise the currency with the most prices. Operators decide which currencies are offered.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { CURRENCIES } from '@parley/contract/common.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

type Currency = (typeof CURRENCIES)[number];

const EURO: ReadonlySet<string> = new Set(
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '),
);
const OTHERS: Readonly<Record<string, Currency>> = { AE: 'AED', AM: 'AMD', RU: 'RUB' };

const countryCurrency = (country: string): Currency => (EURO.has(country) ? 'EUR' : (OTHERS[country] ?? 'USD'));

/** An SQL expression that reads the prices of `billing`, a later module that cannot be imported here. */
export const accountCurrency = (country: string): Sql => sql`
  coalesce((
    select currency from rates join currencies c on c.code = currency and c.enabled
    where account_id is null and channel = ${PHONE_CHANNEL}
    group by currency
    order by currency = ${countryCurrency(country)} and bool_or(country = ${country}) desc, bool_or(c.is_default) desc,
             count(*) desc, currency
    limit 1), (select code from currencies where is_default))`;
