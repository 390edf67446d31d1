/**
 * Sign-ups whose mailbox nobody has proven yet. Until then they hold nothing of anybody else: no company's name, and after a week not even their own
 * row. The password typed last is kept beside the address, known or not, so that signing in with it answers alike for both; it opens nothing.
 */
import { customerChanged } from '@parley/contract/admin/customers.ts';
import { type Db, type Queryable, sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';

export const UNCONFIRMED_DAYS = 7;

export const keepTry = (tx: Tx, email: string, password_hash: string | null) =>
  tx.run(sql`
    insert into sign_up_tries (email, password_hash, create_date)
    select ${email}, ${password_hash}, ${tx.now}::timestamptz where ${password_hash}::text is not null
    on conflict (email) do update set password_hash = excluded.password_hash, create_date = excluded.create_date`);

export const triedPassword = async (db: Queryable, email: string): Promise<string | null> =>
  (
    await db.maybeOne<{ password_hash: string }>(sql`
      select password_hash from sign_up_tries where email = ${email}`)
  )?.password_hash ?? null;

export const forgetTry = (tx: Tx, email: string) =>
  tx.run(sql`delete from sign_up_tries where email = ${email.toLowerCase()}`);

/**
 * After the mailbox is proven. Who comes second goes on under the same name without holding it: the form for approval, or the next change of the name,
 * asks for another (COMPANY_NAME_EXISTS).
 */
export async function holdNames(db: Db, login_id: string): Promise<void> {
  try {
    await db.run(sql`
      update accounts a set name_held = true
      from users u where u.account_id = a.id and u.login_id = ${login_id} and u.is_owner and not a.name_held`);
  } catch (error) {
    if (!violates(error, 'accounts_company')) throw error;
  }
}

interface Unconfirmed {
  login_id: string;
  account_id: string;
  company_name: string;
}

/** With the company that came with it, where nothing else has come to hang on it. Whom operators have shut out stays shut out. */
export async function pruneUnconfirmed({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - UNCONFIRMED_DAYS * 86_400_000);
  await db.run(sql`delete from sign_up_tries where create_date < ${before}`);
  const old = await db.rows<Unconfirmed>(sql`
    select l.id as login_id, a.id as account_id, a.company_name
    from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
    where l.status = 'NEW' and l.create_date < ${before} and u.is_owner and not u.blocked and a.status = 'UNVERIFIED' and a.close_date is null
    order by l.create_date limit 500`);
  let gone = 0;
  for (const one of old) if (await db.tx((tx) => removed(tx, one)).catch(stays)) gone++;
  return gone;
}

const FOREIGN_KEY = '23503';
class Touched extends Error {}

function stays(error: unknown): false {
  if (error instanceof Touched || (error as { code?: string }).code === FOREIGN_KEY) return false;
  throw error;
}

async function removed(tx: Tx, { login_id, account_id, company_name }: Unconfirmed): Promise<true> {
  const still = await tx.maybeOne(sql`select 1 from logins where id = ${login_id} and status = 'NEW' for update`);
  if (!still) throw new Touched();
  await tx.run(sql`delete from users where account_id = ${account_id} and login_id = ${login_id}`);
  const empty = await tx.run(sql`
    delete from balances where account_id = ${account_id} and available_micros = 0 and held_micros = 0 and credit_limit_micros = 0`);
  if (empty === 0) throw new Touched();
  await tx.run(sql`delete from accounts where id = ${account_id}`);
  await tx.run(sql`delete from logins where id = ${login_id}`);
  record(
    tx,
    { actor: { account_id, user_id: null } },
    { action: 'account.pruned', target: { type: 'account', id: account_id, name: company_name } },
  );
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, customerChanged, id, { id: account_id });
  return true;
}
