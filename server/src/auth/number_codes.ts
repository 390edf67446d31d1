/**
 * Codes for numbers that a company says are its own. The same store, limits and way out as for a person's phone; what becomes of the number is the
 * business of the module that asks.
 */

import type { Verification } from '@parley/contract/auth/sign_up.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { issue, redeem, sealCode } from './codes.ts';
import { phoneCode } from './jobs.ts';
import { personOf } from './people.ts';

/**
 * `subject`: for what it is asked; only there the code counts. Problems: CODE_SENT_RECENTLY (too soon),
 * PHONE_VERIFICATION_FAILED (too many or no way to send).
 */
export async function sendNumberCode(tx: Tx, ctx: Ctx, number: string, subject: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  const way = await tx.maybeOne(sql`
    select 1 from senders s join accounts a on a.id = s.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and s.channel = ${PHONE_CHANNEL} and s.status in ('available', 'approved') limit 1`);
  if (!way) {
    kernel.log.error({}, 'no number can be verified: the operators’ account has no SMS sender in use');
    throw new Problem('PHONE_VERIFICATION_FAILED');
  }
  const { code, ...verification } = await issue(tx, kernel, {
    purpose: 'sender_number',
    channel: 'sms',
    target: number,
    address: ctx.address,
    login_id: person.login_id,
    account_id: actor.account_id,
    user_id: actor.user_id,
    detail: { subject },
  });
  await enqueue(tx, phoneCode, {
    verification_id: verification.id,
    sealed: sealCode(kernel, verification.id, code!),
  });
  return verification;
}

/**
 * Problems: VERIFICATION_CODE_NOT_FOUND (there is none for this subject), VERIFICATION_EXPIRED (used or run out),
 * VERIFICATION_CODE_INVALID (wrong), PHONE_VERIFICATION_FAILED (it never left).
 */
export async function redeemNumberCode<T>(
  ctx: Ctx,
  { id, code, subject }: { id: string; code: string; subject: string },
  then: (tx: Tx, number: string) => Promise<T>,
): Promise<T> {
  const { kernel, actor } = ctx;
  const { login_id } = await personOf(kernel.db, actor);
  return redeem(kernel, { id, code, purposes: ['sender_number'], login_id }, async (tx, open) => {
    if (open.account_id !== actor.account_id || open.detail.subject !== subject)
      throw new Problem('VERIFICATION_CODE_NOT_FOUND');
    return then(tx, open.target);
  });
}
