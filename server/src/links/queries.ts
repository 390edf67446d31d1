import type { listShortUrls, ShortUrl, ShortUrlStat } from '@parley/contract/links/links.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';

/** The code takes the place of the short URL, which contains the domain. */
export type LinkRow = Omit<ShortUrl, 'short_url'> & { code: string | null };

const columns = raw(`
  l.id, l.account_id, l.url, l.name, l.domain, l.source, l.code, l.campaign_id, c.name as campaign_name, l.tags,
  l.expire_date, l.max_clicks, l.archived, l.password_hash is not null as has_password, l.recipients,
  l.clicks, l.unique_clicks, l.bot_clicks, l.first_click_date, l.last_click_date, l.create_date, l.update_date`);
const withCampaign = raw(`links l left join campaigns c on c.account_id = l.account_id and c.id = l.campaign_id`);

export interface LinkFilter {
  search?: string | undefined;
  sources?: readonly string[] | undefined;
  tag?: string | undefined;
  campaign_id?: string | undefined;
  archived?: boolean | undefined;
}

const conditions = (account_id: string, filter: LinkFilter): Sql =>
  and([
    sql`l.account_id = ${account_id}`,
    filter.search &&
      sql`(l.url ilike ${likePattern(filter.search)} or l.name ilike ${likePattern(filter.search)}
           or l.code = ${filter.search})`,
    filter.sources?.length && sql`l.source = any(${filter.sources}::text[])`,
    filter.tag && sql`${filter.tag} = any(l.tags)`,
    filter.campaign_id && sql`l.campaign_id = ${filter.campaign_id}`,
    sql`l.archived = ${filter.archived ?? false}`,
  ]);

const SORTS: Sorts<typeof listShortUrls> = { create_date: 'l.id' };

export const listLinkRows = (db: Queryable, account_id: string, filter: LinkFilter, page: Page) =>
  db.rows<LinkRow>(sql`
    select ${columns} from ${withCampaign} where ${conditions(account_id, filter)}
    order by ${orderBy(page, SORTS, 'l.id', 'l.id desc')} limit ${page.size + 1} offset ${page.offset}`);

