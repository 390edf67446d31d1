/**
 * Protection of customers against SMS pumping with verification codes. When the codes to a number range or a country
 * show a sign of fraud, the account is notified or sends no more codes there. The signs and the stops are those of the
 * guard; here, the request that sends a code counts it and compares. A stop also ends when people enter the codes.
 * Stops of one account do not affect another. A range that this installation has stopped for its own codes gets no
 * customer codes either.
 */
import { Problem } from '@parley/contract/problem.ts';
import { codeStopEnded, codeStopStarted, type VerificationStop } from '@parley/contract/verifications/stops.ts';
import { verificationStopsChanged } from '@parley/contract/verifications/verifications.ts';
import * as guard from '../guard/guard.ts';
import {
  CODE_RULES,
  type Finding,
  findSignals,
  measureSigns,
  type PlaceFigures,
  USUAL_CONVERSION,
} from '../guard/guard.ts';
import { type Db, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Config } from '../kernel/settings/config.ts';
import { isStopped } from '../verify/verify.ts';
import { type Place, readFigures } from './figures.ts';
import { readProtection } from './protection_settings.ts';

/** Sends the email about a stop or a notification. */
export const reportStop = job<{ account_id: string; id: string }>('verifications.report_stop');

/** Throws VERIFICATION_STOPPED. */
export async function requireNotStopped(tx: Tx, { account_id, range, country }: Place): Promise<void> {
  const own = await tx.rows<{ id: string; is_over: boolean }>(sql`
    select id, coalesce(expire_date <= ${tx.now}, false) as is_over from account_code_stops
    where account_id = ${account_id} and traffic = 'codes' and lift_date is null
      and place = any(${[range, country]}::text[])`);
  // The job that ends stops may not have run yet.
  for (const { id } of own.filter(({ is_over }) => is_over))
    await liftStops(tx, sql`account_id = ${account_id} and id = ${id}`, { reason: 'time' });
  // A stop of a whole country protects the money of this installation. It must not stop the codes of every customer.
  if (own.some(({ is_over }) => !is_over) || (await isStopped(tx, range, range)))
    throw new Problem('VERIFICATION_STOPPED');
}

/** Runs after a code is counted, under the lock of limits.ts. That code is still sent, but the next one is refused. */
export async function stopOnSurge(tx: Tx, config: Config, place: Place): Promise<void> {
  for (const kind of ['range', 'country'] as const) {
    const figures = await readFigures(tx, place, kind);
    const least = kind === 'range' ? config.PHONE_CODES_RANGE_STOP : config.PHONE_CODES_COUNTRY_STOP;
    const found = findSignals(figures, { ...CODE_RULES, surge: { least, growth: config.PHONE_CODES_GROWTH } });
    if (found.length > 0) await act(tx, place, figures, found);
  }
}

/**
 * A number range or country has at most one stop. A notification about the same sign is not repeated until its time is
 * over.
 */
async function act(tx: Tx, place: Place, figures: PlaceFigures, found: readonly Finding[]): Promise<void> {
  const { actions, lift_hours } = await readProtection(tx, place.account_id);
  const stop = found.find(({ signal }) => actions[signal] === 'stop');
  if (stop) return addStop(tx, place, figures, { ...stop, refuses: true, lift_hours });
  for (const finding of found)
    if (actions[finding.signal] === 'notify')
      await addStop(tx, place, figures, { ...finding, refuses: false, lift_hours });
}

type Decision = Finding & { refuses: boolean; lift_hours: number };

