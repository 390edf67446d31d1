/**
 * Operators created from the command line. The first one also creates the operators’ account. The command shows a link
 * that is valid once and for one day. Only a hash of it is kept, and it is not emailed, so the first operator needs no
 * mail server. Accepting the link sets a password, and the session opens nothing but two-factor authentication until it
 * is set up.
 */
import { allPermissions } from '@parley/contract/permission.ts';
import { hashToken } from '../auth/auth.ts';
import { newId, secret } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { record } from '../kernel/security/audit.ts';
import { insertInvitation, lockPending, renewInvitation } from './invitation_queries.ts';
import { insertUser } from './queries.ts';

const LINK_DAYS = 1;
/**
 * The operators’ account pays for verification codes. No company pays its bill, so it may go far below zero: its credit
 * limit is the highest possible one.
 */
const OPERATORS_CREDIT_LIMIT = 1_000_000_000_000;

export type CreatedOperator =
  | { outcome: 'created' | 'renewed'; token: string; days: number }
  /** `waiting`: the person has not opened their link yet, or it has expired. `active`: they can sign in. */
  | { outcome: 'waiting' | 'active' | 'blocked' };

/**
 * Creates an operator with all permissions. An existing operator is left unchanged, unless `renew` replaces the link
 * that the person has not used.
 */
export async function createOperator(tx: Tx, email: string, { renew }: { renew: boolean }): Promise<CreatedOperator> {
  // Only one command at a time, so that there is only one operators’ account.
  await tx.run(sql`select pg_advisory_xact_lock(7301005)`);
  const account_id = (await selectOperators(tx)) ?? (await insertOperators(tx));
  const existing = await selectOperator(tx, account_id, email);
  if (existing?.blocked) return { outcome: 'blocked' };
  if (existing?.joined) return { outcome: 'active' };
  if (existing && !renew) return { outcome: 'waiting' };
  const token = secret();
  const id = existing?.id ?? newId();
  const permissions = allPermissions();
  if (!existing) {
    const is_owner = !(await hasOwner(tx, account_id));
    const person = { account_id, id, login_id: null, email, first_name: '', last_name: '', position: '' };
    await insertUser(tx, { ...person, permissions, is_owner });
  }
  await insertLink(tx, { account_id, id, email, token });
  record(
    tx,
    { actor: { account_id, user_id: null } },
    {
      action: existing ? 'operator.link_renewed' : 'operator.created',
      target: { type: 'user', id, name: email },
    },
  );
  return { outcome: existing ? 'renewed' : 'created', token, days: LINK_DAYS };
}

/** The user is their own inviter, because no colleague created the link. */
async function insertLink(
  tx: Tx,
  { account_id, id, email, token }: { account_id: string; id: string; email: string; token: string },
): Promise<void> {
  const link = { token_hash: hashToken(token), now: tx.now, days: LINK_DAYS, invited_by: id };
  const offer = { account_id, first_name: '', last_name: '', position: '', permissions: allPermissions() };
  const open = await lockPending(tx, account_id, email);
  if (open) await renewInvitation(tx, { ...offer, ...link, id: open.id });
  else
    await insertInvitation(tx, { ...offer, ...link, id: newId(), email, inviter_account_id: account_id, user_id: id });
}

const selectOperators = async (db: Queryable): Promise<string | null> =>
  (
    await db.maybeOne<{ id: string }>(sql`
      select id from accounts where kind = 'OPERATOR' and close_date is null order by id limit 1`)
  )?.id ?? null;

async function insertOperators(tx: Tx): Promise<string> {
  const id = newId();
  await tx.run(sql`
    insert into accounts (id, kind, company_name, currency, status, channels)
    select ${id}::uuid, 'OPERATOR', 'Operators', code, 'VERIFIED', '{}' from currencies where is_default`);
  await tx.run(sql`
    insert into balances (account_id, currency, credit_limit_micros)
    select id, currency, ${OPERATORS_CREDIT_LIMIT}::bigint from accounts where id = ${id}`);
  return id;
}

const selectOperator = (db: Queryable, account_id: string, email: string) =>
  db.maybeOne<{ id: string; joined: boolean; blocked: boolean }>(sql`
    select id, login_id is not null as joined, blocked from users
    where account_id = ${account_id} and lower(email) = ${email} and remove_date is null`);

const hasOwner = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.maybeOne(
    sql`select 1 from users where account_id = ${account_id} and is_owner and remove_date is null`,
  )) !== null;
