/**
 * Records clicks before their response, many in one row, and stores them a moment later. A recorded click survives a
 * crash of the process. Each click is stored exactly once, because its row is deleted in the same transaction.
 */
import { setTimeout } from 'node:timers/promises';
import { linkClicked, shortUrlChanged } from '@parley/contract/links/links.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, runTogether, sql, type Tx } from '../kernel/db/db.ts';
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

/** Returns true if clicks until this time have been recorded and not stored. The ID of a batch begins with its time. */
export async function hasRecordedClicks(db: Queryable, until: string): Promise<boolean> {
  const last = newId(Date.parse(until) + 1);
  return (await db.maybeOne(sql`select id from click_batches where id < ${last}::uuid limit 1`)) !== null;
}

/** Bounds a transaction: each row has up to a few hundred clicks. */
const ROWS = 8;
/** A transaction with this many clicks is probably not the last one. */
const BUSY = 100;

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

interface KnownLink {
  account_id: string;
  id: string;
  url: string;
  campaign_id: string | null;
}

/** Leaves out clicks on links that were deleted in the meantime. */
async function storeBatch(tx: Tx, recorded: readonly Click[]): Promise<void> {
  const links = await lockLinks(tx, recorded);
  const clicks = recorded.filter(({ link_id }) => links.has(link_id));
  if (clicks.length === 0) return;
  const fresh = await insertVisitors(tx, clicks);
  // The first click of a person on a link.
  const unique = clicks.map((click) => click.kind === 'person' && fresh.delete(visitKey(click)));
  await runTogether(insertClicks(tx, clicks, unique), countClicks(tx, links, clicks, unique));
  const events = clicks.flatMap(({ account_id, link_id, message_id, number, device, click_date, kind }, at) => {
    if (kind !== 'person') return [];
    const { url, campaign_id } = links.get(link_id)!;
    const date = click_date.slice(0, 19).replace('T', ' ');
    const is_unique = unique[at]!;
    const payload = { link_id, url, campaign_id, message_id, number, device, is_unique, click_date: date };
    return [{ account_id, payload }];
  });
  tx.beforeCommit('clicks', (own) => emitMany(own, linkClicked, events));
  for (const click of clicks) announce(tx, click);
}

/** Locks the links in one order, so batches cannot deadlock. */
async function lockLinks(tx: Tx, clicks: readonly Click[]): Promise<Map<string, KnownLink>> {
  const wanted = new Map(clicks.map(({ link_id, account_id }) => [link_id, account_id]));
  const rows = await tx.rows<KnownLink>(sql`
    select l.account_id, l.id, l.url, l.campaign_id
    from unnest(${[...wanted.values()]}::uuid[], ${[...wanted.keys()]}::uuid[]) as c(account_id, link_id)
    join links l on l.account_id = c.account_id and l.id = c.link_id
    order by l.account_id, l.id for update of l`);
  return new Map(rows.map((row) => [row.id, row]));
}

const visitKey = ({ link_id, visitor }: Pick<Click, 'link_id' | 'visitor'>): string => `${link_id} ${visitor}`;

/** Returns the keys of the people who had not opened the link before. */
async function insertVisitors(tx: Tx, clicks: readonly Click[]): Promise<Set<string>> {
  const people = new Map(clicks.filter(({ kind }) => kind === 'person').map((click) => [visitKey(click), click]));
  const visits = [...people.values()];
  const rows = await tx.rows<Pick<Click, 'link_id' | 'visitor'>>(sql`
    insert into link_visitors (account_id, link_id, visitor)
    select * from unnest(
      ${visits.map(({ account_id }) => account_id)}::uuid[], ${visits.map(({ link_id }) => link_id)}::uuid[],
      ${visits.map(({ visitor }) => visitor)}::text[])
    on conflict do nothing
    returning link_id, visitor`);
  return new Set(rows.map(visitKey));
}

const insertClicks = (tx: Tx, clicks: readonly Click[], unique: readonly boolean[]) =>
  tx.run(sql`
    insert into link_clicks (account_id, id, link_id, kind, is_unique, device, referrer, country, message_id, number,
                             click_date)
    select * from unnest(
      ${clicks.map(({ account_id }) => account_id)}::uuid[],
      ${clicks.map(({ click_date }) => newId(Date.parse(click_date)))}::uuid[],
      ${clicks.map(({ link_id }) => link_id)}::uuid[], ${clicks.map(({ kind }) => kind)}::text[], ${unique}::boolean[],
      ${clicks.map(({ device }) => device)}::text[], ${clicks.map(({ referrer }) => referrer)}::text[],
      ${clicks.map(({ country }) => country)}::text[], ${clicks.map(({ message_id }) => message_id)}::uuid[],
      ${clicks.map(({ number }) => number)}::text[], ${clicks.map(({ click_date }) => click_date)}::timestamptz[])`);

/** The clicks that a batch adds to a link. */
interface Counts {
  clicks: number;
  unique: number;
  bots: number;
  /** The dates of the clicks by people. */
  dates: string[];
}

function countClicks(
  tx: Tx,
  links: ReadonlyMap<string, KnownLink>,
  clicks: readonly Click[],
  unique: readonly boolean[],
): Promise<number> {
  const counts = new Map<string, Counts>();
  for (const [at, { link_id, kind, is_counted, click_date }] of clicks.entries()) {
    const sums = counts.get(link_id) ?? { clicks: 0, unique: 0, bots: 0, dates: [] };
    counts.set(link_id, sums);
    if (kind !== 'person') sums.bots++;
    else sums.dates.push(click_date);
    if (kind === 'person' && !is_counted) sums.clicks++;
    if (unique[at]) sums.unique++;
  }
  const sums = [...counts.values()].map(({ dates, ...rest }) => ({ ...rest, dates: dates.sort() }));
  return tx.run(sql`
    update links l set
      clicks = l.clicks + n.clicks, unique_clicks = l.unique_clicks + n.unique_clicks,
      bot_clicks = l.bot_clicks + n.bots,
      first_click_date = least(l.first_click_date, n.first_date),
      last_click_date = greatest(l.last_click_date, n.last_date)
    from unnest(
      ${[...counts.keys()].map((id) => links.get(id)!.account_id)}::uuid[], ${[...counts.keys()]}::uuid[],
      ${sums.map((sum) => sum.clicks)}::bigint[], ${sums.map((sum) => sum.unique)}::bigint[],
      ${sums.map((sum) => sum.bots)}::bigint[], ${sums.map(({ dates }) => dates[0] ?? null)}::timestamptz[],
      ${sums.map(({ dates }) => dates.at(-1) ?? null)}::timestamptz[]
    ) as n(account_id, id, clicks, unique_clicks, bots, first_date, last_date)
    where l.account_id = n.account_id and l.id = n.id`);
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

const POLL_MS = 500;
/** The pause after a transaction, as a multiple of its duration. While many people open links, redirects come first. */
const PAUSE = 3;

/** Stores recorded clicks as long as there are any. */
export const startClicks = (kernel: Kernel): PollLoop =>
  new PollLoop(kernel, {
    name: 'clicks',
    poll_ms: POLL_MS,
    async step() {
      const started = performance.now();
      const stored = await storeClicks(kernel.db);
      if (stored >= BUSY) await setTimeout((performance.now() - started) * PAUSE);
      return stored > 0;
    },
  });
