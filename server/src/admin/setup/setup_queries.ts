import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';

export interface Facts {
  /** Operators who can sign in, and those who cannot yet. */
  operators: number;
  operators_waiting: number;
  mails_waiting: number;
  mail_error: string | null;
  default_currency: string;
  enabled_currencies: number;
  networks: number;
  prefixes: number;
  prices: number;
  /** The currency and spendable amount of the account that pays for codes, and the number of prices in it. */
  codes_currency: string;
  codes_funds: number;
  codes_prices: number;
  connections: number;
  connections_up: number;
  /** Why a connection is down, if a carrier gave a reason. */
  connection_detail: string | null;
  routes: number;
}

export const readFacts = (db: Queryable): Promise<Facts> =>
  db.one<Facts>(sql`
    with operators as (
      select l.totp_date is not null or exists (select from passkeys p where p.login_id = l.id) as ready
      from users u join accounts a on a.id = u.account_id left join logins l on l.id = u.login_id
      where a.kind = 'OPERATOR' and u.remove_date is null and not u.blocked
    ), paying as (
      select a.currency, coalesce(b.available_micros + b.credit_limit_micros, 0) as funds
      from accounts a left join balances b on b.account_id = a.id where a.kind = 'OPERATOR' order by a.id limit 1
    ), list as (
      select currency from rates where account_id is null and channel = ${PHONE_CHANNEL}
    ), live as (
      select c.id,
        exists (select from binds b where b.connection_id = c.id and b.lease_until > now()
                  and b.state in ('bound', 'throttled')) as up,
        (select nullif(b.detail, '') from binds b where b.connection_id = c.id order by b.slot limit 1) as detail
      from connections c where c.enabled
    )
    select
      (select count(*) filter (where ready) from operators)::int as operators,
      (select count(*) filter (where ready is not true) from operators)::int as operators_waiting,
      (select count(*) from (select 1 from mails where status = 'waiting' limit 1000) waiting)::int as mails_waiting,
      (select left(error, 200) from mails where status = 'waiting' and error is not null order by id desc limit 1)
        as mail_error,
      (select code from currencies where is_default) as default_currency,
      (select count(*) from currencies where enabled)::int as enabled_currencies,
      (select count(*) from networks)::int as networks,
      (select count(*) from network_prefixes)::int as prefixes,
      (select count(*) from list)::int as prices,
      (select currency from paying) as codes_currency,
      (select funds from paying) as codes_funds,
      (select count(*) from list where currency = (select currency from paying))::int as codes_prices,
      (select count(*) from live)::int as connections,
      (select count(*) filter (where up) from live)::int as connections_up,
      (select max(detail) from live where not up) as connection_detail,
      (select count(*) from routes r join connections c on c.id = r.connection_id and c.enabled
       where r.enabled and r.channel = ${PHONE_CHANNEL})::int as routes`);
