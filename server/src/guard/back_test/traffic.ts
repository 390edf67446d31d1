/**
 * Back-tests the settings of fraud protection. The first statements add up each hour of the places that could show a
 * sign. The hours are then compared in order by the rules of the detection (replay.ts), and the last statement reads
 * the messages that the stops would have refused.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { BACK_TEST_DAYS, type backTestTraffic, type TrafficBackTest } from '@parley/contract/guard/back_tests.ts';
import { describeEvidence, type PumpingSignal } from '@parley/contract/guard/pumping.ts';
import { MESSAGE_TRAFFIC, type MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { permits } from '@parley/contract/permission.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { empty, type Queryable, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { COUNTED_SOURCES, trafficFrom } from '../pumping/places.ts';
import { MESSAGE_RULES, MIN_SENT, type SignalRules, SPREAD } from '../pumping/signals.ts';
import { readCurrency, readOutcome } from './outcome.ts';
import { type Compared, findPlaces, messageHour, messageTraffic } from './places.ts';
import { MAX_PLACES, type PlaceHours, replay, type Sign, type SignAction, type Traffic } from './replay.ts';

const HOUR_MS = 3_600_000;
const MAX_SIGNS = 20;

/** Settings of fraud protection: the compared traffic, the rules, and the action for each sign. */
export interface Plan {
  readonly compared: Compared;
  readonly lift_hours: number;
  readonly rules: (place: PlaceHours) => SignalRules;
  readonly actOn: (traffic: Traffic, signal: PumpingSignal) => SignAction;
}

export function backTestProtection(
  db: Queryable,
  actor: Actor,
  now: Date,
  settings: Parsed<typeof backTestTraffic>['body'],
): Promise<TrafficBackTest> {
  const traffic = MESSAGE_TRAFFIC.filter((one) => settings[one] !== 'off');
  const actions = { messages: settings.messages, campaigns: settings.campaigns, codes: 'off' } as const;
  return backTestSigns(db, actor, now, {
    compared: {
      sources: COUNTED_SOURCES.filter((source) => traffic.includes(trafficFrom(source)!)),
      ...{ has_codes: false, least: MIN_SENT, spread: SPREAD },
      min_run: Math.min(...MESSAGE_TRAFFIC.map((one) => MESSAGE_RULES[one].min_run)),
    },
    lift_hours: settings.lift_hours,
    rules: ({ traffic: one }) => MESSAGE_RULES[one as MessageTraffic],
    actOn: (one) => (actions[one] === 'block' ? 'stop' : actions[one]),
  });
}

export async function backTestSigns(
  db: Queryable,
  { account_id, permissions }: Actor,
  now: Date,
  { compared, lift_hours, rules, actOn }: Plan,
): Promise<TrafficBackTest> {
  const first_hour = Math.ceil(now.getTime() / HOUR_MS) - BACK_TEST_DAYS * 24;
  const { places, totals, messages } = await findPlaces(db, account_id, compared, first_hour);
  const signs = places.slice(0, MAX_PLACES).flatMap((place) =>
    replay(place, {
      ...{ first_hour, totals: totals.get(place.traffic) ?? [], lift_hours, rules: rules(place) },
      actOn: (signal) => actOn(place.traffic, signal),
    }),
  );
  const outcome = await readRefused(db, account_id, compared, signs);
  const blocked = new Map(outcome.stops?.map((stop) => [stop.n, stop.blocked]));
  const listed = signs
    .map((sign, n) => ({ ...sign, blocked: blocked.get(n) ?? 0 }))
    .sort((a, b) => b.blocked - a.blocked || b.start_ms - a.start_ms)
    .slice(0, MAX_SIGNS);
  const { stops: _, ...figures } = outcome;
  return {
    ...{ days: BACK_TEST_DAYS, messages, currency: await readCurrency(db, account_id) },
    ...figures,
    examples: permits(permissions, 'MESSAGES:view') ? figures.examples : null,
    signs: listed.map(({ traffic, kind, place, country, signal, evidence, refuses, start_ms, end_ms, blocked }) => ({
      ...{ traffic, kind, place, country, signal, evidence, refuses, blocked },
      reason: describeEvidence(signal, kind, evidence, traffic),
      start_date: toTimestamp(start_ms),
      end_date: toTimestamp(end_ms),
    })),
    signs_total: signs.length,
    is_partial: places.length > MAX_PLACES,
  };
}

const toTimestamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/**
 * A stop begins after `passed` messages of its first hour. The cells are its hours, so that each message is compared
 * only with the stops of its place and hour.
 */
function readRefused(db: Queryable, account_id: string, { sources, has_codes }: Compared, signs: readonly Sign[]) {
  const stops = signs.map((sign, n) => ({ ...sign, n })).filter(({ refuses }) => refuses);
  const first = Math.min(...stops.map(({ start_ms }) => start_ms), Number.MAX_SAFE_INTEGER);
  const since = stops.length === 0 ? Date.now() : Math.floor(first / HOUR_MS) * HOUR_MS - ID_MARGIN_MS;
  return readOutcome<{ stops: { n: number; blocked: number }[] | null }>(db, account_id, {
    blocked: sql`
      cells as (
        select s.n, s.traffic, s.place, s.passed, to_timestamp(h * 3600.0) as hour,
               h = floor(s.start_ms / 3600000) as is_first,
               to_timestamp(s.start_ms / 1000.0) as start, to_timestamp(s.end_ms / 1000.0) as until
        from unnest(${stops.map(({ n }) => n)}::int[], ${stops.map(({ traffic }) => traffic)}::text[],
                    ${stops.map(({ place }) => place)}::text[], ${stops.map(({ passed }) => passed)}::int[],
                    ${stops.map(({ start_ms }) => start_ms)}::float8[],
                    ${stops.map(({ end_ms }) => end_ms)}::float8[]) as s(n, traffic, place, passed, start_ms, end_ms)
        cross join generate_series(floor(s.start_ms / 3600000)::int, floor((s.end_ms - 1) / 3600000)::int) h
      ), met as (
        select m.id, m.number, m.country, m.status, m.price_micros, m.create_date, m.verification_status, c.n, c.start,
               c.until, c.passed, c.is_first,
               row_number() over (partition by c.n, c.is_first order by m.id) as rank
        from messages m
        cross join lateral (values (left(m.number, -6)), (m.country)) k(place)
        join cells c on c.traffic = ${messageTraffic} and c.hour = ${messageHour} and c.place = k.place
        where m.account_id = ${account_id} and m.id >= ${idAt(since)}::uuid and m.direction = 'MT'
          and m.source = any(${sources}::text[]) ${has_codes ? sql`and m.verification_status is not null` : empty}
      ), hits as materialized (
        select * from met
        where create_date < until and (case when is_first and passed > 0 then rank > passed
                                            else create_date >= start end)
      ), blocked as materialized (
        select distinct on (id) id, number, country, status, price_micros, create_date, verification_status
        from hits order by id
      )`,
    ...(has_codes && { answered: sql`select id from blocked where verification_status = 'verified'` }),
    columns: sql`
      (select json_agg(json_build_object('n', n, 'blocked', blocked))
       from (select n, count(*) as blocked from hits group by 1) s) as stops`,
  });
}
