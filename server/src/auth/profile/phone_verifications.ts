/**
 * Changes a person's own phone number. The code is a message like any other: it is sent from the operator account's
 * sender, priced, and logged. The old number stays in use until the new one is confirmed. The person is then notified
 * at the old number and by email.
 */

import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { DEFAULT_BRAND, readPersonBrand } from '../../kernel/brand/brand.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx, violates } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { nameForStrangers } from '../../kernel/http/stranger.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { maskPhone, readPhone, redeemCode, requestPhoneCode, requireCodeCountry } from '../../verify/verify.ts';
import { reauthenticate } from '../factors/reauthentication.ts';
import { reservePhoneCheck } from '../passwords/attempts.ts';
import * as mails from '../people/mails.ts';
import { type Person, readCurrentPerson } from '../people/people.ts';
import { recordInEveryCompany } from '../people/record.ts';
import { phoneNotice } from './phone_notice.ts';

/**
 * Changing a confirmed number requires re-authentication. Entering the first number does not. Throws USER_PHONE_INVALID
 * (not a phone number), CODE_COUNTRY_NOT_ALLOWED (no codes are sent to this country), PROOF_REQUIRED or
 * SIGN_IN_ATTEMPTS_EXCEEDED (re-authentication failed), PROFILE_PHONE_EXISTS (another user has this number),
 * CODE_SENT_RECENTLY (too soon), or PHONE_VERIFICATION_FAILED (too many codes, or no sender).
 */
export async function createPhoneVerification(
  ctx: Ctx,
  { phone_number, ...credentials }: Reauthentication & { phone_number: string },
): Promise<Verification> {
  const { kernel, actor } = ctx;
  const person = await readCurrentPerson(kernel.db, actor);
  const number = readPhone(phone_number, person.country_code);
  requireCodeCountry(kernel.config, number);
  if (person.status === 'PHONE_VERIFIED') await reauthenticate(ctx, credentials, 'unless_recent');
  // Only responses that reveal a taken number (PROFILE_PHONE_EXISTS) count, so that no one can test lists of numbers.
  const release = await reservePhoneCheck(kernel.db, person.login_id);
  try {
    const verification = await kernel.db.tx(async (tx) => {
      await rejectTaken(tx, number, person);
      return requestPhoneCode(tx, ctx, { purpose: 'phone', target: number, login_id: person.login_id });
    });
    await release();
    return verification;
  } catch (error) {
    if (!(error instanceof Problem && error.name === 'PROFILE_PHONE_EXISTS')) await release();
    throw error;
  }
}

async function rejectTaken(db: Queryable, number: string, person: Person): Promise<void> {
  const other = await db.maybeOne(sql`
    select 1 from logins where phone_number = ${number} and status = 'PHONE_VERIFIED' and id <> ${person.login_id}`);
  if (other) throw new Problem('PROFILE_PHONE_EXISTS');
}

/**
 * Throws VERIFICATION_CODE_NOT_FOUND, VERIFICATION_EXPIRED, or VERIFICATION_CODE_INVALID if the code is not valid,
 * PHONE_VERIFICATION_FAILED if it could not be sent, and PROFILE_PHONE_EXISTS if another user confirmed the number
 * first.
 */
export async function confirmPhone(ctx: Ctx, id: string, code: string): Promise<void> {
  const { kernel, actor } = ctx;
  const person = await readCurrentPerson(kernel.db, actor);
  const key = { id, code, purposes: ['phone'] as const, login_id: person.login_id };
  try {
    await redeemCode(kernel, key, (tx, { target }) => replacePhone(tx, ctx, person, target));
  } catch (error) {
    if (violates(error, 'logins_phone')) throw new Problem('PROFILE_PHONE_EXISTS');
    throw error;
  }
}

async function replacePhone(tx: Tx, ctx: Ctx, person: Person, number: string): Promise<void> {
  const before = await tx.one<Pick<Person, 'phone_number' | 'status'>>(sql`
    select phone_number, status from logins where id = ${person.login_id} for update`);
  const old = before.status === 'PHONE_VERIFIED' ? before.phone_number : null;
  await tx.run(sql`
    update logins set phone_number = ${number}, status = 'PHONE_VERIFIED', update_date = ${tx.now}
    where id = ${person.login_id}`);
  const changed = old !== null && old !== number;
  await recordInEveryCompany(tx, ctx, person.login_id, {
    action: changed ? 'phone.changed' : 'phone.verified',
    detail: { number: maskPhone(number) },
  });
  if (!changed) return;
  await mails.mailPhoneChanged(tx, ctx.kernel, person.email, maskPhone(number));
  const brand = nameForStrangers((await readPersonBrand(tx, person.email)).name, 40, DEFAULT_BRAND.name);
  await enqueue(tx, phoneNotice, { id: newId(), number: old, brand });
}
