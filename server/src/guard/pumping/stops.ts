/**
 * Stops of destinations whose traffic shows a sign of fraud, and notifications about such destinations. Verification
 * codes, other single messages, and campaigns have their own stops. A stop ends when a user lifts it, after the
 * hours of the settings, or when the settings no longer stop traffic. The caller holds the lock of the account's
 * traffic.
 */
import { describeEvidence, type Evidence, type Traffic } from '@parley/contract/guard/pumping.ts';
import {
  type AccountTrafficStop,
  MESSAGE_TRAFFIC,
  type TrafficStop,
  trafficStopEnded,
  trafficStopStarted,
} from '@parley/contract/guard/traffic_stops.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Finding } from './signals.ts';

/** Sends the email about a stop or a notification. */
export const reportStop = job<{ account_id: string; id: string }>('guard.report_stop');

export interface StopPlace {
  readonly account_id: string;
  readonly kind: 'range' | 'country';
  readonly place: string;
  readonly country: string;
}

export interface NewStop extends StopPlace, Finding {
  readonly traffic: Traffic;
  readonly refuses: boolean;
  readonly lift_hours: number;
  /** Nothing is added if the place has a row with this condition on `account_code_stops o`. */
  readonly unless: Sql;
  /** The measured figures, including those of other signs. */
  readonly figures?: readonly Finding[];
  /** Unused codes of this hour, and of the busiest hour of the week before. */
  readonly sends?: number;
  readonly usual?: number;
}

export interface StoredStop extends TrafficStop {
  account_id: string;
  sends: number;
  usual: number;
}

const columns = raw(`s.account_id, s.id, s.traffic, s.kind, s.place, s.country, s.sends, s.usual, s.stop_date, s.signal,
  s.evidence, s.figures, s.refuses, s.expire_date`);

type StopRow = Omit<StoredStop, 'reason' | 'evidence' | 'figures'> & {
  evidence: Evidence | object;
  figures: Finding[];
};

/** Older stops have no evidence, only the columns. */
function toStop<T extends StopRow>(row: T): T & StoredStop {
  const { evidence: stored, sends, usual } = row;
  const evidence = 'observed' in stored ? stored : { observed: sends, usual, sample: sends };
  const reason = describeEvidence(row.signal, row.kind, evidence, row.traffic);
  const figures = row.figures
    .map(({ signal, evidence: one }) => ({ signal, text: describeEvidence(signal, row.kind, one, row.traffic) }))
    .filter(({ text }) => text !== reason);
  return { ...row, evidence, reason, figures };
}

/** Returns the row, or null if it exists. A place has at most one stop per traffic. */
export async function insertStop(tx: Tx, stop: NewStop): Promise<StoredStop | null> {
  const {
    account_id,
    traffic,
    kind,
    place,
    country,
    signal,
    evidence,
    refuses,
    sends = 0,
    usual = 0,
    figures = [],
  } = stop;
  const row = await tx.maybeOne<StopRow>(sql`
    insert into account_code_stops as s (account_id, id, traffic, kind, place, country, sends, usual, stop_date, signal,
      evidence, figures, refuses, expire_date, lift_date)
    select ${account_id}::uuid, ${newId()}::uuid, ${traffic}, ${kind}, ${place}, ${country}, ${sends}::int,
      ${usual}::int, ${tx.now}::timestamptz, ${signal}, ${JSON.stringify(evidence)}::jsonb,
      ${JSON.stringify(figures)}::jsonb, ${refuses},
      ${new Date(tx.now.getTime() + stop.lift_hours * 3_600_000)}::timestamptz,
      case when not ${refuses} then ${tx.now}::timestamptz end
    where not exists (
      select from account_code_stops o
      where o.account_id = ${account_id} and o.traffic = ${traffic} and o.place = ${place} and ${stop.unless})
    on conflict do nothing returning ${columns}`);
  if (!row) return null;
  if (refuses)
    record(
      tx,
      { actor: { account_id, user_id: null } },
      {
        action: traffic === 'codes' ? 'verifications.stopped' : 'traffic.stopped',
        target: auditTarget(row),
        detail: { signal, ...evidence },
      },
    );
  return toStop(row);
}

const countries = new Intl.DisplayNames('en', { type: 'region' });
export const placeName = ({ kind, place, country }: Pick<TrafficStop, 'kind' | 'place' | 'country'>): string => {
  const name = /^[A-Z]{2}$/.test(country) ? (countries.of(country) ?? country) : country;
  return kind === 'country' ? name : `+${place}…, ${name}`;
};
const auditTarget = (stop: Pick<TrafficStop, 'kind' | 'place' | 'country'>) => ({
  ...{ type: 'phone_range', id: stop.place, name: placeName(stop) },
});

/** Stops, and notifications about other places whose time is not over. */
export const listStops = async (
  db: Queryable,
  account_id: string,
  traffic: readonly Traffic[],
  now: Date,
): Promise<StoredStop[]> =>
  (
    await db.rows<StopRow>(sql`
      select ${columns} from account_code_stops s
      where account_id = ${account_id} and traffic = any(${traffic}::text[]) and coalesce(expire_date > ${now}, true)
        and (lift_date is null or not refuses and not exists (
          select from account_code_stops o
          where o.account_id = s.account_id and o.traffic = s.traffic and o.place = s.place and o.lift_date is null))
      order by stop_date desc, id desc limit 200`)
  ).map(toStop);

