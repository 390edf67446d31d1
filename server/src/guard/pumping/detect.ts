/**
 * Counts accepted messages by destination and looks for signs of fraud. The gate leaves a row per batch of messages in
 * the transaction that accepts them, and one transaction counts the messages of some batches, deletes the rows, and
 * starts the stops. So every message counts once, after a crash as well, and a stop exists exactly if its messages were
 * counted. All statements read rows of one account, except the one that finds accounts with batches.
 */
import type { MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { type Db, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import { PollLoop } from '../../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { toRange } from './places.ts';
import { readTrafficProtection } from './protection.ts';
import { findLongestRuns } from './runs.ts';
import {
  type Finding,
  findSignals,
  MESSAGE_RULES,
  MIN_SENT,
  measureSigns,
  type PlaceFigures,
  SPREAD,
} from './signals.ts';
import { addTrafficStop, liftTraffic, tryLockTraffic } from './stops.ts';

/** Counts the outcomes of an hour. */
export const settleHour = job<{ account_id: string; hour: string }>('guard.settle_hour', {
  key: ({ account_id, hour }) => `${account_id} ${hour}`,
});

const HOUR_MS = 3_600_000;
/** How long after its end the outcomes of an hour are counted, so that all hours are compared at the same age. */
const SETTLE_MS = 15 * 60_000;
/** A transaction counts at most this many batches. A batch has at most 1,000 messages. */
const BATCHES = 20;
const ACCOUNTS = 50;
const POLL_MS = 1_000;
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

export function startDetection(kernel: Pick<Kernel, 'db' | 'log'>): PollLoop {
  const place: Place = { after: null };
  return new PollLoop(kernel, {
    ...{ name: 'signs of fraud', poll_ms: POLL_MS },
    step: () => detectAll(kernel.db, place),
  });
}

/** The account after which the next step begins, so that all have their turn. */
interface Place {
  after: string | null;
}

/** Returns true if more batches wait. If an account fails, the others are still counted. */
export async function detectAll(db: Db, place: Place = { after: null }): Promise<boolean> {
  // Skips from account to account, so that many batches of one account are not read.
  const accounts = await db.rows<{ account_id: string }>(sql`
    with recursive waiting as (
      (select account_id, 1 as n from traffic_batches
       where account_id > ${place.after ?? NO_ACCOUNT}::uuid order by account_id limit 1)
      union all
      select (select b.account_id from traffic_batches b where b.account_id > w.account_id
              order by b.account_id limit 1), n + 1
      from waiting w where w.account_id is not null and n < ${ACCOUNTS}
    )
    select account_id from waiting where account_id is not null`);
  const isFull = accounts.length === ACCOUNTS;
  let isMore = isFull || place.after !== null;
  place.after = isFull ? accounts.at(-1)!.account_id : null;
  const errors: unknown[] = [];
  for (const { account_id } of accounts) {
    const counted = await db.tx((tx) => detectAccount(tx, account_id)).catch((error: unknown) => errors.push(error));
    if (counted === BATCHES) isMore = true;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'some accounts were not counted');
  return isMore;
}

interface MessageRow {
  traffic: MessageTraffic;
  number: string;
  country: string;
  hour: number;
}

/** Returns the number of counted batches; zero if another worker counts those of the account. */
async function detectAccount(tx: Tx, account_id: string): Promise<number> {
  if (!(await tryLockTraffic(tx, account_id))) return 0;
  const batches = await tx.rows<{ hold_id: string; first_id: string; last_id: string; traffic: MessageTraffic }>(sql`
    delete from traffic_batches where account_id = ${account_id} and hold_id = any(array(
      select hold_id from traffic_batches where account_id = ${account_id} order by hold_id limit ${BATCHES}))
    returning hold_id, first_id, last_id, traffic`);
  if (batches.length === 0) return 0;
  const messages = await tx.rows<MessageRow>(sql`
    select b.traffic, m.number, m.country, floor(extract(epoch from m.create_date) / 3600)::int as hour
    from unnest(${batches.map(({ hold_id }) => hold_id)}::uuid[], ${batches.map(({ first_id }) => first_id)}::uuid[],
                ${batches.map(({ last_id }) => last_id)}::uuid[], ${batches.map(({ traffic }) => traffic)}::text[])
      as b(hold_id, first_id, last_id, traffic)
    cross join lateral (
      select number, country, create_date from messages m
      where m.account_id = ${account_id} and m.id between b.first_id and b.last_id and m.hold_id = b.hold_id
      -- Reads each batch by its IDs, and never all messages of the account.
      offset 0) m`);
  const counted = await addCounts(tx, account_id, messages);
  await liftTraffic(tx, account_id, sql`expire_date <= ${tx.now}`, { reason: 'time' });
  const protection = await readTrafficProtection(tx, account_id);
  for (const traffic of new Set(messages.map((message) => message.traffic))) {
    const action = protection[traffic];
    if (action === 'off') continue;
    const own = messages.filter((message) => message.traffic === traffic);
    for (const { place, found, figures } of await compare(tx, account_id, traffic, own, counted))
      for (const finding of action === 'block' ? found.slice(0, 1) : found)
        await addTrafficStop(tx, {
          ...{ ...place, ...finding, account_id, traffic, figures },
          ...{ refuses: action === 'block', lift_hours: protection.lift_hours },
        });
  }
  failpoint('before_traffic_stop_commit');
  return batches.length;
}

interface Count {
  traffic: MessageTraffic;
  kind: 'account' | 'country' | 'range';
  place: string;
  country: string;
  hour: number;
  sent: number;
}

/** Returns the counts of the hours with these messages. */
async function addCounts(tx: Tx, account_id: string, messages: readonly MessageRow[]): Promise<Count[]> {
  const counts = new Map<string, Count>();
  const add = (message: MessageRow, kind: Count['kind'], place: string) => {
    const { traffic, hour, country } = message;
    const key = `${kind} ${place} ${hour} ${traffic}`;
    const count = counts.get(key);
    if (count) count.sent++;
    else counts.set(key, { traffic, kind, place, country: kind === 'account' ? '' : country, hour, sent: 1 });
  };
  for (const message of messages) {
    add(message, 'account', '');
    add(message, 'country', message.country);
    const range = toRange(message.number);
    if (range) add(message, 'range', range);
  }
  const added = [...counts.values()];
  const rows = await tx.rows<Omit<Count, 'country'> & { is_new: boolean }>(sql`
    insert into traffic_counts as c (account_id, kind, place, country, hour, traffic, sent)
    select ${account_id}::uuid, t.kind, t.place, t.country, to_timestamp(t.hour * 3600), t.traffic, t.sent
    from unnest(${added.map(({ kind }) => kind)}::text[], ${added.map(({ place }) => place)}::text[],
                ${added.map(({ country }) => country)}::text[], ${added.map(({ hour }) => hour)}::bigint[],
                ${added.map(({ traffic }) => traffic)}::text[],
                ${added.map(({ sent }) => sent)}::int[]) as t(kind, place, country, hour, traffic, sent)
    on conflict (account_id, kind, place, hour, traffic) do update set sent = c.sent + excluded.sent
    returning kind, place, (extract(epoch from hour) / 3600)::int as hour, traffic, sent, xmax = 0 as is_new`);
  for (const { hour } of rows.filter(({ kind, is_new }) => kind === 'account' && is_new)) {
    const start = new Date(hour * HOUR_MS);
    const start_after = new Date(start.getTime() + HOUR_MS + SETTLE_MS);
    await enqueue(tx, settleHour, { account_id, hour: start.toISOString() }, { start_after });
  }
  return rows.map(({ kind, place, hour, traffic, sent }) => {
    const { country } = counts.get(`${kind} ${place} ${hour} ${traffic}`)!;
    return { kind, place, hour, traffic, sent, country };
  });
}

interface Suspect {
  place: { kind: 'range' | 'country'; place: string; country: string };
  found: Finding[];
  /** The measured figures, including those of signs that were not found. */
  figures: Finding[];
}

/** Compares the destinations of new messages that have enough of them in this hour. */
async function compare(
  tx: Tx,
  account_id: string,
  traffic: MessageTraffic,
  messages: readonly MessageRow[],
  counted: readonly Count[],
): Promise<Suspect[]> {
  const now = Math.floor(tx.now.getTime() / HOUR_MS);
  const own = counted.filter((count) => count.traffic === traffic && count.hour === now);
  const all_sent = own.find(({ kind }) => kind === 'account')?.sent ?? 0;
  const runs = await findLongestRuns(tx, account_id, traffic, messages, MESSAGE_RULES[traffic].min_run);
  const places = own.filter(({ kind, place, sent }) => {
    if (kind === 'account') return false;
    if (kind === 'country') return sent >= MIN_SENT.country;
    return runs.has(place) || (sent >= MIN_SENT.range && sent >= all_sent * SPREAD);
  });
  if (places.length === 0) return [];
  const past = await readPast(tx, account_id, traffic, places, now);
  const all_before = past.get('account ')?.before ?? 0;
  return places.flatMap(({ kind, place, country, sent }) => {
    if (kind === 'account') return [];
    const own = past.get(`${kind} ${place}`);
    const { before_day = 0, busiest = 0 } = own ?? {};
    const figures: PlaceFigures = {
      ...{ kind, sent, unused: sent, usual_unused: 0, busiest, all_sent, all_before },
      // Outcomes are compared after the hour.
      ...{ day_sent: 0, day_verified: 0, before_sent: before_day, before_verified: 0 },
      run: kind === 'range' ? (runs.get(place) ?? 0) : 0,
    };
    const found = findSignals(figures, MESSAGE_RULES[traffic]);
    if (found.length === 0) return [];
    const measured = measureSigns(figures).filter(({ evidence }) => evidence.sample > 0);
    return [{ place: { kind, place, country }, found, figures: [...readDelivery(own), ...measured] }];
  });
}

/** The share of the last 24 hours that carriers delivered, and that of the weeks before. */
function readDelivery(past: Past | undefined): Finding[] {
  if (!past?.day_outcomes || !past.before_outcomes) return [];
  const { day_outcomes, day_delivered, before_outcomes, before_delivered } = past;
  const [observed, usual] = [day_delivered / day_outcomes, before_delivered / before_outcomes];
  return [{ signal: 'conversion', evidence: { observed, usual, sample: day_outcomes, measure: 'delivered' } }];
}

interface Past {
  kind: string;
  place: string;
  /** Before this hour, and before the last 24 hours. */
  before: number;
  before_day: number;
  busiest: number;
  /** The outcomes of the last 24 hours, and of the days before. */
  day_outcomes: number;
  day_delivered: number;
  before_outcomes: number;
  before_delivered: number;
}

/** The hours of 15 days are at most 360 rows per place. */
async function readPast(
  tx: Tx,
  account_id: string,
  traffic: MessageTraffic,
  places: readonly Count[],
  now: number,
): Promise<Map<string, Past>> {
  const hour = new Date(now * HOUR_MS);
  const sumOutcomes = (column: 'outcomes' | 'delivered', side: '>=' | '<') => sql`
    coalesce(sum(c.${raw(column)}) filter (
      where c.hour ${raw(side)} ${hour}::timestamptz - interval '24 hours'), 0)::int`;
  const rows = await tx.rows<Past>(sql`
    select p.kind, p.place, coalesce(sum(c.sent), 0)::int as before, coalesce(max(c.sent), 0) as busiest,
           coalesce(sum(c.sent) filter (where c.hour < ${hour}::timestamptz - interval '24 hours'), 0)::int
             as before_day,
           ${sumOutcomes('outcomes', '>=')} as day_outcomes, ${sumOutcomes('delivered', '>=')} as day_delivered,
           ${sumOutcomes('outcomes', '<')} as before_outcomes, ${sumOutcomes('delivered', '<')} as before_delivered
    from unnest(${['account', ...places.map(({ kind }) => kind)]}::text[],
                ${['', ...places.map(({ place }) => place)]}::text[]) as p(kind, place)
    join traffic_counts c on c.account_id = ${account_id} and c.kind = p.kind and c.place = p.place
      and c.traffic = ${traffic} and c.hour < ${hour}::timestamptz
      and c.hour > ${hour}::timestamptz - interval '15 days'
    group by 1, 2`);
  return new Map(rows.map((row) => [`${row.kind} ${row.place}`, row]));
}
