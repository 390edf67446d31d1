/**
 * The history of an account's prices. A change to a list price is left out while the account has a custom price for the
 * same destination. A change to its custom price starts or ends at the list price if there was or is no custom price.
 */
import type { RateChange } from '@parley/contract/billing/rate_changes.ts';
import { and, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../../kernel/db/list.ts';

export interface ChangeFilter {
  account_id: string;
  channel?: string | undefined;
  country?: string | undefined;
  network?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const sameDestination = (one: Sql, other: Sql): Sql => sql`
  ${one}.channel = ${other}.channel and ${one}.country = ${other}.country and ${one}.currency = ${other}.currency
  and coalesce(${one}.mccmnc, '') = coalesce(${other}.mccmnc, '')
  and coalesce(${one}.purpose, '') = coalesce(${other}.purpose, '')`;

/** True if the account had a custom price when list price `c` changed. Most accounts have never had any. */
const isHidden = (account_id: string): Sql => sql`
  (exists (select from price_changes where account_id = ${account_id})
    or exists (select from rates where account_id = ${account_id})) and coalesce(
    (select o.after_micros is not null from price_changes o
     where o.account_id = ${account_id} and ${sameDestination(sql`o`, sql`c`)} and o.number < c.number
     order by o.number desc limit 1),
    (select o.before_micros is not null from price_changes o
     where o.account_id = ${account_id} and ${sameDestination(sql`o`, sql`c`)} and o.number > c.number
     order by o.number limit 1),
    exists (select from rates o where o.account_id = ${account_id} and ${sameDestination(sql`o`, sql`c`)}))`;

const COLUMNS: Sql = sql`
  c.number, c.id, c.account_id, c.channel, c.country, c.mccmnc, c.purpose, c.currency, c.create_date,
  coalesce(c.before_micros, c.list_micros) as before_micros, coalesce(c.after_micros, c.list_micros) as after_micros`;

const ownChanges = (account_id: string, where: Sql): Sql => sql`
  select ${COLUMNS} from price_changes c
  where c.account_id = ${account_id} and ${where}
    and coalesce(c.before_micros, c.list_micros) is distinct from coalesce(c.after_micros, c.list_micros)`;

const listChanges = (account_id: string, where: Sql): Sql => sql`
  select ${COLUMNS} from price_changes c
  where c.account_id is null and ${where} and not (${isHidden(account_id)})`;

/** The last change of price `r` for the account, until the date. */
export function lastChange(account_id: string, date: string | undefined): Sql {
  const until = date ? sql`c.create_date <= ${date}::timestamptz` : sql`true`;
  const where = sql`${sameDestination(sql`c`, sql`r`)} and ${until}`;
  return sql`
    select create_date, before_micros, after_micros from (
      (${ownChanges(account_id, where)} order by c.number desc limit 1)
      union all
      (${listChanges(account_id, where)} order by c.number desc limit 1)
    ) last order by number desc limit 1`;
}

function changes(filter: ChangeFilter, page: Sql): Sql {
  const { account_id, channel, country, network, from, to } = filter;
  const where = sql`
    c.currency = (select currency from balances where account_id = ${account_id}) and ${and([
      channel && sql`c.channel = ${channel}`,
      country && sql`c.country = ${country}`,
      network &&
        sql`(c.mccmnc = ${network} or exists (
          select from networks n where n.mccmnc = c.mccmnc and n.name ilike ${likePattern(network)}))`,
      from && sql`c.create_date >= ${from}::timestamptz`,
      to && sql`c.create_date <= ${to}::timestamptz`,
    ])}`;
  return sql`
    (${ownChanges(account_id, where)} order by c.number desc ${page})
    union all
    (${listChanges(account_id, where)} order by c.number desc ${page})`;
}

export const changePage = (db: Queryable, filter: ChangeFilter, page: Page) =>
  db.rows<RateChange>(sql`
    select c.id, c.channel, c.country, c.mccmnc, n.name as network, c.purpose, c.currency, c.before_micros,
           c.after_micros, c.account_id is not null as custom, c.create_date
    from (${changes(filter, sql`limit ${page.offset + page.size + 1}`)}) c
    left join networks n on n.mccmnc = c.mccmnc
    order by c.number desc limit ${page.size + 1} offset ${page.offset}`);

export const countChanges = async (db: Queryable, filter: ChangeFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select from (${changes(filter, sql`limit ${CAP + 1}`)}) c limit ${CAP + 1}) capped`)
  ).count;

/** The time from which the history is complete. */
export const readHistoryDate = async (db: Queryable): Promise<string> =>
  (await db.one<{ history_date: string }>(sql`select history_date from price_revision`)).history_date;
