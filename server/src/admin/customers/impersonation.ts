/**
 * Lets an operator enter a customer's account. A single-use key, valid for one minute, takes the operator from the
 * admin view to the customer's view. The session lasts half an hour, names the operator, and is recorded in both audit
 * logs. Operators' accounts and blocked accounts cannot be entered.
 */
import {
  type createAuthSession,
  IMPERSONATION_MINUTES,
  type openAuthSession,
} from '@parley/contract/admin/customers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { endSessions, hashToken, openSession } from '../../auth/auth.ts';
import { newId, secret } from '../../kernel/clock.ts';
import type { Db, Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { type Act, type Acting, record } from '../../kernel/security/audit.ts';
import * as queries from './impersonation_queries.ts';

const KEY_SECONDS = 60;

/**
 * Throws ACCOUNT_NOT_FOUND, USER_NOT_FOUND, OWNER_CHANGE_NOT_ALLOWED for operators' accounts, or USER_BLOCKED if the
 * user could not sign in.
 */
export async function createKey(
  ctx: Ctx,
  { account_id, user_id, reason }: Parsed<typeof createAuthSession>['body'],
): Promise<z.input<typeof createAuthSession.output>> {
  const { tx, actor, kernel } = ctx;
  const target = await requireTarget(tx, account_id, user_id ?? null);
  const key = secret();
  const expires = new Date(tx.now.getTime() + KEY_SECONDS * 1_000);
  await queries.insertKey(
    tx,
    newId(),
    hashToken(key),
    {
      operator_account_id: actor.account_id,
      operator_user_id: actor.user_id!,
      operator_session_id: actor.session_id,
      account_id,
      user_id: target.user_id,
      reason,
    },
    expires,
  );
  record(tx, ctx, {
    action: 'impersonation.requested',
    target: asTarget(target),
    detail: { user: target.full_name, reason },
  });
  const url = new URL(kernel.config.PUBLIC_URL);
  url.searchParams.set('session_id', key);
  return { session_id: key, url: url.href, expire_date: expires.toISOString().slice(0, 19).replace('T', ' ') };
}

async function requireTarget(tx: Tx, account_id: string, user_id: string | null): Promise<queries.Target> {
  const target = await queries.findTarget(tx, account_id, user_id);
  if (!target) throw new Problem((await queries.hasAccount(tx, account_id)) ? 'USER_NOT_FOUND' : 'ACCOUNT_NOT_FOUND');
  if (target.closed) throw new Problem('ACCOUNT_CLOSED');
  if (target.kind === 'OPERATOR')
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'Operators’ accounts cannot be entered' });
  const blocked = target.account_blocked ? 'account' : target.blocked ? 'user' : null;
  if (blocked)
    throw new Problem('USER_BLOCKED', { message: `The ${blocked} is blocked. Unblock the ${blocked} first.` });
  return target;
}

/**
 * Throws IMPERSONATION_INVALID in every case: the key is unknown, used or expired, the operator has signed out, or one
 * of the two users has lost access.
 */
export async function openKey(
  db: Db,
  visitor: Required<Pick<Acting, 'address' | 'request_id' | 'headers'>>,
  key: string,
): Promise<z.input<typeof openAuthSession.output>> {
  const opened = await db.tx(async (tx) => {
    const key_row = await queries.useKey(tx, hashToken(key));
    if (!key_row) return null;
    const target = await queries.findTarget(tx, key_row.account_id, key_row.user_id);
    const can_open =
      target && !target.closed && target.kind === 'CUSTOMER' && !target.account_blocked && !target.blocked;
    // The key is used up even if the operator may not enter.
    if (!can_open || !(await queries.canStillEnter(tx, key_row))) return null;
    const { access_token, expire_date } = await openSession(
      tx,
      key_row,
      { address: visitor.address, agent: visitor.headers?.['user-agent'] ?? '' },
      {
        method: 'impersonation',
        // The second factor was already checked in the operator's own session.
        second_factor: true,
        real: {
          account_id: key_row.operator_account_id,
          user_id: key_row.operator_user_id,
          session_id: key_row.operator_session_id,
        },
        reason: key_row.reason,
        minutes: IMPERSONATION_MINUTES,
      },
    );
    const who: Acting = {
      ...visitor,
      actor: { account_id: key_row.account_id, user_id: key_row.user_id, real_user_id: key_row.operator_user_id },
    };
    recordInBoth(tx, who, key_row.operator_account_id, {
      action: 'impersonation.started',
      target: asTarget(target),
      detail: { user: target.full_name, reason: key_row.reason, minutes: IMPERSONATION_MINUTES },
    });
    return { access_token, expire_date };
  });
  if (opened) return opened;
  await db.tx((tx) => recordRefusal(tx, visitor, hashToken(key)));
  throw new Problem('IMPERSONATION_INVALID');
}

/** Records in the operators' log that a valid key was rejected. */
async function recordRefusal(
  tx: Tx,
  visitor: Required<Pick<Acting, 'address' | 'request_id' | 'headers'>>,
  secret_hash: Buffer,
): Promise<void> {
  const key = await queries.findKeyByHash(tx, secret_hash);
  if (!key) return;
  record(
    tx,
    { ...visitor, actor: { account_id: key.operator_account_id, user_id: null } },
    {
      action: 'impersonation.refused',
      target: { type: 'account', id: key.account_id, name: key.company_name },
      detail: { requested_by: key.operator_user_id, used: key.used, expired: key.expired },
    },
  );
}

/**
 * Ends an operator's session in a customer's account, or a parent company's session in its sub-account. Throws
 * IMPERSONATION_INVALID for an ordinary session, which the user ends by signing out.
 */
export async function endImpersonation(ctx: Ctx): Promise<null> {
  const { tx, actor } = ctx;
  const { session_id, real_user_id } = actor;
  const ended = session_id && real_user_id ? await queries.findEnteredSession(tx, session_id) : null;
  if (!ended || (await endSessions(tx, { session_id: session_id!, real_user_id: real_user_id! })) === 0)
    throw new Problem('IMPERSONATION_INVALID');
  recordInBoth(tx, ctx, ended.real_account_id, {
    action: ended.method === 'impersonation' ? 'impersonation.ended' : 'sub_account.left',
    target: asTarget(ended),
    detail: { user: ended.full_name, ...(ended.reason ? { reason: ended.reason } : {}) },
  });
  return null;
}

/** Records the action under the real user's name, both in the customer's log and in the acting account's log. */
function recordInBoth(tx: Tx, who: Acting, real_account_id: string, act: Act): void {
  record(tx, who, act);
  record(tx, who, { ...act, account_id: real_account_id });
}

const asTarget = ({ account_id, company_name }: { account_id: string; company_name: string }) => ({
  type: 'account',
  id: account_id,
  name: company_name,
});
