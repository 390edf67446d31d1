/** The hourly figures of the places that could show a sign of fraud. */
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { customPlan, empty, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import { MIN_SENT } from '../pumping/signals.ts';
import { binTime } from './bins.ts';
import { MAX_PLACES, type PlaceHours } from './replay.ts';

const HOUR_MS = 3_600_000;
/** The first hours of the test are compared with those before. */
const HISTORY_HOURS = 15 * 24;

export const messageTraffic: Sql = raw(
  `case m.source when 'campaign' then 'campaigns' when 'verification' then 'codes' else 'messages' end`,
);
export const messageHour: Sql = binTime('hour', 'm.create_date');
/** Hours since 1970. */
const hourNumber = raw('(extract(epoch from start) / 3600)::int as hour');

/** The messages to compare, and the lowest figures at which a sign of fraud is found. */
export interface Compared {
  /** The sources of messages. Codes are compared without other messages. */
  readonly sources: readonly string[];
  readonly has_codes: boolean;
  readonly min_run: number;
  /** Messages in an hour. */
  readonly least: { readonly range: number; readonly country: number };
  /** The share that a range needs of the messages of an hour. */
  readonly spread: number;
}

interface Places {
  /** The busiest first; one more than are compared, if there are more. */
  readonly places: readonly PlaceHours[];
  /** All messages of the account by hour. */
  readonly totals: ReadonlyMap<string, readonly (readonly [hour: number, sent: number])[]>;
  /** The messages of the days of the test. */
  readonly messages: number;
}

export async function findPlaces(
  db: Queryable,
  account_id: string,
  compared: Compared,
  first_hour: number,
): Promise<Places> {
  const since = (first_hour - HISTORY_HOURS) * HOUR_MS;
  const { sources, has_codes, min_run } = compared;
  const sent = sql`
    m.account_id = ${account_id} and m.id >= ${idAt(since - ID_MARGIN_MS)}::uuid and m.direction = 'MT'
    and m.create_date >= ${new Date(since)} and m.source = any(${sources}::text[])
    ${has_codes ? sql`and m.verification_status is not null` : empty}`;
  const { places, totals } = await db.one<{
    places: PlaceHours[] | null;
    totals: { traffic: string; hours: [number, number][] }[] | null;
  }>(
    customPlan(sql`
      with responded as materialized (${has_codes ? NO_RESPONSES : responses(account_id, since)}),
      answered as materialized (
        select ${messageTraffic} as traffic, ${messageHour} as start, left(m.number, -6) as range, m.country,
          count(*)::int as responded
        from responded r join messages m on m.account_id = ${account_id} and m.id = r.id where ${sent}
        group by 1, 2, 3, 4
      ), sums as materialized (
        select ${messageTraffic} as traffic, ${messageHour} as start, left(m.number, -6) as range, m.country,
          array_agg(right(m.number, 6)) as numbers, count(*)::int as sent,
          ${has_codes ? CODE_OUTCOMES : MESSAGE_OUTCOMES}
        from messages m where ${sent} group by 1, 2, 3, 4
      ), hourly as materialized (
        select s.*, ${hourNumber}, coalesce(a.responded, 0) as responded
        from sums s left join answered a using (traffic, start, range, country)
      ), totals as materialized (
        select traffic, hour, sum(sent)::int as sent from hourly group by 1, 2
      ), by_place as materialized (
        select traffic, 'country' as kind, country as place, hour, max(country) as country, sum(sent)::int as sent,
          sum(outcomes)::int as outcomes, sum(delivered)::int as delivered, sum(responded)::int as responded
        from hourly where country <> '' group by 1, 3, 4
        union all
        select traffic, 'range', range, hour, max(country), sum(sent)::int, sum(outcomes)::int, sum(delivered)::int,
          sum(responded)::int
        from hourly where range <> '' group by 1, 3, 4
      ), runs as materialized (${longestRuns(min_run)}), suspects as materialized (
        select traffic, kind, place, max(peak) as peak from (${suspectPlaces(compared)}) s group by 1, 2, 3
        order by 4 desc limit ${MAX_PLACES + 1}
      )
      select
        (select json_agg(p order by peak desc) from (
           select s.traffic, s.kind, s.place, s.peak, max(h.country) as country,
             json_agg(json_build_array(h.hour, h.sent, h.outcomes, h.delivered, h.responded, coalesce(r.run, 0))
               order by h.hour) as hours
           from suspects s join by_place h using (traffic, kind, place)
           left join runs r on s.kind = 'range' and r.traffic = s.traffic and r.range = s.place and r.hour = h.hour
           group by 1, 2, 3, 4) p) as places,
        (select json_agg(json_build_object('traffic', traffic, 'hours', hours)) from (
           select traffic, json_agg(json_build_array(hour, sent) order by hour) as hours from totals group by 1) t)
          as totals`),
  );
  const all = new Map(totals?.map(({ traffic, hours }) => [traffic, hours]));
  const tested = [...all.values()].flat().filter(([hour]) => hour >= first_hour);
  return { places: places ?? [], totals: all, messages: tested.reduce((sum, [, count]) => sum + count, 0) };
}

const MESSAGE_OUTCOMES: Sql = raw(`
  count(*) filter (where m.status not in ('scheduled', 'enroute', 'canceled'))::int as outcomes,
  count(*) filter (where m.status in ('delivered', 'read'))::int as delivered`);
/** People enter codes, which counts like a delivery. */
const CODE_OUTCOMES: Sql = raw(`
  count(*)::int as outcomes, count(*) filter (where m.verification_status = 'verified')::int as delivered`);
const NO_RESPONSES: Sql = raw('select null::uuid as id where false');

/** Messages that got a reply or a click before the outcomes of their hour are counted. */
const responses = (account_id: string, since: number): Sql => sql`
  select m.id from messages r
  join messages m on m.account_id = ${account_id} and m.number = r.number and m.sender_id = r.sender_id
    and m.direction = 'MT'
    and r.create_date between m.create_date and date_trunc('hour', m.create_date) + interval '75 minutes'
  where r.account_id = ${account_id} and r.direction = 'MO' and r.id >= ${idAt(since)}::uuid
  union
  select message_id from link_clicks
  where account_id = ${account_id} and kind = 'person' and message_id is not null and id >= ${idAt(since)}::uuid`;

/** The longest run of consecutive numbers in the busiest hour of each range and day. */
const longestRuns = (min_run: number): Sql => sql`
  select traffic, hour, range, max(r.run) as run
  from (
    select traffic, hour, range, numbers,
           row_number() over (partition by traffic, range, hour / 24 order by sent desc) as rank
    from hourly where range <> '' and sent >= ${min_run}::int
  ) s
  cross join lateral (
    select count(*)::int as run from (
      select number - row_number() over (order by number) as island
      from (select distinct n::int as number from unnest(s.numbers) n where n ~ '^[0-9]{6}$') numbers
    ) islands group by island order by 1 desc limit 1
  ) r
  where s.rank = 1 and r.run >= ${min_run}::int group by 1, 2, 3`;

/** A superset of the places in which a sign can be found. */
const suspectPlaces = ({ least, spread }: Compared): Sql => sql`
  select h.traffic, h.kind, h.place, max(h.sent) as peak
  from by_place h join totals t using (traffic, hour)
  where h.sent >= case h.kind when 'range' then ${least.range}::int else ${least.country}::int end
    and (h.kind = 'country' or h.sent >= t.sent * ${spread}::float8)
  group by 1, 2, 3
  union all
  select traffic, 'range', range, max(run) from runs group by 1, 3
  union all
  select traffic, kind, place, max(sent) from (
    select traffic, kind, place, hour / 24 as day, sum(outcomes) as sent,
           sum(delivered)::float8 / sum(outcomes) as delivered, sum(responded)::float8 / sum(outcomes) as responded
    from by_place group by 1, 2, 3, 4
    having sum(outcomes) * 2 >= case kind when 'range' then ${MIN_SENT.range}::int else ${MIN_SENT.country}::int end
  ) days
  group by 1, 2, 3
  having min(delivered) < max(delivered) * 0.67 or min(responded) < max(responded) * 0.67`;
