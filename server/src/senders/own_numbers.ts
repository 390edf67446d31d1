/** Numbers that a company has elsewhere and shows to be its own: a code goes there by SMS, and who can read it out has the number. */

import { Problem } from '@parley/contract/problem.ts';
import type { OwnNumber } from '@parley/contract/registrations/access.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { readPhone, redeemNumberCode, sendNumberCode } from '../verify/verify.ts';
import { announceSender } from './announce.ts';
import { keepOwnNumber, ownNumbers } from './own_number_queries.ts';
import { demandEditable } from './registration.ts';

/**
 * Problems: SENDER_NOT_FOUND, SENDER_STATE_INVALID (the sender), SENDER_PHONE_INVALID (no number that gets SMS),
 * CODE_SENT_RECENTLY (too soon), PHONE_VERIFICATION_FAILED (too many or no way to send).
 */
export async function sendCodeTo(ctx: Ctx, id: string, phone_number: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  return kernel.db.tx(async (tx) => {
    await demandEditable(tx, actor.account_id, id);
    const { country_code } = await tx.one<{ country_code: string }>(
      sql`select country_code from accounts where id = ${actor.account_id}`,
    );
    return sendNumberCode(tx, ctx, readNumber(phone_number, country_code), id);
  });
}

/** As a person writes a number; premium numbers are nobody’s sender. Problem SENDER_PHONE_INVALID. */
export function readNumber(text: string, country: string): string {
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
    await keepOwnNumber(tx, { account_id, number, user_id });
    record(tx, ctx, {
      action: 'number.verified',
      target: { type: 'sender', id, name: `+${number}` },
      detail: {},
    });
    await announceSender(tx, account_id, id);
    return (await ownNumbers(tx, account_id, number))[0]!;
  });
}
