/**
 * A password changed, by its owner or by the link of a reset: all other sessions end, links and codes under way are void, the mailbox is told. The
 * session it was changed in goes on under another token: who has a copy of the old one is out as well.
 */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Acting } from '../kernel/security/audit.ts';
import * as mails from './mails.ts';
import { demandUnusual, hashPassword, verifyPassword } from './passwords.ts';
import { personOf } from './people.ts';
import { recordEverywhere } from './record.ts';
import { endSessions, type Renewed, renewToken } from './sessions.ts';

/**
 * The present one has been proven. Problems: PASSWORD_UNCHANGED (the same again), PASSWORD_TOO_COMMON (one that is
 * tried first).
 */
export async function changePassword(ctx: Ctx, password: string): Promise<Renewed> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  if (person.password_hash && (await verifyPassword(person.password_hash, password)))
    throw new Problem('PASSWORD_UNCHANGED');
  demandUnusual(password, [person.email.split('@')[0]!, person.company_name]);
  const password_hash = await hashPassword(password);
  return kernel.db.tx(async (tx) => {
    await changePasswordOf(tx, kernel, ctx, {
      ...person,
      password_hash,
      action: 'password.changed',
      except: actor.session_id,
    });
    return renewToken(tx, actor);
  });
}

export async function changePasswordOf(
  tx: Tx,
  kernel: Kernel,
  who: Omit<Acting, 'actor'>,
  change: { login_id: string; email: string; password_hash: string; action: string; except: string | null },
): Promise<void> {
  const { login_id, email, except } = change;
  await tx.run(sql`
    update logins set password_hash = ${change.password_hash}, password_change_date = ${tx.now}, update_date = ${tx.now}
    where id = ${login_id}`);
  await voidCodes(tx, login_id);
  await tx.run(sql`delete from sign_in_attempts where subject = ${`email ${email.toLowerCase()}`}`);
  await endSessions(tx, { login_id, except });
  await recordEverywhere(tx, who, login_id, { action: change.action });
  await mails.passwordChanged(tx, kernel, email);
}

/** Of resets and sign-ins that began with what no longer counts. */
export const voidCodes = (tx: Tx, login_id: string) =>
  tx.run(sql`
    update verifications set use_date = ${tx.now}
    where login_id = ${login_id} and purpose in ('password_reset', 'login', 'sign_up') and use_date is null`);
