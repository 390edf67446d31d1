/**
 * Limits on how many codes can be sent: to one target, to neighboring numbers, to one country, for one person, from one
 * IP address and network, and in total. The database counts sent codes under one lock, so concurrent requests cannot
 * all pass a limit. Codes for unknown addresses also count, so the limits reveal nothing. Surges are handled in
 * code_stops.ts.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { addressNetwork, callerKey } from '../kernel/http/network.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Config } from '../kernel/settings/config.ts';
import { isStopped, stopOnSurge } from './code_stops.ts';
import { phoneCountry } from './phone.ts';

export interface Send {
  channel: 'mail' | 'sms';
  /** An email address in lower case, or a phone number in digits. */
  target: string;
  /** The IP address of the client that requested the code. */
  address: string;
  login_id: string | null;
}

/** Seconds until the next code can be sent to the same target, indexed by the number of codes sent in the last hour. */
export const COOLDOWN_SECONDS = [30, 60, 120] as const;

const UNLIMITED = Number.POSITIVE_INFINITY;
export const codeLimits = (channel: Send['channel'], config: Config): Omit<Counts, 'since'> =>
  channel === 'mail'
    ? {
        target_hour: config.MAIL_CODES_ADDRESS_HOUR,
        target_day: config.MAIL_CODES_ADDRESS_DAY,
        prefix_hour: UNLIMITED,
        login_hour: UNLIMITED,
        login_day: UNLIMITED,
        address_hour: UNLIMITED,
        network_hour: config.MAIL_CODES_NETWORK_HOUR,
        country_day: UNLIMITED,
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
  /** Seconds since the last code was sent to this target. */
  since: number | null;
}

/** All fields are null for email. Numbers that differ only in their last four digits often belong to the same owner. */
const destination = ({ channel, target }: Pick<Send, 'channel' | 'target'>) =>
  channel === 'sms'
    ? { prefix: target.slice(0, -4), range: target.slice(0, -6), country: phoneCountry(target) }
    : { prefix: null, range: null, country: null };

/** `sent` is the number of codes to the same target in the last hour. */
export const cooldown = (sent: number): number => COOLDOWN_SECONDS[Math.min(sent, COOLDOWN_SECONDS.length) - 1] ?? 0;

interface Allowance {
  /** Seconds to wait, or 0. */
  wait: number;
  /** True if a limit is reached, or if codes to this number range are blocked. */
  exhausted: boolean;
  sent: number;
}

/** Holds its lock until the commit, so that `recordSend` writes before another request counts. */
export async function readAllowance(tx: Tx, { config }: Kernel, send: Send): Promise<Allowance> {
  await tx.run(sql`select pg_advisory_xact_lock(7302)`);
  const { prefix, range, country } = destination(send);
  const hour = sql`create_date > ${tx.now}::timestamptz - interval '1 hour'`;
  const day = sql`create_date > ${tx.now}::timestamptz - interval '1 day'`;
  const sends = sql`select count(*)::int from code_sends where`;
  const byChannel = sql`select count(*)::int from code_sends where channel = ${send.channel} and`;
  const counts = await tx.one<Counts>(sql`
    select (${byChannel} target = ${send.target} and ${hour}) as target_hour,
           (${byChannel} target = ${send.target} and ${day}) as target_day,
           (${sends} prefix = ${prefix} and ${hour}) as prefix_hour,
           (${byChannel} login_id = ${send.login_id} and ${hour}) as login_hour,
           (${byChannel} login_id = ${send.login_id} and ${day}) as login_day,
           (${byChannel} address = ${callerKey(send.address)} and ${hour}) as address_hour,
           (${byChannel} network = ${addressNetwork(send.address)} and ${hour}) as network_hour,
           (${sends} country = ${country} and ${day}) as country_day,
           (${byChannel} ${day}) as day,
           (select extract(epoch from ${tx.now}::timestamptz - max(create_date))::float8 from code_sends
            where target = ${send.target} and channel = ${send.channel}) as since`);
  const limits = codeLimits(send.channel, config);
  const names = Object.keys(limits) as (keyof typeof limits)[];
  const stopped = range !== null && country !== null && (await isStopped(tx, range, country));
  return {
    wait: counts.since === null ? 0 : Math.max(0, Math.ceil(cooldown(counts.target_hour) - counts.since)),
    exhausted: stopped || names.some((name) => counts[name] >= limits[name]),
    sent: counts.target_hour,
  };
}

/**
 * Counts a code that is being sent, stops codes to its place if there is a surge, and returns the seconds until the
 * next code is allowed.
 */
export async function recordSend(tx: Tx, kernel: Kernel, send: Send, allowance: Allowance): Promise<number> {
  const { prefix, range, country } = destination(send);
  await tx.run(sql`
    insert into code_sends (id, channel, target, prefix, range, country, network, address, login_id, create_date)
    values (${newId()}, ${send.channel}, ${send.target}, ${prefix}, ${range}, ${country},
            ${addressNetwork(send.address)}, ${callerKey(send.address)}, ${send.login_id}, ${tx.now})`);
  if (range !== null && country !== null) await stopOnSurge(tx, kernel, range, country);
  return cooldown(allowance.sent + 1);
}

/** Marks recent codes to a number as used. The number's owner has entered one, so they were not fraudulent. */
export const recordUse = (db: Queryable, number: string, now: Date) =>
  db.run(sql`
    update code_sends set confirm_date = ${now}
    where channel = 'sms' and target = ${number} and confirm_date is null
      and create_date > ${now}::timestamptz - interval '1 day'`);

/**
 * Throws CODE_SENT_RECENTLY if it is too soon. If there are too many codes, throws CODE_LIMIT_REACHED for email and
 * PHONE_VERIFICATION_FAILED for phones.
 */
export function enforceLimits(send: Pick<Send, 'channel'>, allowance: Allowance): void {
  if (allowance.exhausted)
    throw new Problem(send.channel === 'sms' ? 'PHONE_VERIFICATION_FAILED' : 'CODE_LIMIT_REACHED', {
      retry_after: 3_600,
    });
  if (allowance.wait > 0) throw new Problem('CODE_SENT_RECENTLY', { retry_after: allowance.wait });
}
