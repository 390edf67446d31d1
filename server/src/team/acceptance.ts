/**
 * Accepting an invitation: once, whoever comes first. The link proves the mailbox, so a new person's address is confirmed by it; somebody who is
 * here already proves who they are, by their session or their password, since the link alone may have been forwarded. A login that was never
 * confirmed may have been made by a stranger: nothing of it counts.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { password as passwordRule } from '@parley/contract/auth/sign_up.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { acceptInvitation as endpoint, getInvitation as getEndpoint } from '@parley/contract/team/team.ts';
import type { z } from 'zod';
import {
  actingAs,
  admit,
  demandPassword,
  demandUnusual,
  gate,
  hashPassword,
  hashToken,
  personByEmail,
  personIn,
  visitorOf,
} from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import * as rows from './acceptance_queries.ts';
import { announceTeam } from './announce.ts';
import { type InvitationRow, lockByToken, setStatus } from './invitation_queries.ts';
import * as mails from './mails.ts';
import { isGivable } from './permissions.ts';
import { insertUser, isMember } from './queries.ts';

type Body = Parsed<typeof endpoint>['body'];
type Asking = Pick<Ctx, 'kernel' | 'address' | 'headers' | 'request_id'>;

export async function getInvitation(db: Queryable, token: string): Promise<z.output<(typeof getEndpoint)['output']>> {
  const found = await rows.offered(db, hashToken(token));
  if (!found) throw new Problem('INVITATION_NOT_FOUND');
  if (!found.open) throw new Problem('INVITATION_NOT_OPEN');
  return found;
}

/** Who somebody has proven to be, and how well. */
interface Proven {
  /** Of a new person; null for somebody who is here already. */
  password_hash: string | null;
  second_factor: boolean;
}

/**
 * The answer is that of a sign-in into the company: somebody with a second factor belongs to it now and gives the
 * factor to enter. Problems: INVITATION_NOT_FOUND, INVITATION_NOT_OPEN, USER_EXISTS; new people PASSWORD_REQUIRED,
 * FIRST_NAME_REQUIRED, LAST_NAME_REQUIRED, PASSWORD_TOO_WEAK, PASSWORD_TOO_COMMON; others PASSWORD_REQUIRED,
 * CREDENTIALS_INVALID, SIGN_IN_ATTEMPTS_EXCEEDED.
 */
export async function acceptInvitation(ask: Asking, body: Body): Promise<SignIn> {
  const { db } = ask.kernel;
  const found = await rows.offered(db, hashToken(body.token));
  if (!found) throw new Problem('INVITATION_NOT_FOUND');
  if (!found.open) throw new Problem('INVITATION_NOT_OPEN');
  if (!found.existing) return acceptNew(ask, body, found);
  const session = await sessionOf(ask, found.email);
  if (!session) await provePassword(ask, found.email, body.password);
  return db.tx((tx) => join(tx, ask, body, { password_hash: null, second_factor: session?.second_factor ?? false }));
}

async function provePassword({ kernel, address }: Asking, email: string, given: string | undefined): Promise<void> {
  const person = await personByEmail(kernel.db, email.toLowerCase());
  if (!person?.password_hash)
    throw new Problem('CREDENTIALS_INVALID', {
      message: 'Sign in first, then follow the link of the invitation again',
    });
  if (!given) throw new Problem('PASSWORD_REQUIRED');
  await demandPassword(kernel, person, given, address).catch((error: unknown) => {
    throw error instanceof Problem && error.name === 'PROOF_REQUIRED' ? new Problem('CREDENTIALS_INVALID') : error;
  });
}

