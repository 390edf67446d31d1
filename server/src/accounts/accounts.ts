/** The company and the person behind a session. */
import type { Account, User } from '@parley/contract/accounts.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Actor } from '../kernel/auth.ts';
import type { Queryable } from '../kernel/db.ts';
import * as queries from './queries.ts';

export async function getAccount(db: Queryable, actor: Actor): Promise<Account> {
  const account = await queries.account(db, actor.account_id);
  if (!account) throw new Problem(1101);
  return account;
}

export async function getUser(db: Queryable, actor: Actor): Promise<User> {
  const user = actor.user_id ? await queries.user(db, actor.account_id, actor.user_id) : null;
  if (!user) throw new Problem(1101);
  return { ...user, permissions: { ...actor.permissions } as User['permissions'] };
}
