import type { VolumePrice } from '@parley/contract/admin/volume_prices.ts';
import type { VolumeStep } from '@parley/contract/billing/volume_steps.ts';
import type { VolumeKey } from '../../billing/billing.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

export interface VolumeFilter {
  account_id?: string | undefined;
  channel?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  state?: VolumePrice['state'] | undefined;
}

/** Destination `key` in table `t`. */
export const sameKey = (t: Sql, { channel, country, mccmnc, purpose, currency }: VolumeKey): Sql => sql`
  ${t}.channel = ${channel} and ${t}.country = ${country} and ${t}.currency = ${currency}
  and ${t}.mccmnc is not distinct from ${mccmnc} and ${t}.purpose is not distinct from ${purpose}`;

const source = (today: Date): Sql => sql`(
  select v.*, case
      when v.month > (${today}::timestamptz at time zone 'UTC')::date then 'planned'
      when v.month = max(v.month) filter (where v.month <= (${today}::timestamptz at time zone 'UTC')::date)
        over (partition by v.account_id, v.channel, v.country, v.mccmnc, v.purpose, v.currency) then 'current'
      else 'past' end as state
  from volume_prices v)`;

const matching = (filter: VolumeFilter): Sql =>
  and([
    filter.account_id && sql`v.account_id = ${filter.account_id}`,
    filter.channel && sql`v.channel = ${filter.channel}`,
    filter.country && sql`v.country = ${filter.country}`,
    filter.currency && sql`v.currency = ${filter.currency}`,
    filter.state && sql`v.state = ${filter.state}`,
  ]);

const ORDER: Sql = sql`v.month desc, v.country, v.channel, v.id`;

const listed = (today: Date, where: Sql, tail: Sql): Sql => sql`
  select v.id, v.account_id, a.company_name, v.channel, v.country, v.mccmnc, n.name as network, v.purpose, v.currency,
    coalesce(own.price_micros, list.price_micros) as price_micros, to_char(v.month, 'YYYY-MM') as month, v.steps,
    v.state, trim(u.first_name || ' ' || u.last_name) as user_name, v.create_date
  from ${source(today)} v
  left join accounts a on a.id = v.account_id
  left join users u on u.id = v.user_id
  left join networks n on n.mccmnc = v.mccmnc
  left join rates own on own.account_id = v.account_id and own.channel = v.channel and own.country = v.country
    and own.currency = v.currency and own.mccmnc is not distinct from v.mccmnc
    and own.purpose is not distinct from v.purpose
  left join rates list on list.account_id is null and list.channel = v.channel and list.country = v.country
    and list.currency = v.currency and list.mccmnc is not distinct from v.mccmnc
    and list.purpose is not distinct from v.purpose
  where ${where} ${tail}`;

export const volumePage = (db: Queryable, today: Date, filter: VolumeFilter, page: Page) =>
  db.rows<VolumePrice>(
    listed(today, matching(filter), sql`order by ${ORDER} limit ${page.size + 1} offset ${page.offset}`),
  );

export const countVolumes = async (db: Queryable, today: Date, filter: VolumeFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from ${source(today)} v where ${matching(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const readVolume = (db: Queryable, today: Date, id: string) =>
  db.maybeOne<VolumePrice>(listed(today, sql`v.id = ${id}`, sql``));

/** The price that the steps lower: the account's own, or the list price. */
export const priceToLower = (db: Queryable, account_id: string | null, key: VolumeKey) =>
  db.maybeOne<{ price_micros: number }>(sql`
    select r.price_micros from rates r
    where (r.account_id is null or r.account_id = ${account_id}::uuid) and ${sameKey(sql`r`, key)}
    order by r.account_id nulls last limit 1`);

/** The steps that apply in a month. */
export const stepsInForce = async (db: Queryable, account_id: string | null, key: VolumeKey, month: string) =>
  (
    await db.maybeOne<{ steps: VolumeStep[] }>(sql`
      select steps from volume_prices v
      where v.account_id is not distinct from ${account_id}::uuid and ${sameKey(sql`v`, key)}
        and v.month <= ${`${month}-01`}::date
      order by v.month desc limit 1`)
  )?.steps ?? [];

interface NewVolume extends VolumeKey {
  id: string;
  account_id: string | null;
  month: string;
  steps: readonly VolumeStep[];
  user_id: string;
}

/** Returns the id of the row. The steps for the same month are replaced. */
export const saveVolume = async (tx: Tx, row: NewVolume): Promise<string> =>
  (
    await tx.one<{ id: string }>(sql`
      insert into volume_prices (id, account_id, channel, country, mccmnc, purpose, currency, month, steps, user_id,
                                 create_date)
      values (${row.id}, ${row.account_id}, ${row.channel}, ${row.country}, ${row.mccmnc}, ${row.purpose},
              ${row.currency}, ${`${row.month}-01`}, ${JSON.stringify(row.steps)}::jsonb, ${row.user_id}, ${tx.now})
      on conflict (account_id, channel, country, mccmnc, currency, purpose, month)
        do update set steps = excluded.steps, user_id = excluded.user_id, create_date = excluded.create_date
      returning id`)
  ).id;

export const lockVolume = (tx: Tx, id: string) =>
  tx.maybeOne<VolumeKey & { account_id: string | null; month: string }>(sql`
    select account_id, channel, country, mccmnc, purpose, currency, to_char(month, 'YYYY-MM') as month
    from volume_prices where id = ${id} for update`);

export const deleteVolume = (tx: Tx, id: string) => tx.run(sql`delete from volume_prices where id = ${id}`);

/** Customers with settled messages to a country in a month, or the one account. */
export const sendingAccounts = (db: Queryable, account_id: string | null, key: VolumeKey, days: [string, string]) =>
  db.rows<{ account_id: string; company_name: string }>(sql`
    select a.id as account_id, a.company_name from accounts a
    where a.kind = 'CUSTOMER' and a.close_date is null and a.currency = ${key.currency}
      and ${account_id === null ? sql`true` : sql`a.id = ${account_id}`}
      and exists (
        select from margins m
        where m.account_id = a.id and m.day >= ${days[0]}::date and m.day < ${days[1]}::date + 4
          and m.channel = ${key.channel} and m.country = ${key.country})
    order by a.id`);

export interface MonthTraffic {
  mccmnc: string | null;
  purpose: VolumeKey['purpose'];
  units: number;
}

/** The units of an account that were paid or are on their way, by the network and purpose that decide their price. */
export const readTraffic = (db: Queryable, account_id: string, key: VolumeKey, ids: [string, string]) =>
  db.rows<MonthTraffic>(sql`
    select m.mccmnc, m.content->>'purpose' as purpose, sum(m.segments_count)::bigint as units
    from messages m
    where m.account_id = ${account_id} and m.id >= ${ids[0]}::uuid and m.id < ${ids[1]}::uuid and m.direction = 'MT'
      and m.channel = ${key.channel} and m.country = ${key.country} and m.charge in ('held', 'settled')
      and m.source <> 'test'
    group by 1, 2`);
