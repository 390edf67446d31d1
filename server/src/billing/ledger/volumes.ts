/**
 * The volumes of months, which decide the prices of messages to destinations with volume prices. A message counts in
 * the transaction that opens its hold, at the position that fixes its price, and no longer counts once its hold is
 * released. The row of the volume is locked until the commit, so each position is given to one message. It is locked
 * before the balance.
 */
import { splitUnits, volumeMicros } from '@parley/contract/billing/volume_steps.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { VolumeKey, VolumeRates } from '../prices/prices.ts';

/** A message that may count in a volume. `price_micros` is the price of all its units. */
export interface Volumed {
  readonly segments_count: number;
  readonly price_micros: number;
  readonly volume?: VolumeRates | undefined;
  /** The volume that counts the message, and the number of units before it. */
  readonly volume_id?: string;
  readonly volume_start?: number;
}

interface Counter {
  readonly id: string;
  /** The number of units before the next message. */
  next: number;
}

const volumeName = ({ channel, country, mccmnc, purpose, currency }: VolumeKey): string =>
  [channel, country, mccmnc ?? '', purpose ?? '', currency].join(' ');

/** The price of a message at a position of its volume. */
const priceAt = ({ segments_count }: Volumed, { list_micros, steps }: VolumeRates, start: number): number =>
  volumeMicros(list_micros, steps, { start, units: segments_count });

/** Prices messages in order. `units` counts the units before the first one, by destination. */
function walk<T extends Volumed>(people: readonly T[], counters: ReadonlyMap<string, Counter>): T[] {
  const next = new Map([...counters].map(([name, counter]) => [name, counter.next]));
  return people.map((person) => {
    if (!person.volume) return person;
    const name = volumeName(person.volume.key);
    const start = next.get(name)!;
    next.set(name, start + person.segments_count);
    const { id } = counters.get(name)!;
    return { ...person, price_micros: priceAt(person, person.volume, start), volume_id: id, volume_start: start };
  });
}

export interface Volumes {
  /** Prices messages as the next ones of their volumes. Nothing counts yet. */
  price<T extends Volumed>(people: readonly T[]): readonly T[];
  /** Counts messages, at the prices that `price` returns for them. */
  count<T extends Volumed>(people: readonly T[]): readonly T[];
  /** Gives back what was locked for messages that were not counted. Called once, after the last message. */
  finish(tx: Tx): Promise<void>;
}

/** For messages without volume prices, which cost no statement. */
export const NO_VOLUMES: Volumes = {
  price: (people) => people,
  count: (people) => people,
  finish: async () => {},
};

/** Locks the volumes of these messages, with room for all of them. */
export async function lockVolumes(tx: Tx, account_id: string, people: readonly Volumed[]): Promise<Volumes> {
  const wanted = new Map<string, { key: VolumeKey; units: number }>();
  for (const { volume, segments_count } of people) {
    if (!volume) continue;
    const name = volumeName(volume.key);
    const want = wanted.get(name) ?? { key: volume.key, units: 0 };
    wanted.set(name, { ...want, units: want.units + segments_count });
  }
  if (wanted.size === 0) return NO_VOLUMES;
  const wants = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, want]) => want);
  const rows = await addUnits(tx, account_id, wants);
  const counters = new Map(
    rows.map(({ id, units, ...key }): [string, Counter] => {
      const name = volumeName({ ...key, mccmnc: key.mccmnc || null, purpose: key.purpose || null });
      return [name, { id, next: units - wanted.get(name)!.units }];
    }),
  );
  const ends = new Map([...counters].map(([name, { next }]) => [name, next + wanted.get(name)!.units]));
  const counted: StepUnits[] = [];
  return {
    price: (messages) => walk(messages, counters),
    count(messages) {
      const priced = walk(messages, counters);
      for (const { volume, segments_count: units } of messages) {
        if (!volume) continue;
        const counter = counters.get(volumeName(volume.key))!;
        for (const part of splitUnits(volume.list_micros, volume.steps, { start: counter.next, units }))
          counted.push({ id: counter.id, above_units: part.above_units, units: part.units });
        counter.next += units;
      }
      return priced;
    },
    async finish(last) {
      await giveBack(
        last,
        [...counters].map(([name, { id, next }]) => ({ account_id, id, units: next - ends.get(name)! })),
      );
      await addStepUnits(last, account_id, counted);
    },
  };
}

/** Units of a volume that were priced at the same step. */
interface StepUnits {
  readonly id: string;
  readonly above_units: number;
  readonly units: number;
}