async function acceptNew(ask: Asking, body: Body, found: rows.Offered): Promise<SignIn> {
  const { db } = ask.kernel;
  if (!(body.first_name || found.first_name)) throw new Problem('FIRST_NAME_REQUIRED');
  if (!(body.last_name || found.last_name)) throw new Problem('LAST_NAME_REQUIRED');
  if (!body.password) throw new Problem('PASSWORD_REQUIRED');
  if (!passwordRule.safeParse(body.password).success) throw new Problem('PASSWORD_TOO_WEAK');
  demandUnusual(body.password, [found.email, found.company_name]);
  const password_hash = await hashPassword(body.password);
  try {
    return await db.tx((tx) => join(tx, ask, body, { password_hash, second_factor: false }));
  } catch (error) {
    // Became somebody in the meantime, by another invitation or by signing up.
    if (violates(error, 'logins_email')) throw new Problem('CREDENTIALS_INVALID');
    throw error;
  }
}

async function join(tx: Tx, ask: Asking, body: Body, { password_hash, second_factor }: Proven): Promise<SignIn> {
  const { kernel } = ask;
  const visitor = visitorOf(ask);
  const invitation = await lockByToken(tx, hashToken(body.token));
  if (!invitation) throw new Problem('INVITATION_NOT_FOUND');
  if (invitation.status !== 'PENDING' || !(await rows.isOpen(tx, invitation.account_id)))
    throw new Problem('INVITATION_NOT_OPEN');
  const { account_id, email } = invitation;
  // Whoever left, was blocked or lost rights gives nothing to anybody any more. What a colleague's row was given since, others gave.
  const inviter = await rows.inviter(tx, invitation);
  if (!inviter) throw new Problem('INVITATION_NOT_OPEN');
  if (!invitation.user_id && !inviter.is_owner && !isGivable(inviter.permissions, invitation.permissions))
    throw new Problem('INVITATION_NOT_OPEN');
  const login_id = password_hash
    ? await rows.confirmLogin(tx, { id: newId(), email, password_hash, now: tx.now })
    : await rows.loginOf(tx, email);
  // Confirmed, or gone, since it was looked at: what was proven then proves nothing now.
  if (!login_id) throw new Problem('CREDENTIALS_INVALID');
  if (await rows.belongs(tx, account_id, login_id)) throw new Problem('USER_EXISTS');
  const user_id = await becomeUser(tx, invitation, login_id, body);
  await setStatus(tx, account_id, invitation.id, 'ACCEPTED', user_id, tx.now);
  record(tx, actingAs(visitor, { account_id, user_id }), {
    action: 'invitation.accepted',
    target: { type: 'invitation', id: invitation.id, name: email },
  });
  const person = (await personIn(tx, login_id, account_id))!;
  await mails.accepted(tx, kernel, account_id, inviter, `${person.first_name} ${person.last_name}`.trim() || email);
  await announceTeam(tx, account_id);
  return admit(tx, kernel, person, visitor, { method: 'invitation', second_factor });
}

async function becomeUser(tx: Tx, invitation: InvitationRow, login_id: string, body: Body): Promise<string> {
  const { account_id, email, position, permissions } = invitation;
  const known = await rows.nameElsewhere(tx, login_id);
  const first_name = body.first_name || invitation.first_name || known?.first_name || '';
  const last_name = body.last_name || invitation.last_name || known?.last_name || '';
  if (invitation.user_id) {
    await rows.giveLogin(tx, account_id, invitation.user_id, { login_id, first_name, last_name });
    return invitation.user_id;
  }
  if (await isMember(tx, account_id, email)) throw new Problem('USER_EXISTS');
  const id = newId();
  await insertUser(tx, { account_id, id, login_id, email, first_name, last_name, position, permissions });
  return id;
}

/** A session of the invited person, in whatever company of theirs. */
async function sessionOf({ kernel, headers }: Asking, email: string): Promise<{ second_factor: boolean } | null> {
  const token = /^Bearer ([\w.~+/-]{16,200}=*)$/i.exec(headers.authorization ?? '')?.[1];
  const actor = token
    ? await gate(kernel.db)
        .bearer(token)
        .catch(() => null)
    : null;
  if (!actor?.session_id || actor.real_user_id) return null;
  return rows.sessionOf(kernel.db, actor.account_id, actor.session_id, email);
}
