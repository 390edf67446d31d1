/**
 * Finds links by code and stores clicks, many in one statement. A click is committed before its response is sent, so it
 * survives a crash.
 */
import { linkClicked, shortUrlChanged } from '@parley/contract/links/links.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, sql, type Tx, together } from '../kernel/db/db.ts';
import { emit, emitMany } from '../kernel/live/events.ts';
import type { VisitKind } from './visitors.ts';

export interface FoundLink {
  account_id: string;
  kind: 'link' | 'opt_out';
  link_id: string | null;
  url: string | null;
  campaign_id: string | null;
  is_open: boolean;
  max_clicks: number | null;
  /** People must enter the password first. */
  password_hash: string | null;
  message_id: string | null;
  number: string | null;
  country: string | null;
  sender_id: string | null;
  company_name: string;
}

interface Wanted {
  code: string;
  /** The host of the request. On the domain of an account, only its own links open. */
  host: string;
}

export async function findLinks(db: Queryable, now: Date, wanted: readonly Wanted[]): Promise<(FoundLink | null)[]> {
  const rows = await db.rows<FoundLink & { n: number }>(sql`
    select w.n::int as n, c.account_id, c.kind, c.link_id, c.message_id, c.number, c.country, c.sender_id, l.url,
           l.campaign_id, l.max_clicks, l.password_hash, a.company_name,
           not l.archived and (l.expire_date is null or l.expire_date > ${now}::timestamptz) and
             (l.max_clicks is null or l.clicks < l.max_clicks) as is_open
    from unnest(${wanted.map(({ code }) => code)}::text[], ${wanted.map(({ host }) => host)}::text[])
         with ordinality as w(code, host, n)
    join link_codes c on c.code = w.code
    join accounts a on a.id = c.account_id
    left join links l on l.account_id = c.account_id and l.id = c.link_id
    left join link_domains d on d.host = w.host and d.verified
    where (d.account_id is null or d.account_id = c.account_id) and (c.kind = 'opt_out' or l.id is not null)`);
  const found: (FoundLink | null)[] = wanted.map(() => null);
  for (const row of rows) found[row.n - 1] = row;
  return found;
}

const announced = new Map<string, number>();
/** Open pages reload at most this often. */
const ANNOUNCE_MS = 2_000;
const MAX_ANNOUNCED = 10_000;

/** Tells open pages that a link has new clicks. */
function announce(tx: Tx, { account_id, link_id }: Click['link']): void {
  const now = tx.now.getTime();
  if (now - (announced.get(account_id) ?? 0) < ANNOUNCE_MS) return;
  announced.delete(account_id);
  announced.set(account_id, now);
  if (announced.size > MAX_ANNOUNCED) announced.delete(announced.keys().next().value!);
  emit(tx, shortUrlChanged, account_id, { id: link_id, change: 'clicked' });
}

export interface Click {
  link: FoundLink & { link_id: string; url: string };
  kind: VisitKind;
  visitor: string;
  device: string;
  referrer: string;
  /** True if the click was already added to the link's total, because the link has a limit. */
  is_counted: boolean;
}

/** Adds a click to a link with a limit. Returns false if the limit is reached. */
export const takeClick = async (db: Queryable, { account_id, link_id }: Click['link']): Promise<boolean> =>
  (await db.run(sql`
    update links set clicks = clicks + 1
    where account_id = ${account_id} and id = ${link_id} and clicks < max_clicks`)) > 0;

export async function storeClicks(db: Db, clicks: readonly Click[]): Promise<void> {
  await db.tx(async (tx) => {
    const ids = clicks.map(() => newId(tx.now.getTime()));
    // The response does not wait for the disk: a crash of this process loses no click, only one of the database server.
    const [, rows] = await together(tx.run(sql`set local synchronous_commit = off`), insertClicks(tx, ids, clicks));
    const unique = new Set(rows.map(({ id }) => id));
    const click_date = tx.now.toISOString().slice(0, 19).replace('T', ' ');
    const events = clicks.flatMap(({ link, kind, device }, at) => {
      if (kind !== 'person') return [];
      const { account_id, link_id, url, campaign_id, message_id, number } = link;
      const is_unique = unique.has(ids[at]!);
      const payload = { link_id, url, campaign_id, message_id, number, device, is_unique, click_date };
      return [{ account_id, payload }];
    });
    tx.beforeCommit('clicks', (own) => emitMany(own, linkClicked, events));
    for (const { link } of clicks) announce(tx, link);
  });
}

/** Returns the clicks that are the first of their person. Rows are locked in one order, so batches cannot deadlock. */
const insertClicks = (tx: Tx, ids: readonly string[], clicks: readonly Click[]) =>
  tx.rows<{ id: string }>(sql`
    with click as materialized (
      select * from unnest(
        ${ids}::uuid[], ${clicks.map(({ link }) => link.account_id)}::uuid[],
        ${clicks.map(({ link }) => link.link_id)}::uuid[], ${clicks.map(({ kind }) => kind)}::text[],
        ${clicks.map(({ visitor }) => visitor)}::text[], ${clicks.map(({ device }) => device)}::text[],
        ${clicks.map(({ referrer }) => referrer)}::text[], ${clicks.map(({ link }) => link.country)}::text[],
        ${clicks.map(({ link }) => link.message_id)}::uuid[], ${clicks.map(({ link }) => link.number)}::text[],
        ${clicks.map(({ is_counted }) => is_counted)}::boolean[]
      ) as c(id, account_id, link_id, kind, visitor, device, referrer, country, message_id, number, is_counted)
    ), known as (
      -- Links that were deleted in the meantime are left out.
      select l.account_id, l.id from (select distinct account_id, link_id from click) c
      join links l on l.account_id = c.account_id and l.id = c.link_id
      order by l.account_id, l.id for update of l
    ), fresh as (
      insert into link_visitors (account_id, link_id, visitor)
      select distinct c.account_id, c.link_id, c.visitor
      from click c join known k on k.account_id = c.account_id and k.id = c.link_id where c.kind = 'person'
      order by 1, 2, 3
      on conflict do nothing
      returning account_id, link_id, visitor
    ), marked as (
      select c.*, f.visitor is not null and row_number() over (
               partition by c.account_id, c.link_id, c.visitor, c.kind order by c.id) = 1 as is_unique
      from click c join known k on k.account_id = c.account_id and k.id = c.link_id
      left join fresh f on c.kind = 'person' and f.account_id = c.account_id and f.link_id = c.link_id
        and f.visitor = c.visitor
    ), inserted as (
      insert into link_clicks (account_id, id, link_id, kind, is_unique, device, referrer, country, message_id, number,
                               click_date)
      select account_id, id, link_id, kind, is_unique, device, referrer, country, message_id, number,
             ${tx.now}::timestamptz
      from marked
    ), counted as (
      update links l set
        clicks = l.clicks + n.clicks, unique_clicks = l.unique_clicks + n.unique_clicks,
        bot_clicks = l.bot_clicks + n.bots,
        first_click_date = case when n.people > 0 then coalesce(l.first_click_date, ${tx.now}) else l.first_click_date
          end,
        last_click_date = case when n.people > 0 then ${tx.now} else l.last_click_date end
      from (
        select account_id, link_id, count(*) filter (where kind = 'person') as people,
               count(*) filter (where kind = 'person' and not is_counted) as clicks,
               count(*) filter (where is_unique) as unique_clicks, count(*) filter (where kind <> 'person') as bots
        from marked group by account_id, link_id
      ) n
      where l.account_id = n.account_id and l.id = n.link_id
    )
    select id from marked where is_unique`);
