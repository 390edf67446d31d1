/**
 * The companies a person can switch to. The person's other companies open with a session like the current one. Users
 * enter a sub-account on behalf of its owner: the session records who is acting, has no more permissions than that user
 * has in the parent company, and cannot change any personal settings.
 */

import type {
  listOwnAccounts as listEndpoint,
  switchAccount as switchEndpoint,
} from '@parley/contract/auth/sessions.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { readClient } from '../people/client.ts';
import { openSession } from './sessions.ts';

const NEED = 'ACCOUNTS:edit';
const SUB_ACCOUNT_MINUTES = 12 * 60;

type Company = z.output<(typeof listEndpoint)['output']>[number];

export async function listOwnAccounts(db: Queryable, actor: Actor): Promise<Company[]> {
  return db.rows<Company>(sql`
    select u.id as user_id, u.account_id, a.company_name, 'member' as relation,
           u.account_id = ${actor.account_id} as current
    from users u join accounts a on a.id = u.account_id
    where u.login_id = (select login_id from users where account_id = ${actor.account_id} and id = ${actor.user_id})
      and a.close_date is null
    union all
    select o.id, o.account_id, a.company_name, 'sub_account', false
    from accounts a join users o on o.account_id = a.id and o.is_owner and o.remove_date is null
    where a.parent_id = ${actor.account_id} and a.close_date is null and ${permits(actor.permissions, NEED)}
    order by relation, company_name, user_id`);
}

interface Target {
  account_id: string;
  user_id: string;
  full_name: string;
  own: boolean;
  blocked: boolean;
  second_factor_required: boolean;
  present_second_factor: boolean;
  prove_date: string | null;
  method: 'password';
}

/**
 * Throws USER_NOT_FOUND (the caller cannot switch to this user), PERMISSION_REQUIRED, USER_BLOCKED, or, for a pending
 * step, PHONE_UNVERIFIED or SECOND_FACTOR_REQUIRED.
 */
export async function switchAccount(
  ctx: Pick<Ctx, 'kernel' | 'actor' | 'address' | 'headers' | 'request_id'>,
  { id }: Parsed<typeof switchEndpoint>['params'],
): Promise<{ access_token: string; expire_date: string }> {
  const { kernel, actor } = ctx;
  return kernel.db.tx(async (tx) => {
    const target = await selectTarget(tx, actor, id);
    if (!target) throw new Problem('USER_NOT_FOUND');
    if (!target.own && actor.pending)
      throw new Problem(actor.pending === 'phone' ? 'PHONE_UNVERIFIED' : 'SECOND_FACTOR_REQUIRED');
    if (!target.own && !permits(actor.permissions, NEED)) throw new Problem('PERMISSION_REQUIRED');
    if (target.blocked) throw new Problem('USER_BLOCKED');
    if (target.own && target.second_factor_required && !target.present_second_factor)
      throw new Problem('SECOND_FACTOR_REQUIRED');
    const opening = target.own
      ? { method: target.method, second_factor: target.present_second_factor, prove_date: target.prove_date }
      : {
          method: 'switch' as const,
          real: { account_id: actor.account_id, user_id: actor.user_id!, session_id: actor.session_id },
          minutes: SUB_ACCOUNT_MINUTES,
        };
    const { session_id: _, ...session } = await openSession(tx, target, readClient(ctx), opening);
    if (target.own)
      await tx.run(sql`
        update users set last_seen_date = ${tx.now}
        where account_id = ${target.account_id} and id = ${target.user_id}`);
    const entered = target.own
      ? { account_id: target.account_id, user_id: target.user_id }
      : { account_id: target.account_id, user_id: target.user_id, real_user_id: actor.user_id };
    const user = { type: 'user', id: target.user_id, name: target.full_name };
    record(
      tx,
      { ...ctx, actor: entered },
      { action: target.own ? 'session.switched' : 'sub_account.entered', target: user },
    );
    if (!target.own) record(tx, ctx, { action: 'sub_account.entered', target: user });
    return session;
  });
}

const selectTarget = (tx: Tx, actor: Actor, id: string) =>
  tx.maybeOne<Target>(sql`
    select u.account_id, u.id as user_id, trim(u.first_name || ' ' || u.last_name) as full_name,
           coalesce(u.login_id = s.login_id, false) as own,
           u.blocked or a.status = 'BLOCKED' as blocked,
           a.second_factor_required or a.kind = 'OPERATOR' as second_factor_required,
           s.second_factor as present_second_factor, s.prove_date, s.method
    from sessions s, users u join accounts a on a.id = u.account_id
    where s.account_id = ${actor.account_id} and s.id = ${actor.session_id} and u.id = ${id} and a.close_date is null
      and (u.login_id = s.login_id or a.parent_id = ${actor.account_id} and u.is_owner and u.remove_date is null)
    limit 1`);