export const listTrafficStops = async (db: Queryable, account_id: string, now: Date): Promise<TrafficStop[]> =>
  (await listStops(db, account_id, MESSAGE_TRAFFIC, now)).map(toWire);

/** The active stops of all accounts. The index on the date bounds the cost. */
export const listAllStops = async (db: Queryable, now: Date): Promise<AccountTrafficStop[]> =>
  (
    await db.rows<StopRow & { account_name: string }>(sql`
      select ${columns}, (select a.company_name from accounts a where a.id = s.account_id) as account_name
      from account_code_stops s where lift_date is null and coalesce(expire_date > ${now}, true)
      order by stop_date desc, id desc limit 200`)
  )
    .map(toStop)
    .map(({ sends: _, usual: __, ...stop }) => stop);

export const toWire = ({ account_id: _, sends: __, usual: ___, ...stop }: StoredStop): TrafficStop => stop;

export async function findStop(db: Queryable, account_id: string, id: string): Promise<StoredStop | null> {
  const row = await db.maybeOne<StopRow>(
    sql`select ${columns} from account_code_stops s where account_id = ${account_id} and id = ${id}`,
  );
  return row && toStop(row);
}

/** Ends stops. Codes that are unused at this time do not lead to another stop. */
export async function endStops(
  tx: Tx,
  condition: Sql,
  { reason, user_id = null }: { reason: 'user' | 'time' | 'entered' | 'off'; user_id?: string | null },
): Promise<StoredStop[]> {
  const rows = await tx.rows<StopRow>(sql`
    update account_code_stops s set lift_date = ${tx.now}, lift_user_id = ${user_id}::uuid, lift_reason = ${reason},
      lift_sends = case when traffic = 'codes' then coalesce((
        select sum(sent - verified) from code_counts c
        where c.account_id = s.account_id and c.kind = s.kind and c.place = s.place
          and c.hour = date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0) else 0 end
    where ${condition} and lift_date is null returning ${columns}`);
  return rows.map(toStop);
}

/** Starts a stop of messages, or notifies the account. */
export async function addTrafficStop(tx: Tx, stop: Omit<NewStop, 'unless'>): Promise<void> {
  const since = new Date(tx.now.getTime() - stop.lift_hours * 3_600_000);
  // A user who lifts a stop knows the traffic. A notification about a sign is not repeated until its time is over.
  const unless = stop.refuses
    ? sql`o.lift_reason = 'user' and o.lift_date >= ${since}`
    : sql`(o.lift_date is null or o.lift_reason = 'user' or o.signal = ${stop.signal})
          and coalesce(o.lift_date >= ${since}, true)`;
  const added = await insertStop(tx, { ...stop, unless });
  if (!added) return;
  emit(tx, trafficStopStarted, added.account_id, toWire(added));
  await enqueue(tx, reportStop, { account_id: added.account_id, id: added.id });
}

/** Ends stops of messages and announces it. */
export async function liftTraffic(
  tx: Tx,
  account_id: string,
  condition: Sql,
  by: Parameters<typeof endStops>[2],
): Promise<StoredStop[]> {
  const lifted = await endStops(tx, sql`account_id = ${account_id} and traffic <> 'codes' and ${condition}`, by);
  for (const stop of lifted) emit(tx, trafficStopEnded, account_id, toWire(stop));
  return lifted;
}

/** The lock under which the messages of an account are counted and their stops change. */
export const lockTraffic = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7311))`);
export const tryLockTraffic = async (tx: Tx, account_id: string): Promise<boolean> =>
  (
    await tx.one<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${account_id}, 7311)) as locked`,
    )
  ).locked;

/**
 * Throws TRAFFIC_STOP_NOT_FOUND if the stop does not exist or has ended. The account is the caller’s, or that of a
 * customer if an operator calls.
 */
export async function liftStop(ctx: Ctx, id: string, account_id: string = ctx.actor.account_id): Promise<void> {
  const { tx, actor } = ctx;
  await lockTraffic(tx, account_id);
  const by = { reason: 'user', user_id: actor.user_id } as const;
  const [stop] = await liftTraffic(tx, account_id, sql`id = ${id}`, by);
  if (!stop) throw new Problem('TRAFFIC_STOP_NOT_FOUND');
  const target = auditTarget(stop);
  record(tx, ctx, { action: 'traffic.allowed', account_id, target, detail: { signal: stop.signal } });
}

const BATCH = 200;

/** Ends the stops of messages whose time is over. A repeated run ends no more. */
export async function endExpired(db: Db, signal?: AbortSignal): Promise<void> {
  for (let ended = BATCH; ended === BATCH && !signal?.aborted; ) {
    const rows = await db.rows<{ account_id: string; id: string }>(sql`
      select account_id, id from account_code_stops
      where lift_date is null and traffic <> 'codes' and expire_date <= now() order by stop_date limit ${BATCH}`);
    for (const { account_id, id } of rows)
      await db.tx(async (tx) => {
        await lockTraffic(tx, account_id);
        await liftTraffic(tx, account_id, sql`id = ${id}`, { reason: 'time' });
      });
    ended = rows.length;
  }
}
