/**
 * How many codes may be sent: to one target, to neighbouring numbers, from one network, and in all. Counted in the database under one lock, so that
 * calls at the same moment cannot pass together. Sends that nobody gets (unknown addresses) count like all others, so that the limits tell nothing.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db.ts';

export interface Send {
  channel: 'mail' | 'sms';
  /** Address in lower case, or digits. */
  target: string;
  network: string;
  login_id: string | null;
}

/** Seconds until the next code for the same target, by the number of those of the last hour. */
export const COOL_DOWN = [30, 60, 120] as const;
export const MOST = {
  mail: { target_hour: 6, target_day: 20, prefix_hour: Number.POSITIVE_INFINITY, network_hour: 200, day: 20_000 },
  sms: { target_hour: 5, target_day: 10, prefix_hour: 20, network_hour: 60, day: 2_000 },
} as const;

interface Counts {
  target_hour: number;
  target_day: number;
  prefix_hour: number;
  network_hour: number;
  day: number;
  /** Seconds since the last one for this target. */
  since: number | null;
}

/** Numbers that differ in the last four digits only are often one owner's. */
export const prefixOf = ({ channel, target }: Pick<Send, 'channel' | 'target'>): string | null =>
  channel === 'sms' ? target.slice(0, -4) : null;

const coolDown = (sent: number): number => COOL_DOWN[Math.min(sent, COOL_DOWN.length) - 1] ?? 0;

export interface Room {
  /** Seconds to wait, or 0. */
  cooling: number;
  /** Some limit is reached. */
  full: boolean;
  sent: number;
}

/** The lock is held until the commit: what is counted here is written by `noteSend` before anybody else counts. */
export async function roomFor(tx: Tx, send: Send): Promise<Room> {
  await tx.run(sql`select pg_advisory_xact_lock(7302)`);
  const hour = sql`${tx.now}::timestamptz - interval '1 hour'`;
  const day = sql`${tx.now}::timestamptz - interval '1 day'`;
  const sends = sql`select count(*)::int from code_sends where`;
  const counts = await tx.one<Counts>(sql`
    select (${sends} target = ${send.target} and channel = ${send.channel} and create_date > ${hour}) as target_hour,
           (${sends} target = ${send.target} and channel = ${send.channel} and create_date > ${day}) as target_day,
           (${sends} prefix = ${prefixOf(send)} and create_date > ${hour}) as prefix_hour,
           (${sends} network = ${send.network} and channel = ${send.channel} and create_date > ${hour}) as network_hour,
           (${sends} channel = ${send.channel} and create_date > ${day}) as day,
           (select extract(epoch from ${tx.now}::timestamptz - max(create_date))::float8 from code_sends
            where target = ${send.target} and channel = ${send.channel}) as since`);
  const most = MOST[send.channel];
  const names = Object.keys(most) as (keyof typeof most)[];
  return {
    cooling: counts.since === null ? 0 : Math.max(0, Math.ceil(coolDown(counts.target_hour) - counts.since)),
    full: names.some((name) => counts[name] >= most[name]),
    sent: counts.target_hour,
  };
}

/** Answers how long the target has to wait for the next one, in seconds. */
export async function noteSend(tx: Tx, send: Send, room: Room): Promise<number> {
  await tx.run(sql`
    insert into code_sends (id, channel, target, prefix, network, login_id, create_date)
    values (${newId()}, ${send.channel}, ${send.target}, ${prefixOf(send)}, ${send.network}, ${send.login_id}, ${tx.now})`);
  return coolDown(room.sent + 1);
}

/** Problems: 1167 too soon; 1146, for phones 1801, too many. */
export function demandRoom(send: Pick<Send, 'channel'>, room: Room): void {
  if (room.full) throw new Problem(send.channel === 'sms' ? 1801 : 1146, { retry_after: 3_600 });
  if (room.cooling > 0) throw new Problem(1167, { retry_after: room.cooling });
}
