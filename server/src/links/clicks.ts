/**
 * Records clicks before their response, many in one row, and stores them a moment later. A recorded click survives a
 * crash of the process. Each click is stored exactly once, because its row is deleted in the same transaction.
 */
import { linkClicked, shortUrlChanged } from '@parley/contract/links/links.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit, emitMany } from '../kernel/live/events.ts';
import type { FoundLink } from './lookup.ts';
import type { VisitKind } from './visitors.ts';

export interface Click extends Pick<FoundLink, 'account_id' | 'message_id' | 'number' | 'country'> {
  link_id: string;
  kind: VisitKind;
  visitor: string;
  device: string;
  referrer: string;
  /** True if the click was already added to the link's total, because the link has a limit. */
  is_counted: boolean;
  /** RFC 3339. */
  click_date: string;
}

/** Adds a click to a link with a limit. Returns false if the limit is reached. */
export const takeClick = async (
  db: Queryable,
  { account_id, link_id }: { account_id: string; link_id: string },
): Promise<boolean> =>
  (await db.run(sql`
    update links set clicks = clicks + 1
    where account_id = ${account_id} and id = ${link_id} and clicks < max_clicks`)) > 0;

/** The response does not wait for the disk: a crash of this process loses no click, only one of the database server. */
export const recordClicks = (db: Queryable, clicks: readonly Click[]): Promise<number> =>
  db.run(sql`
    with fast as (select set_config('synchronous_commit', 'off', true))
    insert into click_batches (id, clicks) select ${newId()}::uuid, ${JSON.stringify(clicks)}::json from fast`);

/** Bounds a transaction: each row has up to some hundred clicks. */
const ROWS = 16;

/** Stores recorded clicks. Returns their number. Several workers can do this at once. */
export const storeClicks = (db: Db): Promise<number> =>
  db.tx(async (tx) => {
    const batches = await tx.rows<{ clicks: Click[] }>(sql`
      delete from click_batches
      where id = any(array(select id from click_batches order by id limit ${ROWS} for update skip locked))
      returning clicks`);
    const clicks = batches.flatMap((batch) => batch.clicks);
    if (clicks.length > 0) await storeBatch(tx, clicks);
    return clicks.length;
  });

async function storeBatch(tx: Tx, clicks: readonly Click[]): Promise<void> {
  const rows = await insertClicks(tx, clicks);
  const events = rows.map(({ n, id: _, ...link }) => {
    const { account_id, link_id, message_id, number, device, click_date } = clicks[n - 1]!;
    const date = click_date.slice(0, 19).replace('T', ' ');
    return { account_id, payload: { ...link, link_id, message_id, number, device, click_date: date } };
  });
  tx.beforeCommit('clicks', (own) => emitMany(own, linkClicked, events));
  for (const click of clicks) announce(tx, click);
}

const announced = new Map<string, number>();
/** Open pages reload at most this often. */
const ANNOUNCE_MS = 2_000;
const MAX_ANNOUNCED = 10_000;

/** Notifies open pages that a link has new clicks. */
function announce(tx: Tx, { account_id, link_id }: Click): void {
  const now = tx.now.getTime();
  if (now - (announced.get(account_id) ?? 0) < ANNOUNCE_MS) return;
  announced.delete(account_id);
  announced.set(account_id, now);
  if (announced.size > MAX_ANNOUNCED) announced.delete(announced.keys().next().value!);
  emit(tx, shortUrlChanged, account_id, { id: link_id, change: 'clicked' });
}

interface StoredClick {
  /** The position of the click, from 1. */
  n: number;
  id: string;
  url: string;
  campaign_id: string | null;
  /** The first click of its person on this link. */
  is_unique: boolean;
}

/**
 * Stores the clicks and returns those by people. Clicks on links that were deleted in the meantime are left out. Rows
 * are locked in one order, so batches cannot deadlock.
 */
const insertClicks = (tx: Tx, clicks: readonly Click[]) =>
  tx.rows<StoredClick>(sql`
    with click as materialized (
      select * from unnest(
        ${clicks.map(({ click_date }) => newId(Date.parse(click_date)))}::uuid[],
        ${clicks.map(({ account_id }) => account_id)}::uuid[],
        ${clicks.map(({ link_id }) => link_id)}::uuid[], ${clicks.map(({ kind }) => kind)}::text[],
        ${clicks.map(({ visitor }) => visitor)}::text[], ${clicks.map(({ device }) => device)}::text[],
        ${clicks.map(({ referrer }) => referrer)}::text[], ${clicks.map(({ country }) => country)}::text[],
        ${clicks.map(({ message_id }) => message_id)}::uuid[], ${clicks.map(({ number }) => number)}::text[],
        ${clicks.map(({ is_counted }) => is_counted)}::boolean[],
        ${clicks.map(({ click_date }) => click_date)}::timestamptz[]
      ) with ordinality
        as c(id, account_id, link_id, kind, visitor, device, referrer, country, message_id, number, is_counted,
             click_date, n)
    ), known as materialized (
      select l.account_id, l.id, l.url, l.campaign_id from (select distinct account_id, link_id from click) c
      join links l on l.account_id = c.account_id and l.id = c.link_id
      order by l.account_id, l.id for update of l
    ), fresh as (
      insert into link_visitors (account_id, link_id, visitor)
      select distinct c.account_id, c.link_id, c.visitor
      from click c join known k on k.account_id = c.account_id and k.id = c.link_id where c.kind = 'person'
      order by 1, 2, 3
      on conflict do nothing
      returning account_id, link_id, visitor
    ), marked as materialized (
      select c.*, k.url, k.campaign_id, f.visitor is not null and row_number() over (
               partition by c.account_id, c.link_id, c.visitor, c.kind order by c.id) = 1 as is_unique
      from click c join known k on k.account_id = c.account_id and k.id = c.link_id
      left join fresh f on c.kind = 'person' and f.account_id = c.account_id and f.link_id = c.link_id
        and f.visitor = c.visitor
    ), inserted as (
      insert into link_clicks (account_id, id, link_id, kind, is_unique, device, referrer, country, message_id, number,
                               click_date)
      select account_id, id, link_id, kind, is_unique, device, referrer, country, message_id, number, click_date
      from marked
    ), counted as (
      update links l set
        clicks = l.clicks + n.clicks, unique_clicks = l.unique_clicks + n.unique_clicks,
        bot_clicks = l.bot_clicks + n.bots,
        first_click_date = least(l.first_click_date, n.first_date),
        last_click_date = greatest(l.last_click_date, n.last_date)
      from (
        select account_id, link_id,
               count(*) filter (where kind = 'person' and not is_counted) as clicks,
               count(*) filter (where is_unique) as unique_clicks, count(*) filter (where kind <> 'person') as bots,
               min(click_date) filter (where kind = 'person') as first_date,
               max(click_date) filter (where kind = 'person') as last_date
        from marked group by account_id, link_id
      ) n
      where l.account_id = n.account_id and l.id = n.link_id
    )
    select n::int as n, id, url, campaign_id, is_unique from marked where kind = 'person' order by n`);

const POLL_MS = 500;

/** Stores recorded clicks as long as there are any. */
export const startClicks = (kernel: Kernel): PollLoop =>
  new PollLoop(kernel, { name: 'clicks', poll_ms: POLL_MS, step: async () => (await storeClicks(kernel.db)) > 0 });
