/**
 * Protection against SMS pumping, in which fraudsters request codes to numbers that earn them money and never use the
 * codes. When unused codes to a number range or a country surge, no more codes are sent there until an operator allows
 * them again. Operators are notified immediately. Used codes do not count, so a rush of real users does not stop codes.
 */

import { Problem } from '@parley/contract/problem.ts';
import type { CodeStop } from '@parley/contract/verify/code_stops.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { mailCodesStopped, selectStopRecipients } from './mails.ts';

export const isStopped = async (tx: Tx, range: string, country: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from code_stops where lift_date is null and place = any(${[range, country]}::text[]) limit 1`)) !== null;

/** Runs after each send, under the lock in limits.ts. The current code is still sent, but the next one is refused. */
export async function stopOnSurge(tx: Tx, kernel: Kernel, range: string, country: string): Promise<void> {
  const { PHONE_CODES_RANGE_STOP, PHONE_CODES_COUNTRY_STOP } = kernel.config;
  const places = [
    { kind: 'range', place: range, column: sql`range = ${range}`, least: PHONE_CODES_RANGE_STOP },
    { kind: 'country', place: country, column: sql`country = ${country}`, least: PHONE_CODES_COUNTRY_STOP },
  ] as const;
  for (const { kind, place, column, least } of places) {
    const sends = await countUnused(tx, place, column);
    if (sends < least) continue;
    const usual = await readBusiestHour(tx, column);
    if (sends < usual * kernel.config.PHONE_CODES_GROWTH) continue;
    await createStop(tx, kernel, { kind, place, country, sends, usual });
  }
}

/** Counts unused codes from the last hour, or since the last stop for this place was removed. */
const countUnused = async (tx: Tx, place: string, where: Sql): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from code_sends
      where ${where} and confirm_date is null and create_date > greatest(${tx.now}::timestamptz - interval '1 hour',
        (select max(lift_date) from code_stops where place = ${place}))`)
  ).count;

const readBusiestHour = async (tx: Tx, where: Sql): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select coalesce(max(count), 0)::int as count from (
        select count(*) as count from code_sends
        where ${where} and confirm_date is null and create_date > ${tx.now}::timestamptz - interval '7 days'
          and create_date <= ${tx.now}::timestamptz - interval '1 hour'
        group by floor(extract(epoch from ${tx.now}::timestamptz - create_date) / 3600)) hours`)
  ).count;

async function createStop(tx: Tx, kernel: Kernel, details: Omit<CodeStop, 'id' | 'stop_date'>): Promise<void> {
  const id = newId();
  const { kind, place, country, sends, usual } = details;
  const inserted = await tx.run(sql`
    insert into code_stops (id, kind, place, country, sends, usual, stop_date)
    values (${id}, ${kind}, ${place}, ${country}, ${sends}, ${usual}, ${tx.now}) on conflict do nothing`);
  if (inserted === 0) return;
  kernel.log.warn({ kind, place, country, sends, usual }, 'verification codes to phones stopped');
  const accounts = await tx.rows<{ account_id: string }>(sql`
    select id as account_id from accounts where kind = 'OPERATOR' order by id`);
  for (const { account_id } of accounts)
    record(
      tx,
      { actor: { account_id, user_id: null } },
      { action: 'phone_codes.stopped', target: auditTarget(details), detail: { sends, usual } },
    );
  for (const { email } of await selectStopRecipients(tx))
    await mailCodesStopped(tx, kernel, email, { ...details, place: placeName(details) }, `code stop ${id} ${email}`);
}

const countries = new Intl.DisplayNames('en', { type: 'region' });
type Place = Pick<CodeStop, 'kind' | 'place' | 'country'>;

/** "+44 7400…, United Kingdom", or only the country. */
const placeName = ({ kind, place, country }: Place): string => {
  const name = countries.of(country) ?? country;
  return kind === 'country' ? name : `+${place}…, ${name}`;
};
const auditTarget = (stop: Place) => ({ type: 'phone_range', id: stop.place, name: placeName(stop) });

const columns = sql`id, kind, place, country, sends, usual, stop_date`;

/** Lists the newest stops first. */
export const listCodeStops = (db: Queryable): Promise<CodeStop[]> =>
  db.rows<CodeStop>(sql`
    select ${columns} from code_stops where lift_date is null order by stop_date desc, id desc limit 200`);

/**
 * Allows codes again. Only codes sent from now on count toward a surge. Throws CODE_STOP_NOT_FOUND if the stop does not
 * exist or was already removed.
 */
export async function liftCodeStop(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const lifted = await tx.maybeOne<CodeStop>(sql`
    update code_stops set lift_date = ${tx.now}, lift_user_id = ${actor.user_id}
    where id = ${id} and lift_date is null returning ${columns}`);
  if (!lifted) throw new Problem('CODE_STOP_NOT_FOUND');
  record(tx, ctx, { action: 'phone_codes.allowed', target: auditTarget(lifted) });
}
