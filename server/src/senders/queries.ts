import type { ListedSender, listSenders, Sender } from '@parley/contract/senders/senders.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';

/** The countries of the sender or of all its pool members. A sender without a pool has no rows in the subquery. */
const reach: Sql = sql`
  coalesce((
    select case when bool_or(b.countries = '{}') then '{}' else (
      select array_agg(distinct c order by c)
      from number_pool_members k2 join senders b2 on b2.account_id = k2.account_id and b2.id = k2.sender_id
      cross join unnest(b2.countries) c
      where k2.account_id = s.account_id and k2.pool_id = s.id and b2.status = 'available') end
    from number_pool_members k join senders b on b.account_id = k.account_id and b.id = k.sender_id
    where k.account_id = s.account_id and k.pool_id = s.id and b.status = 'available'
    having count(*) > 0), s.countries)`;

/** A condition on `senders s`: the sender is not a member of another sender's pool. */
export const isNotPoolMember: Sql = sql`
  not exists (
    select from number_pool_members k where k.account_id = s.account_id and k.sender_id = s.id and k.pool_id <> s.id)`;

const columns: Sql = sql`
  s.id, s.account_id, s.name, s.code, s.channel, s.type, s.status, ${reach} as countries,
  (select k.pool_id from number_pool_members k where k.account_id = s.account_id and k.sender_id = s.id) as pool_id,
  not s.one_way and exists (
    select from inbound_addresses i
    where i.channel = s.channel and i.address = coalesce(s.carrier_address, s.code) and i.account_id = s.account_id
      and i.sender_id = s.id) as two_way,
  s.create_date, s.update_date`;

/** The request status as the API names it. A bought number that is not registered yet has none. */
const requestStatus: Sql = sql`
  case when s.delete_date is not null or s.status = 'canceled' then 'DELETED'
       when s.status = 'pending' then 'IN_PROCESS' when s.status = 'rejected' then 'CANCELED'
       when s.status in ('available', 'approved') then 'COMPLETED' end`;

const listed: Sql = sql`
  ${columns}, s.brand, s.business_name, s.carrier_state, ${requestStatus} as request_status,
  n.currency as rental_currency, n.monthly_micros, n.renewal_date, n.grace_date,
  (select count(*)::int from number_pool_members k
   where k.account_id = s.account_id and k.pool_id = s.id and k.sender_id <> s.id) as members_count,
  (select p.name from number_pool_members k join senders p on p.account_id = k.account_id and p.id = k.pool_id
   where k.account_id = s.account_id and k.sender_id = s.id and k.pool_id <> s.id) as pool_name
  from senders s
  left join number_rentals n on n.account_id = s.account_id and n.sender_id = s.id and n.end_date is null`;

interface ListedRow extends Omit<ListedSender, 'rental'> {
  rental_currency: string | null;
  monthly_micros: number;
  renewal_date: string;
  grace_date: string | null;
}
const toListed = ({
  rental_currency,
  monthly_micros,
  renewal_date,
  grace_date,
  ...sender
}: ListedRow): ListedSender => ({
  ...sender,
  rental: rental_currency === null ? null : { currency: rental_currency, monthly_micros, renewal_date, grace_date },
});

interface SenderFilter {
  account_id: string;
  channel?: string | undefined;
  channels?: readonly string[] | undefined;
  type?: string | undefined;
  types?: readonly string[] | undefined;
  request_statuses?: readonly string[] | undefined;
  /** ISO codes. */
  countries?: readonly string[] | undefined;
  /** A part of the name or the code. */
  name?: string | undefined;
  status?: string | undefined;
  statuses?: readonly string[] | undefined;
}

/** Removed senders are listed only if the filter names their status. */
const showsDeleted = ({ status, statuses = [], request_statuses = [] }: SenderFilter): boolean =>
  [status, ...statuses].includes('canceled') || request_statuses.includes('DELETED');

const conditions = (filter: SenderFilter): Sql =>
  and([
    sql`s.account_id = ${filter.account_id} and s.shared_from is null`,
    !showsDeleted(filter) && sql`s.delete_date is null`,
    filter.types?.length && sql`s.type = any(${filter.types}::text[])`,
    filter.request_statuses?.length && sql`${requestStatus} = any(${filter.request_statuses}::text[])`,
    filter.countries?.length && sql`(${reach} = '{}' or ${reach} && ${filter.countries}::text[])`,
    filter.channels?.length && sql`s.channel = any(${filter.channels}::text[])`,
    filter.channel && sql`s.channel = ${filter.channel}`,
    filter.type && sql`s.type = ${filter.type}`,
    filter.name && sql`s.name || ' ' || s.code || ' ' || s.business_name ilike ${likePattern(filter.name)}`,
    filter.status && sql`s.status = ${filter.status}`,
    filter.statuses?.length && sql`s.status = any(${filter.statuses}::text[])`,
  ]);

