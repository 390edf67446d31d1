/**
 * Codes for phones cost money, and whoever earns by them has them sent to numbers of their own, none of which ever gives a code back. Where such codes
 * grow suddenly, to one range of numbers or one country, none goes there any more until an operator allows it again; they hear of it at once.
 * Codes that are given back do not count, so that a crowd of real people stops nothing.
 */

import { Problem } from '@parley/contract/problem.ts';
import type { CodeStop } from '@parley/contract/verify/code_stops.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { codesStopped } from './mails.ts';

export const isStopped = async (tx: Tx, range: string, country: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from code_stops where lift_date is null and place = any(${[range, country]}::text[]) limit 1`)) !== null;

/** After each send, under the lock of limits.ts. The send itself goes: it is the next that is refused. */
export async function stopIfSudden(tx: Tx, kernel: Kernel, range: string, country: string): Promise<void> {
  const { PHONE_CODES_RANGE_STOP, PHONE_CODES_COUNTRY_STOP } = kernel.config;
  const places = [
    { kind: 'range', place: range, column: sql`range = ${range}`, least: PHONE_CODES_RANGE_STOP },
    { kind: 'country', place: country, column: sql`country = ${country}`, least: PHONE_CODES_COUNTRY_STOP },
  ] as const;
  for (const { kind, place, column, least } of places) {
    const sends = await unconfirmed(tx, place, column);
    if (sends < least) continue;
    const usual = await busiestHour(tx, column);
    if (sends < usual * kernel.config.PHONE_CODES_GROWTH) continue;
    await stop(tx, kernel, { kind, place, country, sends, usual });
  }
}

/** Of the last hour, and since the place was allowed again. */
const unconfirmed = async (tx: Tx, place: string, where: Sql): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from code_sends
      where ${where} and confirm_date is null and create_date > greatest(${tx.now}::timestamptz - interval '1 hour',
        (select max(lift_date) from code_stops where place = ${place}))`)
  ).count;

const busiestHour = async (tx: Tx, where: Sql): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select coalesce(max(count), 0)::int as count from (
        select count(*) as count from code_sends
        where ${where} and confirm_date is null and create_date > ${tx.now}::timestamptz - interval '7 days'
          and create_date <= ${tx.now}::timestamptz - interval '1 hour'
        group by floor(extract(epoch from ${tx.now}::timestamptz - create_date) / 3600)) hours`)
  ).count;

async function stop(tx: Tx, kernel: Kernel, found: Omit<CodeStop, 'id' | 'stop_date'>): Promise<void> {
  const id = newId();
  const { kind, place, country, sends, usual } = found;
  const made = await tx.run(sql`
    insert into code_stops (id, kind, place, country, sends, usual, stop_date)
    values (${id}, ${kind}, ${place}, ${country}, ${sends}, ${usual}, ${tx.now}) on conflict do nothing`);
  if (made === 0) return;
  kernel.log.warn({ kind, place, country, sends, usual }, 'codes to phones were stopped');
  const accounts = await tx.rows<{ account_id: string }>(sql`
    select id as account_id from accounts where kind = 'OPERATOR' order by id`);
  for (const { account_id } of accounts)
    record(
      tx,
      { actor: { account_id, user_id: null } },
      { action: 'phone_codes.stopped', target: targetOf(found), detail: { sends, usual } },
    );
  for (const { email } of await operatorsWhoMayLift(tx))
    await codesStopped(tx, kernel, email, { ...found, place: nameOf(found) }, `code stop ${id} ${email}`);
}

const operatorsWhoMayLift = (tx: Tx) =>
  tx.rows<{ email: string }>(sql`
    select distinct l.email from users u join logins l on l.id = u.login_id join accounts a on a.id = u.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and not u.blocked and u.remove_date is null
      and (u.is_owner or ((u.permissions->>'ACCOUNTS')::int & 4) <> 0)
    order by 1`);

const countries = new Intl.DisplayNames('en', { type: 'region' });
/** "+44 7400…, United Kingdom", or the country alone. */
export const nameOf = ({ kind, place, country }: Pick<CodeStop, 'kind' | 'place' | 'country'>): string => {
  const name = countries.of(country) ?? country;
  return kind === 'country' ? name : `+${place}…, ${name}`;
};
const targetOf = (stop: Pick<CodeStop, 'kind' | 'place' | 'country'>) => ({
  type: 'phone_range',
  id: stop.place,
  name: nameOf(stop),
});

const columns = sql`id, kind, place, country, sends, usual, stop_date`;

/** The newest first. There are a handful: each took an attack. */
export const listCodeStops = (db: Queryable): Promise<CodeStop[]> =>
  db.rows<CodeStop>(sql`
    select ${columns} from code_stops where lift_date is null order by stop_date desc, id desc limit 200`);

/**
 * Codes go there again, and count from now on. Problem CODE_STOP_NOT_FOUND: there is no such stop, or it was lifted.
 */
export async function liftCodeStop(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const lifted = await tx.maybeOne<CodeStop>(sql`
    update code_stops set lift_date = ${tx.now}, lift_user_id = ${actor.user_id}
    where id = ${id} and lift_date is null returning ${columns}`);
  if (!lifted) throw new Problem('CODE_STOP_NOT_FOUND');
  record(tx, ctx, { action: 'phone_codes.allowed', target: targetOf(lifted) });
}