export const countLinks = async (db: Queryable, account_id: string, filter: LinkFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from links l where ${conditions(account_id, filter)} limit ${page.count_limit}) capped`)
  ).count;

export const findLink = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<LinkRow>(sql`
    select ${columns} from ${withCampaign} where l.account_id = ${account_id} and l.id = ${id}`);

type NewLink = Pick<
  LinkRow,
  'account_id' | 'id' | 'url' | 'name' | 'domain' | 'source' | 'code' | 'tags' | 'expire_date' | 'max_clicks'
> & { password_hash: string | null };

export const insertLink = (tx: Tx, link: NewLink) =>
  tx.run(sql`
    with link as (
      insert into links (account_id, id, url, name, domain, source, code, tags, expire_date, max_clicks, password_hash,
                         create_date, update_date)
      values (${link.account_id}, ${link.id}, ${link.url}, ${link.name}, ${link.domain}, ${link.source}, ${link.code},
              ${link.tags}::text[], ${link.expire_date}::timestamptz, ${link.max_clicks}::int,
              ${link.password_hash}, ${tx.now}, ${tx.now})
    )
    insert into link_codes (code, account_id, kind, link_id)
    values (${link.code}, ${link.account_id}, 'link', ${link.id})`);

type LinkChange = Partial<
  Pick<LinkRow, 'url' | 'name' | 'tags' | 'expire_date' | 'max_clicks' | 'archived'> & { password_hash: string | null }
>;

/** Fields that are undefined stay unchanged. */
export function updateLink(tx: Tx, account_id: string, id: string, change: LinkChange): Promise<number> {
  const { url, name, tags, expire_date, max_clicks, password_hash, archived } = change;
  return tx.run(sql`
    update links set update_date = ${tx.now}
      ${url === undefined ? sql`` : sql`, url = ${url}`}
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${tags === undefined ? sql`` : sql`, tags = ${tags}::text[]`}
      ${expire_date === undefined ? sql`` : sql`, expire_date = ${expire_date}::timestamptz`}
      ${max_clicks === undefined ? sql`` : sql`, max_clicks = ${max_clicks}::int`}
      ${password_hash === undefined ? sql`` : sql`, password_hash = ${password_hash}`}
      ${archived === undefined ? sql`` : sql`, archived = ${archived}`}
    where account_id = ${account_id} and id = ${id}`);
}

export const deleteLink = async (tx: Tx, account_id: string, id: string): Promise<boolean> =>
  (await tx.run(sql`
    with codes as (delete from link_codes where account_id = ${account_id} and link_id = ${id}),
    clicks as (delete from link_clicks where account_id = ${account_id} and link_id = ${id}),
    visitors as (delete from link_visitors where account_id = ${account_id} and link_id = ${id})
    delete from links where account_id = ${account_id} and id = ${id}`)) > 0;

/** Adds recipients to the links with these URLs, and creates the links that do not exist. In the order of the URLs. */
export const countRecipients = (
  tx: Tx,
  { account_id, campaign_id, domain }: { account_id: string; campaign_id: string | null; domain: string | null },
  urls: readonly { id: string; url: string; recipients: number }[],
) =>
  tx.rows<{ id: string; url: string }>(sql`
    insert into links (account_id, id, url, domain, source, campaign_id, recipients, create_date, update_date)
    select ${account_id}::uuid, id, url, ${domain}::text, ${campaign_id === null ? 'message' : 'campaign'},
           ${campaign_id}::uuid, recipients, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${urls.map(({ id }) => id)}::uuid[], ${urls.map(({ url }) => url)}::text[],
                ${urls.map(({ recipients }) => recipients)}::bigint[]) as t(id, url, recipients)
    order by url
    on conflict (account_id, campaign_id, md5(url)) where source in ('message', 'campaign')
    do update set recipients = links.recipients + excluded.recipients, archived = false
    returning id, url`);

export interface RecipientCode {
  code: string;
  /** Null for an opt-out. */
  link_id: string | null;
  message_id: string;
  number: string;
  country: string;
  sender_id: string;
}

export const insertCodes = (tx: Tx, account_id: string, codes: readonly RecipientCode[]) =>
  tx.run(sql`
    insert into link_codes (code, account_id, kind, link_id, message_id, number, country, sender_id)
    select code, ${account_id}::uuid, case when link_id is null then 'opt_out' else 'link' end, link_id, message_id,
           number, country, case when link_id is null then sender_id end
    from unnest(
      ${codes.map(({ code }) => code)}::text[], ${codes.map(({ link_id }) => link_id)}::uuid[],
      ${codes.map(({ message_id }) => message_id)}::uuid[], ${codes.map(({ number }) => number)}::text[],
      ${codes.map(({ country }) => country)}::text[], ${codes.map(({ sender_id }) => sender_id)}::uuid[]
    ) as t(code, link_id, message_id, number, country, sender_id)`);

interface StatFilter {
  account_id: string;
  id?: string | undefined;
  campaign_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const clickConditions = ({ account_id, id, campaign_id, from, to }: StatFilter): Sql =>
  and([
    sql`k.account_id = ${account_id}`,
    id && sql`k.link_id = ${id}::uuid`,
    campaign_id &&
      sql`k.link_id in (select id from links where account_id = ${account_id} and campaign_id = ${campaign_id}::uuid)`,
    from && sql`k.click_date >= ${`${from}Z`}::timestamptz`,
    to && sql`k.click_date < ${`${to}Z`}::timestamptz + interval '1 second'`,
  ]);

/** The figures of one link or of all links, in one pass over the clicks. */
export const readClickStat = (db: Queryable, filter: StatFilter) =>
  db.one<ShortUrlStat>(sql`
    with k as materialized (
      select k.kind, k.is_unique, k.device, k.referrer, k.country, k.click_date from link_clicks k
      where ${clickConditions(filter)}
    ), p as (select * from k where kind = 'person')
    select
      (select count(*) from p) as clicks, (select count(*) from p where is_unique) as unique_clicks,
      (select count(*) from k where kind <> 'person') as bot_clicks,
      (select min(click_date) from p) as first_click_date,
      coalesce((select json_agg(d order by d.date) from (
        select to_char(click_date, 'YYYY-MM-DD') as date, count(*) filter (where kind = 'person') as clicks,
               count(*) filter (where is_unique) as unique_clicks,
               count(*) filter (where kind <> 'person') as bot_clicks
        from k group by 1) d), '[]') as days,
      ${shares('device')} as devices, ${shares('referrer')} as referrers,
      ${shares('country')} as countries`);

const shares = (column: 'device' | 'referrer' | 'country'): Sql => sql`
  coalesce((select json_agg(s order by s.clicks desc, s.name) from (
    select coalesce(${raw(column)}, '') as name, count(*) as clicks from p group by 1 order by 2 desc, 1 limit 50
  ) s), '[]')`;
