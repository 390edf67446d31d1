/**
 * How many codes may be sent: to one target, to neighbouring numbers, to one country, by one person, from one address and network, and in all. Counted in the database
 * under one lock, so that calls at the same moment cannot pass together. Sends that nobody gets (unknown addresses) count like all others, so that the
 * limits tell nothing. What grows suddenly towards one range of numbers is the business of code_stops.ts.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { callerOf, networkOf } from '../kernel/http/network.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Config } from '../kernel/settings/config.ts';
import { isStopped, stopIfSudden } from './code_stops.ts';
import { countryOf } from './phone.ts';

export interface Send {
  channel: 'mail' | 'sms';
  /** Address in lower case, or digits. */
  target: string;
  /** Where it was asked for. */
  address: string;
  login_id: string | null;
}

/** Seconds until the next code for the same target, by the number of those of the last hour. */
export const COOL_DOWN = [30, 60, 120] as const;

const NONE = Number.POSITIVE_INFINITY;
export const mostOf = (channel: Send['channel'], config: Config): Omit<Counts, 'since'> =>
  channel === 'mail'
    ? {
        target_hour: config.MAIL_CODES_ADDRESS_HOUR,
        target_day: config.MAIL_CODES_ADDRESS_DAY,
        prefix_hour: NONE,
        login_hour: NONE,
        login_day: NONE,
        address_hour: NONE,
        network_hour: config.MAIL_CODES_NETWORK_HOUR,
        country_day: NONE,
        day: config.MAIL_CODES_DAY,
      }
    : {
        target_hour: config.PHONE_CODES_NUMBER_HOUR,
        target_day: config.PHONE_CODES_NUMBER_DAY,
        prefix_hour: config.PHONE_CODES_NEIGHBOURS_HOUR,
        login_hour: config.PHONE_CODES_PERSON_HOUR,
        login_day: config.PHONE_CODES_PERSON_DAY,
        address_hour: config.PHONE_CODES_ADDRESS_HOUR,
        network_hour: config.PHONE_CODES_NETWORK_HOUR,
        country_day: config.PHONE_CODES_COUNTRY_DAY,
        day: config.PHONE_CODES_DAY,
      };

interface Counts {
  target_hour: number;
  target_day: number;
  prefix_hour: number;
  login_hour: number;
  login_day: number;
  address_hour: number;
  network_hour: number;
  country_day: number;
  day: number;
  /** Seconds since the last one for this target. */
  since: number | null;
}

/** Where a code goes: null all of it for mail. Numbers that differ in the last four digits only are often one owner's. */
const placesOf = ({ channel, target }: Pick<Send, 'channel' | 'target'>) =>
  channel === 'sms'
    ? { prefix: target.slice(0, -4), range: target.slice(0, -6), country: countryOf(target) }
    : { prefix: null, range: null, country: null };

const coolDown = (sent: number): number => COOL_DOWN[Math.min(sent, COOL_DOWN.length) - 1] ?? 0;

export interface Room {
  /** Seconds to wait, or 0. */
  cooling: number;
  /** Some limit is reached, or the range was stopped. */
  full: boolean;
  sent: number;
}

/** The lock is held until the commit: what is counted here is written by `noteSend` before anybody else counts. */
export async function roomFor(tx: Tx, { config }: Kernel, send: Send): Promise<Room> {
  await tx.run(sql`select pg_advisory_xact_lock(7302)`);
  const { prefix, range, country } = placesOf(send);
  const hour = sql`${tx.now}::timestamptz - interval '1 hour'`;
  const day = sql`${tx.now}::timestamptz - interval '1 day'`;
  const sends = sql`select count(*)::int from code_sends where`;
  const counts = await tx.one<Counts>(sql`
    select (${sends} target = ${send.target} and channel = ${send.channel} and create_date > ${hour}) as target_hour,
           (${sends} target = ${send.target} and channel = ${send.channel} and create_date > ${day}) as target_day,
           (${sends} prefix = ${prefix} and create_date > ${hour}) as prefix_hour,
           (${sends} login_id = ${send.login_id} and channel = ${send.channel} and create_date > ${hour}) as login_hour,
           (${sends} login_id = ${send.login_id} and channel = ${send.channel} and create_date > ${day}) as login_day,
           (${sends} address = ${callerOf(send.address)} and channel = ${send.channel} and create_date > ${hour}) as address_hour,
           (${sends} network = ${networkOf(send.address)} and channel = ${send.channel} and create_date > ${hour}) as network_hour,
           (${sends} country = ${country} and create_date > ${day}) as country_day,
           (${sends} channel = ${send.channel} and create_date > ${day}) as day,
           (select extract(epoch from ${tx.now}::timestamptz - max(create_date))::float8 from code_sends
            where target = ${send.target} and channel = ${send.channel}) as since`);
  const most = mostOf(send.channel, config);
  const names = Object.keys(most) as (keyof typeof most)[];
  const stopped = range !== null && country !== null && (await isStopped(tx, range, country));
  return {
    cooling: counts.since === null ? 0 : Math.max(0, Math.ceil(coolDown(counts.target_hour) - counts.since)),
    full: stopped || names.some((name) => counts[name] >= most[name]),
    sent: counts.target_hour,
  };
}

/** Answers how long the target has to wait for the next one, in seconds. This one goes; whether it is the last for its range is decided here. */
export async function noteSend(tx: Tx, kernel: Kernel, send: Send, room: Room): Promise<number> {
  const { prefix, range, country } = placesOf(send);
  await tx.run(sql`
    insert into code_sends (id, channel, target, prefix, range, country, network, address, login_id, create_date)
    values (${newId()}, ${send.channel}, ${send.target}, ${prefix}, ${range}, ${country}, ${networkOf(send.address)},
            ${callerOf(send.address)}, ${send.login_id}, ${tx.now})`);
  if (range !== null && country !== null) await stopIfSudden(tx, kernel, range, country);
  return coolDown(room.sent + 1);
}

/** Somebody gave a code back: those for that number were no fraud. */
export const noteConfirmed = (db: Queryable, number: string, now: Date) =>
  db.run(sql`
    update code_sends set confirm_date = ${now}
    where channel = 'sms' and target = ${number} and confirm_date is null and create_date > ${now}::timestamptz - interval '1 day'`);

/** Problems: CODE_SENT_RECENTLY (too soon); CODE_LIMIT_REACHED, for phones PHONE_VERIFICATION_FAILED, too many. */
export function demandRoom(send: Pick<Send, 'channel'>, room: Room): void {
  if (room.full)
    throw new Problem(send.channel === 'sms' ? 'PHONE_VERIFICATION_FAILED' : 'CODE_LIMIT_REACHED', {
      retry_after: 3_600,
    });
  if (room.cooling > 0) throw new Problem('CODE_SENT_RECENTLY', { retry_after: room.cooling });
}
