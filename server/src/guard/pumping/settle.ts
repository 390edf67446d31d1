/**
 * Counts the outcomes of an hour, some minutes after its end, and compares the last 24 hours of a destination with the
 * 14 days before: a falling share of messages that carriers deliver, or to which people respond by a reply or a click.
 * The counts are absolute, so a repeated run stores the same.
 */
import { MESSAGE_TRAFFIC, type MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { COUNTED_SOURCES } from './places.ts';
import { readTrafficProtection } from './protection.ts';
import { type Finding, findConversion, MIN_SENT } from './signals.ts';
import { addTrafficStop, lockTraffic } from './stops.ts';

const HOUR_MS = 3_600_000;
/** Responses are compared if people usually respond to this share, and this many responses were to be expected. */
const USUAL_RESPONSE = 0.02;
const MIN_EXPECTED = 20;

export const settle = (db: Db, { account_id, hour }: { account_id: string; hour: string }): Promise<void> =>
  db.tx(async (tx) => {
    await lockTraffic(tx, account_id);
    const start = new Date(hour);
    await countOutcomes(tx, account_id, start);
    const protection = await readTrafficProtection(tx, account_id);
    for (const traffic of MESSAGE_TRAFFIC) {
      const action = protection[traffic];
      if (action === 'off') continue;
      for (const { kind, place, country, finding, figures } of await listFallen(tx, account_id, traffic, start))
        await addTrafficStop(tx, {
          ...{ account_id, traffic, kind, place, country, ...finding, figures },
          ...{ refuses: action === 'block', lift_hours: protection.lift_hours },
        });
    }
  });

/** Messages that are still scheduled or under way, and canceled ones, have no outcome. */
const countOutcomes = (tx: Tx, account_id: string, hour: Date) =>
  tx.run(sql`
    with replied as (
      select distinct number, sender_id from messages
      where account_id = ${account_id} and direction = 'MO' and create_date >= ${hour}
        and id >= ${idAt(hour.getTime() - ID_MARGIN_MS)}::uuid
    ), clicked as (
      select distinct message_id as id from link_clicks
      where account_id = ${account_id} and kind = 'person' and message_id is not null
        and id >= ${idAt(hour.getTime() - ID_MARGIN_MS)}::uuid
    ), sent as (
      select m.number, m.country, case m.source when 'campaign' then 'campaigns' else 'messages' end as traffic,
             m.status in ('delivered', 'read') as is_delivered, r.number is not null or c.id is not null as is_responded
      from messages m
      left join replied r on r.number = m.number and r.sender_id = m.sender_id
      left join clicked c on c.id = m.id
      where m.account_id = ${account_id} and m.direction = 'MT'
        and m.id >= ${idAt(hour.getTime() - ID_MARGIN_MS)}::uuid
        and m.id < ${idAt(hour.getTime() + HOUR_MS + ID_MARGIN_MS)}::uuid
        and m.create_date >= ${hour} and m.create_date < ${new Date(hour.getTime() + HOUR_MS)}
        and m.source = any(${COUNTED_SOURCES}::text[]) and m.status not in ('scheduled', 'enroute', 'canceled')
    ), places as (
      select d.kind, d.place, traffic, count(*)::int as outcomes,
             count(*) filter (where is_delivered)::int as delivered,
             count(*) filter (where is_responded)::int as responded
      from sent cross join lateral (
        values ('country', country), ('range', left(number, -6))) d(kind, place)
      group by 1, 2, 3
    )
    update traffic_counts c set outcomes = p.outcomes, delivered = p.delivered, responded = p.responded
    from places p
    where c.account_id = ${account_id} and c.kind = p.kind and c.place = p.place and c.hour = ${hour}
      and c.traffic = p.traffic`);

interface Outcomes {
  kind: 'range' | 'country';
  place: string;
  country: string;
  day: number;
  day_delivered: number;
  day_responded: number;
  before: number;
  before_delivered: number;
  before_responded: number;
}

async function listFallen(tx: Tx, account_id: string, traffic: MessageTraffic, hour: Date) {
  const day = new Date(hour.getTime() - 23 * HOUR_MS);
  const rows = await tx.rows<Outcomes>(sql`
    with today as (
      select kind, place, max(country) as country, sum(outcomes)::int as day, sum(delivered)::int as day_delivered,
             sum(responded)::int as day_responded
      from traffic_counts
      where account_id = ${account_id} and traffic = ${traffic} and hour between ${day} and ${hour}
        and kind <> 'account' and outcomes is not null
      group by kind, place
      having sum(outcomes) >= case kind when 'range' then ${MIN_SENT.range}::int else ${MIN_SENT.country}::int end
    )
    select t.*, b.* from today t cross join lateral (
      select coalesce(sum(outcomes), 0)::int as before, coalesce(sum(delivered), 0)::int as before_delivered,
             coalesce(sum(responded), 0)::int as before_responded
      from traffic_counts c
      where c.account_id = ${account_id} and c.kind = t.kind and c.place = t.place and c.traffic = ${traffic}
        and c.hour < ${day} and c.hour >= ${day}::timestamptz - interval '14 days'
    ) b
    where exists (
      select from traffic_counts n
      where n.account_id = ${account_id} and n.kind = t.kind and n.place = t.place and n.hour = ${hour}
        and n.traffic = ${traffic})`);
  return rows.flatMap(({ kind, place, country, ...figures }) => {
    const finding = findFallen(kind, figures);
    return finding ? [{ kind, place, country, finding, figures: measureOutcomes(figures) }] : [];
  });
}

/** The shares that were delivered and that got a response. */
function measureOutcomes(figures: Omit<Outcomes, 'kind' | 'place' | 'country'>): Finding[] {
  const { day, before, day_delivered, day_responded, before_delivered, before_responded } = figures;
  const measure = (now: number, earlier: number, name: 'delivered' | 'responded'): Finding => ({
    signal: 'conversion',
    evidence: { observed: now / day, usual: earlier / before, sample: day, measure: name },
  });
  return [
    measure(day_delivered, before_delivered, 'delivered'),
    ...(before_responded > 0 ? [measure(day_responded, before_responded, 'responded')] : []),
  ];
}

export function findFallen(
  kind: 'range' | 'country',
  figures: Omit<Outcomes, 'kind' | 'place' | 'country'>,
): Finding | null {
  const { day: day_sent, before: before_sent } = figures;
  const shared = { kind, day_sent, before_sent };
  const delivered = findConversion({
    ...{ ...shared, day_verified: figures.day_delivered, before_verified: figures.before_delivered },
  });
  if (delivered) return withMeasure(delivered, 'delivered');
  const expected = before_sent === 0 ? 0 : (figures.before_responded / before_sent) * day_sent;
  if (expected < MIN_EXPECTED) return null;
  const responded = findConversion(
    { ...shared, day_verified: figures.day_responded, before_verified: figures.before_responded },
    USUAL_RESPONSE,
  );
  return responded && withMeasure(responded, 'responded');
}

const withMeasure = ({ signal, evidence }: Finding, measure: 'delivered' | 'responded'): Finding => ({
  signal,
  evidence: { ...evidence, measure },
});