const SORTS: Sorts<typeof listSenders> = {
  code: "lower(coalesce(nullif(s.code, ''), s.name))",
  status: 's.status',
  channel: 's.channel',
  type: 's.type',
  monthly_micros: 'coalesce(n.monthly_micros, 0)',
  renewal_date: "coalesce(n.grace_date, n.renewal_date, 'infinity')",
  create_date: 's.id',
};

export const listSenderRows = async (db: Queryable, filter: SenderFilter, page: Page): Promise<ListedSender[]> =>
  (
    await db.rows<ListedRow>(sql`
      select ${listed} where ${conditions(filter)}
      order by ${orderBy(page, SORTS, 's.id', 's.name, s.id')} limit ${page.size + 1} offset ${page.offset}`)
  ).map(toListed);

export const findListedSender = async (db: Queryable, account_id: string, id: string): Promise<ListedSender | null> => {
  const row = await db.maybeOne<ListedRow>(sql`select ${listed} where s.account_id = ${account_id} and s.id = ${id}`);
  return row && toListed(row);
};

export const countSenders = async (db: Queryable, filter: SenderFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from senders s where ${conditions(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findSender = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Sender>(sql`select ${columns} from senders s where s.account_id = ${account_id} and s.id = ${id}`);

/** The senders with this id, name, or code. A code may have a plus sign. */
export const listMatchingSenders = (db: Queryable, account_id: string, channel: string, from: string) =>
  db.rows<Sender & { shared: boolean }>(sql`
    select ${columns}, s.shared_from is not null as shared from senders s
    where s.account_id = ${account_id} and s.channel = ${channel}
      and (${from}::text in (s.name, s.code, '+' || s.code) or s.id::text = ${from.toLowerCase()})
    order by s.create_date, s.id`);

export type NewSender = Omit<Sender, 'create_date' | 'update_date' | 'countries' | 'pool_id'> & {
  brand: string;
  countries: readonly string[];
};

/** Returns 0 and writes nothing if the name is in use on the channel. */
export const insertSender = (tx: Tx, sender: NewSender) =>
  tx.run(sql`
    insert into senders (account_id, id, name, code, channel, type, status, countries, brand, create_date, update_date)
    values (${sender.account_id}, ${sender.id}, ${sender.name}, ${sender.code}, ${sender.channel}, ${sender.type},
            ${sender.status}, ${sender.countries}, ${sender.brand}, ${tx.now}, ${tx.now})
    on conflict (account_id, channel, name) where delete_date is null and shared_from is null do nothing`);

/** Returns 0 and writes nothing if another sender receives at this address. */
export const insertInboundAddress = (
  tx: Tx,
  sender: Pick<NewSender, 'account_id' | 'id' | 'channel' | 'code'> & { carrier_address?: string },
) =>
  tx.run(sql`
    insert into inbound_addresses (channel, address, account_id, sender_id)
    values (${sender.channel}, ${sender.carrier_address ?? sender.code}, ${sender.account_id}, ${sender.id})
    on conflict do nothing`);

/** Returns whether any sender in the account other than `except` has the code. */
export const isCodeInUse = async (
  db: Queryable,
  account_id: string,
  channel: string,
  code: string,
  except = '00000000-0000-0000-0000-000000000000',
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where account_id = ${account_id} and channel = ${channel} and lower(code) = lower(${code}) and id <> ${except}
      and status not in ('rejected', 'canceled', 'unregistered')`)) !== null;

/** Checks all accounts: a WhatsApp number or a Viber name belongs to one account only. */
export const isCodeTaken = async (db: Queryable, channel: string, code: string, except: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where channel = ${channel} and lower(code) = lower(${code}) and id <> ${except} and delete_date is null
      and status not in ('rejected', 'canceled', 'unregistered') limit 1`)) !== null;

export const findOwner = (db: Queryable, account_id: string) =>
  db.maybeOne<{ email: string; first_name: string; company_name: string }>(sql`
    select u.email, u.first_name, a.company_name
    from users u join accounts a on a.id = u.account_id
    where u.account_id = ${account_id} and u.is_owner and u.remove_date is null order by u.id limit 1`);