/** The volumes are locked. */
async function addStepUnits(tx: Tx, account_id: string, counted: readonly StepUnits[]): Promise<void> {
  const sums = new Map<string, { id: string; above_units: number; units: number }>();
  for (const { id, above_units, units } of counted) {
    const key = `${id} ${above_units}`;
    const sum = sums.get(key) ?? { id, above_units, units: 0 };
    sum.units += units;
    sums.set(key, sum);
  }
  const rows = [...sums.values()];
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into price_volume_steps as s (account_id, volume_id, above_units, units)
    select ${account_id}::uuid, * from unnest(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ above_units }) => above_units)}::bigint[], ${rows.map(({ units }) => units)}::bigint[])
    on conflict (account_id, volume_id, above_units) do update set units = s.units + excluded.units`);
}

type VolumeRow = Omit<VolumeKey, 'mccmnc' | 'purpose'> & {
  id: string;
  units: number;
  mccmnc: string;
  purpose: Purpose | '';
};

/** In the order of the keys, so that two transactions cannot deadlock. */
const addUnits = (tx: Tx, account_id: string, wants: readonly { key: VolumeKey; units: number }[]) => {
  const column = <T>(pick: (key: VolumeKey) => T): T[] => wants.map(({ key }) => pick(key));
  return tx.rows<VolumeRow>(sql`
    insert into price_volumes as v (account_id, month, channel, country, mccmnc, purpose, currency, id, units)
    select ${account_id}::uuid, ${firstDay(tx.now)}::date, channel, country, mccmnc, purpose, currency, id, units
    from unnest(
      ${column(({ channel }) => channel)}::text[], ${column(({ country }) => country)}::text[],
      ${column(({ mccmnc }) => mccmnc ?? '')}::text[], ${column(({ purpose }) => purpose ?? '')}::text[],
      ${column(({ currency }) => currency)}::text[], ${wants.map(() => newId())}::uuid[],
      ${wants.map(({ units }) => units)}::bigint[]
    ) with ordinality as w(channel, country, mccmnc, purpose, currency, id, units, n)
    order by n
    on conflict (account_id, month, channel, country, mccmnc, purpose, currency)
      do update set units = v.units + excluded.units
    returning id, channel, country, mccmnc, purpose, currency, units`);
};

/** The first day of a month in UTC. */
const firstDay = (date: Date): string => `${date.toISOString().slice(0, 7)}-01`;

export interface VolumeMove {
  readonly account_id: string;
  readonly id: string;
  /** The units of a message. Negative if they no longer count. */
  readonly units: number;
  /** The number of units before the message, which decides the steps that priced it. */
  readonly start: number;
}

/** Gives back room for messages that were not counted, so that no step has priced it. */
async function giveBack(tx: Tx, rooms: readonly Omit<VolumeMove, 'start'>[]): Promise<void> {
  const changed = rooms.filter(({ units }) => units !== 0);
  if (changed.length > 0) await tx.run(moveUnits(changed));
}

/** Changes volumes, in the order of their ids. A message counts in the month in which it was accepted. */
export async function moveVolumes(tx: Tx, moves: readonly VolumeMove[]): Promise<void> {
  if (moves.length === 0) return;
  const sums = new Map<string, Omit<VolumeMove, 'start'>>();
  for (const { account_id, id, units } of moves)
    sums.set(id, { account_id, id, units: (sums.get(id)?.units ?? 0) + units });
  // The steps of a volume are changed while its row is locked, in a later statement, which sees all steps.
  await tx.run(moveUnits([...sums.values()]));
  await tx.run(sql`
    with moved as materialized (
      select account_id, id, start, abs(units) as units, sign(units)::int as sign
      from unnest(${moves.map(({ account_id }) => account_id)}::uuid[], ${moves.map(({ id }) => id)}::uuid[],
        ${moves.map(({ start }) => start)}::bigint[], ${moves.map(({ units }) => units)}::bigint[]
      ) as m(account_id, id, start, units)
    ), step as (
      select s.account_id, s.volume_id, s.above_units,
             lead(s.above_units) over (partition by s.account_id, s.volume_id order by s.above_units) as until_units
      from price_volume_steps s join (select distinct account_id, id from moved) v
        on s.account_id = v.account_id and s.volume_id = v.id
    ), change as (
      select s.account_id, s.volume_id, s.above_units,
             sum(m.sign * greatest(0, least(m.start + m.units, coalesce(s.until_units, m.start + m.units))
               - greatest(m.start, s.above_units)))::bigint as units
      from step s join moved m on m.account_id = s.account_id and m.id = s.volume_id
      group by 1, 2, 3
    )
    update price_volume_steps s set units = s.units + c.units from change c
    where s.account_id = c.account_id and s.volume_id = c.volume_id and s.above_units = c.above_units
      and c.units <> 0`);
}

const moveUnits = (moves: readonly Omit<VolumeMove, 'start'>[]) => sql`
  with w as (
    select v.account_id, v.id, w.units
    from unnest(${moves.map(({ account_id }) => account_id)}::uuid[], ${moves.map(({ id }) => id)}::uuid[],
      ${moves.map(({ units }) => units)}::bigint[]) as w(account_id, id, units)
    join price_volumes v on v.account_id = w.account_id and v.id = w.id
    order by v.account_id, v.month, v.channel collate "C", v.country collate "C", v.mccmnc collate "C",
      v.purpose collate "C", v.currency collate "C"
    for update of v
  )
  update price_volumes v set units = v.units + w.units from w where v.account_id = w.account_id and v.id = w.id`;

/** Prices messages as if they were sent, without counting them: for previews. */
export async function readVolumes(db: Queryable, account_id: string, now: Date) {
  const rows = await db.rows<Omit<VolumeRow, 'id'> & { month: string }>(sql`
    select month::text as month, channel, country, mccmnc, purpose, currency, units from price_volumes
    where account_id = ${account_id} and month >= ${firstDay(now)}::date`);
  const next = new Map(
    rows.map(({ month, units, ...key }) => [
      `${month} ${[key.channel, key.country, key.mccmnc, key.purpose, key.currency].join(' ')}`,
      units,
    ]),
  );
  return <T extends Volumed>(person: T, accept_ms: number): T => {
    if (!person.volume) return person;
    const name = `${firstDay(new Date(accept_ms))} ${volumeName(person.volume.key)}`;
    const start = next.get(name) ?? 0;
    next.set(name, start + person.segments_count);
    return { ...person, price_micros: priceAt(person, person.volume, start) };
  };
}
