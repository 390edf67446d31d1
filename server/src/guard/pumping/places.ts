/** The destinations that are compared, and whether the account has stopped one. */
import type { MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';
import { placeName } from './stops.ts';

/** A number without its last six digits. */
export const toRange = (number: string): string => number.slice(0, -6);
const SOURCES: Readonly<Record<string, MessageTraffic>> = {
  api: 'messages',
  smpp: 'messages',
  inbox: 'messages',
  campaign: 'campaigns',
};
/** Null: codes, which verifications count, and tests and automatic replies, which are not counted. */
export const trafficFrom = (source: string): MessageTraffic | null => SOURCES[source] ?? null;
export const COUNTED_SOURCES: readonly string[] = Object.keys(SOURCES);

/** A stop that refuses messages, as the gate reads it. */
export interface ActiveStop {
  readonly traffic: string;
  readonly kind: 'range' | 'country';
  readonly place: string;
  readonly country: string;
  /** In milliseconds; null: until a user lifts it. */
  readonly until: number | null;
}

/** The job that ends stops may not have run yet. */
export const activeStops = (account_id: string): Sql => sql`
  select json_agg(json_build_object('traffic', traffic, 'kind', kind, 'place', place, 'country', country,
    'until', floor(extract(epoch from expire_date) * 1000)::bigint))
  from account_code_stops
  where account_id = ${account_id} and traffic <> 'codes' and lift_date is null
    and coalesce(expire_date > now(), true)`;

/** Returns the test for the messages of a source, or null if the account has not stopped any of them. */
export function stopFinder(
  stops: readonly ActiveStop[],
  source: string,
): ((message: { number: string; country: string }) => ActiveStop | null) | null {
  const traffic = trafficFrom(source);
  const own = new Map(
    stops.filter((stop) => stop.traffic === traffic).map((stop) => [`${stop.kind} ${stop.place}`, stop]),
  );
  if (own.size === 0) return null;
  return ({ number, country }) => own.get(`range ${toRange(number)}`) ?? own.get(`country ${country}`) ?? null;
}

export function stopProblem(stop: ActiveStop): Problem {
  const until =
    stop.until === null ? '' : ` until ${new Date(stop.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new Problem('TRAFFIC_STOPPED', {
    message: `Messages to ${placeName(stop)} are stopped${until}, because they show signs of fraud`,
  });
}
