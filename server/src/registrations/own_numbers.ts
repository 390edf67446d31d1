/** Proof of ownership for numbers from other providers: a verification code is sent to the number by SMS. */
import { Problem } from '@parley/contract/problem.ts';
import type { OwnNumber } from '@parley/contract/registrations/access.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { announceSender } from '../senders/senders.ts';
import { readPhone, redeemNumberCode, sendNumberCode } from '../verify/verify.ts';
import { requireEditable } from './form.ts';
import { listOwnNumbers, saveOwnNumber } from './own_number_queries.ts';

/**
 * Throws SENDER_NOT_FOUND, SENDER_STATE_INVALID, SENDER_PHONE_INVALID (the number cannot receive SMS),
 * CODE_SENT_RECENTLY (too soon), or PHONE_VERIFICATION_FAILED (too many codes, or no route).
 */
export async function sendOwnershipCode(ctx: Ctx, id: string, phone_number: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  return kernel.db.tx(async (tx) => {
    await requireEditable(tx, actor.account_id, id);
    const { country_code } = await tx.one<{ country_code: string }>(
      sql`select country_code from accounts where id = ${actor.account_id}`,
    );
    return sendNumberCode(tx, ctx, readNumber(phone_number, country_code), id);
  });
}

/** Accepts national and international notation, but no premium numbers. Throws SENDER_PHONE_INVALID. */
function readNumber(text: string, country: string): string {
  try {
    return readPhone(text, country);
  } catch (error) {
    if (error instanceof Problem) throw new Problem('SENDER_PHONE_INVALID', { field: 'phone_number' });
    throw error;
  }
}

export async function confirmNumber(ctx: Ctx, id: string, verification_id: string, code: string): Promise<OwnNumber> {
  const { account_id, user_id } = ctx.actor;
  if (!(await ctx.kernel.db.maybeOne(sql`select 1 from senders where account_id = ${account_id} and id = ${id}`)))
    throw new Problem('SENDER_NOT_FOUND');
  return redeemNumberCode(ctx, { id: verification_id, code, subject: id }, async (tx, number) => {
    await saveOwnNumber(tx, { account_id, number, user_id });
    record(tx, ctx, {
      action: 'number.verified',
      target: { type: 'sender', id, name: `+${number}` },
      detail: {},
    });
    await announceSender(tx, account_id, id);
    return (await listOwnNumbers(tx, account_id, number))[0]!;
  });
}