async function addStop(tx: Tx, place: Place, figures: PlaceFigures, decision: Decision): Promise<void> {
  const { account_id, range, country } = place;
  const { kind, unused, usual_unused } = figures;
  const { signal, refuses, lift_hours } = decision;
  const name = kind === 'range' ? range : country;
  const ms = lift_hours * 3_600_000;
  // These two count only codes since the last stop. The other signs would immediately stop codes that a user has just
  // allowed.
  const isFresh = refuses && (signal === 'unused' || signal === 'consecutive');
  const since = isFresh ? new Date(tx.now.getTime() + ms) : new Date(tx.now.getTime() - ms);
  const added = await guard.insertStop(tx, {
    ...{ ...decision, account_id, kind, place: name, country, traffic: 'codes', usual: usual_unused },
    sends: Math.max(unused, 0),
    figures: measureSigns(figures),
    unless: sql`o.signal = ${signal} and o.lift_date >= ${since}`,
  });
  if (!added) return;
  emit(tx, verificationStopsChanged, account_id, { kind, place: name, stopped: refuses });
  emit(tx, codeStopStarted, account_id, toWire(added));
  await enqueue(tx, reportStop, { account_id, id: added.id });
  failpoint('before_code_stop_commit');
}

const toWire = ({ account_id: _, traffic: __, ...stop }: guard.StoredStop): VerificationStop => stop;

/** Stops, and notifications about other places whose time is not over. */
export const listStops = async (db: Queryable, account_id: string, now: Date): Promise<VerificationStop[]> =>
  (await guard.listStops(db, account_id, ['codes'], now)).map(toWire);

/** The lock of limits.ts. */
export const lockStops = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7307))`);

/** Allows codes again. Codes that are unused at this time do not lead to another stop. */
export async function liftStops(
  tx: Tx,
  condition: Sql,
  by: Parameters<typeof guard.endStops>[2],
): Promise<VerificationStop[]> {
  const lifted = await guard.endStops(tx, sql`traffic = 'codes' and ${condition}`, by);
  return lifted.map((stored) => {
    const stop = toWire(stored);
    emit(tx, verificationStopsChanged, stored.account_id, { kind: stop.kind, place: stop.place, stopped: false });
    emit(tx, codeStopEnded, stored.account_id, stop);
    return stop;
  });
}

/**
 * Throws VERIFICATION_STOP_NOT_FOUND if the stop does not exist or was already removed. The account is that of a
 * customer if an operator calls.
 */
export async function removeStop(ctx: Ctx, id: string, account_id: string = ctx.actor.account_id): Promise<void> {
  const { tx, actor } = ctx;
  await lockStops(tx, account_id);
  const lifted = await liftStops(tx, sql`account_id = ${account_id} and id = ${id}`, {
    reason: 'user',
    user_id: actor.user_id,
  });
  const [stop] = lifted;
  if (!stop) throw new Problem('VERIFICATION_STOP_NOT_FOUND');
  record(tx, ctx, {
    action: 'verifications.allowed',
    account_id,
    target: { type: 'phone_range', id: stop.place, name: guard.placeName(stop) },
  });
}

const BATCH = 200;

/**
 * Ends the stops whose time is over. A stop for codes that were not entered also ends when people enter enough of them.
 * A repeated run ends no more.
 */
export async function endStops(db: Db, signal?: AbortSignal): Promise<void> {
  const over = sql`expire_date <= now()`;
  const entered = sql`signal in ('unused', 'consecutive') and exists (
    select from code_counts c
    where c.account_id = s.account_id and c.kind = s.kind and c.place = s.place
      and c.hour = date_trunc('hour', s.stop_date, 'UTC')
    having sum(c.verified) >= sum(c.sent) * ${USUAL_CONVERSION}::float8)`;
  for (const [which, reason] of [
    [over, 'time'],
    [entered, 'entered'],
  ] as const)
    for (let ended = BATCH; ended === BATCH && !signal?.aborted; ) {
      const rows = await db.rows<{ account_id: string; id: string }>(sql`
        select account_id, id from account_code_stops s where lift_date is null and traffic = 'codes' and ${which}
        order by stop_date limit ${BATCH}`);
      for (const { account_id, id } of rows)
        await db.tx(async (tx) => {
          await lockStops(tx, account_id);
          await liftStops(tx, sql`account_id = ${account_id} and id = ${id}`, { reason });
        });
      ended = rows.length;
    }
}
