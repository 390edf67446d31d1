/** Sign-ups whose address is not confirmed. They do not reserve a company name, and they are deleted after a week. */
import { customerChanged } from '@parley/contract/admin/customers.ts';
import { type Db, sql, type Tx, violates } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';

const UNCONFIRMED_DAYS = 7;

/**
 * Reserves the names of a person's companies once their address is confirmed. If another company has already reserved a
 * name, this company keeps it without a reservation. The verification form or the next name change then asks for
 * another name (COMPANY_NAME_EXISTS).
 */
export async function reserveNames(db: Db, login_id: string): Promise<void> {
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

/** Deletes old sign-ups and their companies, except those that other data refers to or that an operator has blocked. */
export async function pruneUnconfirmed({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - UNCONFIRMED_DAYS * 86_400_000);
  await db.run(sql`delete from sign_up_passwords where create_date < ${before}`);
  const old = await db.rows<Unconfirmed>(sql`
    select l.id as login_id, a.id as account_id, a.company_name
    from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
    where l.status = 'NEW' and l.create_date < ${before} and u.is_owner and not u.blocked and a.status = 'UNVERIFIED'
      and a.close_date is null
    order by l.create_date limit 500`);
  let removed = 0;
  for (const sign_up of old) if (await db.tx((tx) => remove(tx, sign_up)).catch(isInUse)) removed++;
  return removed;
}

const FOREIGN_KEY = '23503';
class InUse extends Error {}

function isInUse(error: unknown): false {
  if (error instanceof InUse || (error as { code?: string }).code === FOREIGN_KEY) return false;
  throw error;
}

async function remove(tx: Tx, { login_id, account_id, company_name }: Unconfirmed): Promise<true> {
  const unconfirmed = await tx.maybeOne(sql`select 1 from logins where id = ${login_id} and status = 'NEW' for update`);
  if (!unconfirmed) throw new InUse();
  await tx.run(sql`delete from users where account_id = ${account_id} and login_id = ${login_id}`);
  const unused = await tx.run(sql`
    delete from balances
    where account_id = ${account_id} and available_micros = 0 and held_micros = 0 and credit_limit_micros = 0`);
  if (unused === 0) throw new InUse();
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
