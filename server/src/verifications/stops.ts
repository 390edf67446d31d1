/**
 * Protection of customers against SMS pumping. When codes to a number range or a country surge and people do not enter
 * them, the account sends no more codes there until one of its users allows them again. Stops of one account do not
 * affect another. A range that this installation has stopped for its own codes gets no codes of customers either.
 */
import { Problem } from '@parley/contract/problem.ts';
import { type VerificationStop, verificationStopsChanged } from '@parley/contract/verifications/verifications.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Config } from '../kernel/settings/config.ts';
import { isStopped } from '../verify/verify.ts';

/** A surge is not an attack if people enter at least this share of the codes. */
const USUAL_CONVERSION = 0.25;

interface Place {
  readonly account_id: string;
  readonly range: string;
  readonly country: string;
}

/** Throws VERIFICATION_STOPPED. */
export async function requireNotStopped(tx: Tx, { account_id, range, country }: Place): Promise<void> {
  const own = await tx.maybeOne(sql`
    select 1 from account_code_stops
    where account_id = ${account_id} and lift_date is null and place = any(${[range, country]}::text[]) limit 1`);
  // A stop of a whole country protects the money of this installation. It must not stop the codes of every customer.
  if (own !== null || (await isStopped(tx, range, range))) throw new Problem('VERIFICATION_STOPPED');
}

/** Runs after a code is counted, under the lock of limits.ts. That code is still sent, but the next one is refused. */
export async function stopOnSurge(tx: Tx, config: Config, { account_id, range, country }: Place): Promise<void> {
  const places = [
    { kind: 'range', place: range, least: config.PHONE_CODES_RANGE_STOP },
    { kind: 'country', place: country, least: config.PHONE_CODES_COUNTRY_STOP },
  ] as const;
  for (const { kind, place, least } of places) {
    const { sent, unused, usual } = await readHours(tx, account_id, kind, place);
    if (unused < least || unused < usual * config.PHONE_CODES_GROWTH || unused < sent * (1 - USUAL_CONVERSION))
      continue;
    await createStop(tx, account_id, { kind, place, country, sends: unused, usual });
  }
}

/** The codes of this hour, and the unused codes of the busiest hour of the week before. */
const readHours = (tx: Tx, account_id: string, kind: string, place: string) =>
  tx.one<{ sent: number; unused: number; usual: number }>(sql`
    with hours as (
      select hour, sum(sent)::int as sent, sum(sent - verified)::int as unused from code_counts
      where account_id = ${account_id} and kind = ${kind} and place = ${place}
        and hour > ${tx.now}::timestamptz - interval '7 days'
      group by hour
    ), earlier as (
      -- Codes that were unused when a user allowed the place again do not count a second time.
      select coalesce(max(lift_sends), 0) as unused from account_code_stops
      where account_id = ${account_id} and place = ${place}
        and lift_date >= date_trunc('hour', ${tx.now}::timestamptz, 'UTC')
    )
    select coalesce(max(sent) filter (where hour = date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0)
             - (select unused from earlier) as sent,
           coalesce(max(unused) filter (where hour = date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0)
             - (select unused from earlier) as unused,
           coalesce(max(unused) filter (where hour < date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0) as usual
    from hours`);

const columns = raw(`id, kind, place, country, sends, usual, stop_date`);

async function createStop(
  tx: Tx,
  account_id: string,
  { kind, place, country, sends, usual }: Pick<VerificationStop, 'kind' | 'place' | 'country' | 'sends' | 'usual'>,
): Promise<void> {
  const inserted = await tx.run(sql`
    insert into account_code_stops (account_id, id, kind, place, country, sends, usual, stop_date)
    values (${account_id}, ${newId()}, ${kind}, ${place}, ${country}, ${sends}, ${usual}, ${tx.now})
    on conflict do nothing`);
  if (inserted === 0) return;
  const target = { type: 'phone_range', id: place, name: placeName(kind, place, country) };
  const actor = { actor: { account_id, user_id: null } };
  record(tx, actor, { action: 'verifications.stopped', target, detail: { sends, usual } });
  emit(tx, verificationStopsChanged, account_id, { kind, place, stopped: true });
}

const countries = new Intl.DisplayNames('en', { type: 'region' });
const placeName = (kind: string, place: string, country: string): string => {
  const name = countries.of(country) ?? country;
  return kind === 'country' ? name : `+${place}…, ${name}`;
};

export const listStops = (db: Queryable, account_id: string): Promise<VerificationStop[]> =>
  db.rows<VerificationStop>(sql`
    select ${columns} from account_code_stops where account_id = ${account_id} and lift_date is null
    order by stop_date desc, id desc limit 200`);

/** Throws VERIFICATION_STOP_NOT_FOUND if the stop does not exist or was already removed. */
export async function removeStop(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7307))`);
  const lifted = await tx.maybeOne<VerificationStop>(sql`
    update account_code_stops s set lift_date = ${tx.now}, lift_user_id = ${actor.user_id}::uuid,
      lift_sends = coalesce((
        select sum(sent - verified) from code_counts c
        where c.account_id = s.account_id and c.kind = s.kind and c.place = s.place
          and c.hour = date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0)
    where account_id = ${account_id} and id = ${id} and lift_date is null returning ${columns}`);
  if (!lifted) throw new Problem('VERIFICATION_STOP_NOT_FOUND');
  const { kind, place, country } = lifted;
  record(tx, ctx, {
    action: 'verifications.allowed',
    target: { type: 'phone_range', id: place, name: placeName(kind, place, country) },
  });
  emit(tx, verificationStopsChanged, account_id, { kind, place, stopped: false });
}
