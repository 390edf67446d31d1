/**
 * A person's own phone number. The code goes out through the same gate as every message, from the operators' sender, so that it costs and is seen like
 * any other. An old number stays until the new one is confirmed, and then hears of it, as the mailbox does.
 */

import type { Proof } from '@parley/contract/auth/proof.ts';
import type { Verification } from '@parley/contract/auth/sign_up.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { countTakenPhone } from './attempts.ts';
import { issue, redeem, sealCode } from './codes.ts';
import { phoneCode, phoneNotice } from './jobs.ts';
import * as mails from './mails.ts';
import { type Person, personOf } from './people.ts';
import { demandCodeCountry, maskedPhone, readPhone } from './phone.ts';
import { demandProof } from './proof.ts';
import { recordEverywhere } from './record.ts';

/**
 * Whoever has a number already proves themselves before it changes; the first one asks for nothing. Problems:
 * USER_PHONE_INVALID (no number), CODE_COUNTRY_NOT_ALLOWED of no country codes go to, PROOF_REQUIRED,
 * SIGN_IN_ATTEMPTS_EXCEEDED (the proof), PROFILE_PHONE_EXISTS another's, CODE_SENT_RECENTLY (too soon),
 * PHONE_VERIFICATION_FAILED (too many or no way to send).
 */
export async function createPhoneVerification(
  ctx: Ctx,
  { phone_number, ...proof }: Proof & { phone_number: string },
): Promise<Verification> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  const number = readPhone(phone_number, person.country_code);
  demandCodeCountry(kernel.config, number);
  if (person.status === 'PHONE_VERIFIED') await demandProof(ctx, proof, 'later');
  // Only who hears that a number is somebody's (PROFILE_PHONE_EXISTS) has used up a try: nobody tries lists of numbers.
  const giveBack = await countTakenPhone(kernel.db, person.login_id);
  try {
    const verification = await kernel.db.tx((tx) => sendCode(tx, ctx, person, number));
    await giveBack();
    return verification;
  } catch (error) {
    if (!(error instanceof Problem && error.name === 'PROFILE_PHONE_EXISTS')) await giveBack();
    throw error;
  }
}

async function sendCode(tx: Tx, ctx: Ctx, person: Person, number: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  await demandFree(tx, number, person);
  if (!(await hasSender(tx))) {
    kernel.log.error(
      { user_id: actor.user_id },
      'no phone can be verified: the operators’ account has no SMS sender in use',
    );
    throw new Problem('PHONE_VERIFICATION_FAILED');
  }
  const { code, ...verification } = await issue(tx, kernel, {
    purpose: 'phone',
    channel: 'sms',
    target: number,
    address: ctx.address,
    login_id: person.login_id,
    account_id: actor.account_id,
    user_id: actor.user_id,
  });
  const sealed = sealCode(kernel, verification.id, code!);
  await enqueue(tx, phoneCode, { verification_id: verification.id, sealed });
  return verification;
}

async function demandFree(db: Queryable, number: string, person: Person): Promise<void> {
  const other = await db.maybeOne(sql`
    select 1 from logins where phone_number = ${number} and status = 'PHONE_VERIFIED' and id <> ${person.login_id}`);
  if (other) throw new Problem('PROFILE_PHONE_EXISTS');
}

// Asked before, so that a mistake of the installation is told at once. That the carrier takes the message shows later.
const hasSender = (db: Queryable) =>
  db.maybeOne(sql`
    select 1 from senders s join accounts a on a.id = s.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and s.channel = ${PHONE_CHANNEL} and s.status in ('available', 'approved') limit 1`);

/**
 * Problems: VERIFICATION_CODE_NOT_FOUND, VERIFICATION_EXPIRED, VERIFICATION_CODE_INVALID (the code);
 * PHONE_VERIFICATION_FAILED (it never left); PROFILE_PHONE_EXISTS (somebody else was faster).
 */
export async function confirmPhone(ctx: Ctx, id: string, code: string): Promise<void> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  const asked = { id, code, purposes: ['phone'] as const, login_id: person.login_id };
  try {
    await redeem(kernel, asked, async (tx, open) => {
      const before = await tx.one<Pick<Person, 'phone_number' | 'status'>>(sql`
        select phone_number, status from logins where id = ${person.login_id} for update`);
      const old = before.status === 'PHONE_VERIFIED' ? before.phone_number : null;
      await tx.run(sql`
        update logins set phone_number = ${open.target}, status = 'PHONE_VERIFIED', update_date = ${tx.now}
        where id = ${person.login_id}`);
      const changed = old !== null && old !== open.target;
      await recordEverywhere(tx, ctx, person.login_id, {
        action: changed ? 'phone.changed' : 'phone.verified',
        detail: { number: maskedPhone(open.target) },
      });
      if (!changed) return;
      await mails.phoneChanged(tx, kernel, person.email, maskedPhone(open.target));
      await enqueue(tx, phoneNotice, { id: newId(), number: old });
    });
  } catch (error) {
    if (violates(error, 'logins_phone')) throw new Problem('PROFILE_PHONE_EXISTS');
    throw error;
  }
}
