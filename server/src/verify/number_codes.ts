/**
 * Codes that prove that a company controls a number it wants to send from. The calling module decides what happens
 * next.
 */

import { Problem } from '@parley/contract/problem.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { redeemCode } from './codes.ts';
import { requestPhoneCode } from './phone_codes.ts';

/**
 * `subject` is the purpose of the code, which is not valid for any other purpose. Throws CODE_SENT_RECENTLY (too soon)
 * or PHONE_VERIFICATION_FAILED (too many codes, or no sender).
 */
export async function sendNumberCode(tx: Tx, ctx: Ctx, number: string, subject: string): Promise<Verification> {
  const login_id = await selectLogin(ctx.kernel.db, ctx.actor);
  return requestPhoneCode(tx, ctx, { purpose: 'sender_number', target: number, login_id, detail: { subject } });
}

/**
 * Throws VERIFICATION_CODE_NOT_FOUND (no code for this subject), VERIFICATION_EXPIRED (used or expired),
 * VERIFICATION_CODE_INVALID (wrong code), or PHONE_VERIFICATION_FAILED (the code could not be sent).
 */
export async function redeemNumberCode<T>(
  ctx: Ctx,
  { id, code, subject }: { id: string; code: string; subject: string },
  then: (tx: Tx, number: string) => Promise<T>,
): Promise<T> {
  const { kernel, actor } = ctx;
  const login_id = await selectLogin(kernel.db, actor);
  return redeemCode(kernel, { id, code, purposes: ['sender_number'], login_id }, async (tx, open) => {
    if (open.account_id !== actor.account_id || open.detail.subject !== subject)
      throw new Problem('VERIFICATION_CODE_NOT_FOUND');
    return then(tx, open.target);
  });
}

const selectLogin = async (db: Queryable, { account_id, user_id }: Actor): Promise<string> =>
  (
    await db.one<{ login_id: string }>(
      sql`select login_id from users where account_id = ${account_id} and id = ${user_id}`,
    )
  ).login_id;
