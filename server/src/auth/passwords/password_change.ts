/**
 * Changes a password, either for its signed-in owner or through a reset link. All other sessions end, open links and
 * codes become invalid, and the person is notified by email. The current session continues with a new token, so that a
 * stolen copy of the old token is useless.
 */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Acting } from '../../kernel/security/audit.ts';
import * as mails from '../people/mails.ts';
import { readCurrentPerson } from '../people/people.ts';
import { recordInEveryCompany } from '../people/record.ts';
import { endSessions, type RenewedToken, renewToken } from '../sessions/sessions.ts';
import { hashPassword, rejectWeakPassword, verifyPassword } from './passwords.ts';

/** The caller has checked the current password. Throws PASSWORD_UNCHANGED or PASSWORD_TOO_COMMON. */
export async function changePassword(ctx: Ctx, password: string): Promise<RenewedToken> {
  const { kernel, actor } = ctx;
  const person = await readCurrentPerson(kernel.db, actor);
  if (person.password_hash && (await verifyPassword(person.password_hash, password)))
    throw new Problem('PASSWORD_UNCHANGED');
  rejectWeakPassword(password, [person.email.split('@')[0]!, person.company_name]);
  const password_hash = await hashPassword(password);
  return kernel.db.tx(async (tx) => {
    await replacePassword(tx, kernel, ctx, {
      ...person,
      password_hash,
      action: 'password.changed',
      except: actor.session_id,
    });
    return renewToken(tx, actor);
  });
}

/** `except` is the session that continues. */
export async function replacePassword(
  tx: Tx,
  kernel: Kernel,
  origin: Omit<Acting, 'actor'>,
  change: { login_id: string; email: string; password_hash: string; action: string; except: string | null },
): Promise<void> {
  const { login_id, email, except } = change;
  await tx.run(sql`
    update logins set password_hash = ${change.password_hash}, password_change_date = ${tx.now}, update_date = ${tx.now}
    where id = ${login_id}`);
  await voidCodes(tx, login_id);
  await tx.run(sql`delete from sign_in_attempts where subject = ${`email ${email.toLowerCase()}`}`);
  await endSessions(tx, { login_id, except });
  await recordInEveryCompany(tx, origin, login_id, { action: change.action });
  await mails.mailPasswordChanged(tx, kernel, email);
}

/** Invalidates password resets, sign-up codes, and unfinished sign-ins that relied on the old credentials. */
export const voidCodes = (tx: Tx, login_id: string) =>
  tx.run(sql`
    update verifications set use_date = ${tx.now}
    where login_id = ${login_id} and purpose in ('password_reset', 'login', 'sign_up') and use_date is null`);
