/**
 * Finds runs of consecutive numbers among the recipients of the last hour. It looks up the neighbors of a sample of the
 * new messages: in an attack, nearly every number has neighbors, and otherwise nearly none has.
 */

import type { MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { runTogether, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { COUNTED_SOURCES, toRange, trafficFrom } from './places.ts';

const HOUR_MS = 3_600_000;
const SAMPLE = 200;
/** A run is measured for at most this many numbers of the sample, one per thousand numbers. */
const MEASURED = 10;
/** The reach of a measurement on each side of a number. */
const REACH = 50;

/** Returns the longest run of each range that has one. */
export async function findLongestRuns(
  tx: Tx,
  account_id: string,
  traffic: MessageTraffic,
  messages: readonly { number: string }[],
  min_run: number,
): Promise<Map<string, number>> {
  const numbers = [...new Set(messages.map(({ number }) => number))]
    .filter((number) => /^\d{8,15}$/.test(number))
    .sort();
  const step = Math.max(1, numbers.length / SAMPLE);
  const sample = Array.from({ length: Math.min(numbers.length, SAMPLE) }, (_, n) => numbers[Math.floor(n * step)]!);
  const hits = await findNeighbors(tx, account_id, traffic, sample);
  const runs = new Map<string, number>();
  for (const [number, run] of await measureRuns(
    tx,
    account_id,
    traffic,
    [...byBlock(hits).values()].slice(0, MEASURED),
  ))
    if (run >= min_run) runs.set(toRange(number), Math.max(run, runs.get(toRange(number)) ?? 0));
  return runs;
}

const byBlock = (numbers: readonly string[]) => new Map(numbers.map((number) => [number.slice(0, -3), number]));

/**
 * Only the index that starts with the account and the number has this order, so each number is looked up in it. Without
 * the order, PostgreSQL could read all messages of the account in this hour for each number instead: its statistics are
 * often older, and then it expects that there are none.
 */
const selectGotMessage = (tx: Tx, account_id: string, traffic: MessageTraffic, number: Sql): Sql => sql`(
  select true from messages m
  where m.account_id = ${account_id} and m.number = ${number}
    and m.id >= ${idAt(tx.now.getTime() - HOUR_MS - ID_MARGIN_MS)}::uuid
    and m.create_date > ${new Date(tx.now.getTime() - HOUR_MS)}::timestamptz and m.direction = 'MT'
    and m.source = any(${COUNTED_SOURCES.filter((source) => trafficFrom(source) === traffic)}::text[])
  order by m.sender_id, m.id limit 1)`;

/** Reads rows in the order of an index, and never sorts them. */
async function readInOrder<T>(tx: Tx, query: Sql): Promise<T[]> {
  const [, rows] = await runTogether(tx.run(allowSorts('off')), tx.rows<T>(query), tx.run(allowSorts('on')));
  return rows;
}
const allowSorts = (value: 'on' | 'off'): Sql => sql`
  select set_config(name, ${value}, true) from unnest('{enable_sort,enable_seqscan,enable_bitmapscan}'::text[]) name`;

async function findNeighbors(tx: Tx, account_id: string, traffic: MessageTraffic, sample: readonly string[]) {
  if (sample.length === 0) return [];
  const rows = await readInOrder<{ number: string }>(
    tx,
    sql`
    select t.number from unnest(${sample}::text[]) as t(number)
    where ${selectGotMessage(tx, account_id, traffic, sql`(t.number::bigint + 1)::text`)}
       or ${selectGotMessage(tx, account_id, traffic, sql`(t.number::bigint - 1)::text`)}`,
  );
  return rows.map(({ number }) => number);
}

async function measureRuns(tx: Tx, account_id: string, traffic: MessageTraffic, numbers: readonly string[]) {
  if (numbers.length === 0) return [];
  const rows = await readInOrder<{ number: string; distances: number[] }>(
    tx,
    sql`
    select t.number, array(
      select g from generate_series(${-REACH}::int, ${REACH}::int) g
      where g <> 0 and ${selectGotMessage(tx, account_id, traffic, sql`(t.number::bigint + g)::text`)}) as distances
    from unnest(${numbers}::text[]) as t(number)`,
  );
  return rows.map(({ number, distances }) => {
    const near = new Set(distances);
    let run = 1;
    for (let g = 1; near.has(g); g++) run++;
    for (let g = -1; near.has(g); g--) run++;
    return [number, run] as const;
  });
}
