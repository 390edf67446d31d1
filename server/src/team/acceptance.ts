/**
 * Accepts an invitation, which is possible only once. The link proves access to the mailbox, so it confirms a new
 * person's address. An existing person must also have a session or enter their password, since the link may have been
 * forwarded. A login that was never confirmed may belong to someone else, so its password and sign-in methods are
 * removed.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { password as passwordRule } from '@parley/contract/auth/sign_up.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { acceptInvitation as endpoint, getInvitation as getEndpoint } from '@parley/contract/team/team.ts';
import type { z } from 'zod';
import {
  type AnonymousRequest,
  actingAs,
  admit,
  findPersonByEmail,
  findPersonInAccount,
  gate,
  hashPassword,
  hashToken,
  readClient,
  rejectWeakPassword,
  requirePassword,
} from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { record } from '../kernel/security/audit.ts';
import * as rows from './acceptance_queries.ts';
import { announceTeam } from './announce.ts';
import { type InvitationRow, lockByToken, setStatus } from './invitation_queries.ts';
import * as mails from './mails.ts';
import { canGrant } from './permissions.ts';
import { insertUser, isMember } from './queries.ts';

type Body = Parsed<typeof endpoint>['body'];

export async function getInvitation(db: Queryable, token: string): Promise<z.output<(typeof getEndpoint)['output']>> {
  const offer = await rows.selectOffer(db, hashToken(token));
  if (!offer) throw new Problem('INVITATION_NOT_FOUND');
  if (!offer.open) throw new Problem('INVITATION_NOT_OPEN');
  return offer;
}

/** The result of authenticating the person. */
interface Authentication {
  /** Null for an existing person. */
  password_hash: string | null;
  second_factor: boolean;
}

/**
 * The response is the same as for a sign-in to the company. A person with a second factor becomes a member, and must
 * enter the factor to continue. Throws INVITATION_NOT_FOUND, INVITATION_NOT_OPEN, or USER_EXISTS. For new people, also
 * throws PASSWORD_REQUIRED, FIRST_NAME_REQUIRED, LAST_NAME_REQUIRED, PASSWORD_TOO_WEAK, or PASSWORD_TOO_COMMON. For
 * existing people, also throws PASSWORD_REQUIRED, CREDENTIALS_INVALID, or SIGN_IN_ATTEMPTS_EXCEEDED.
 */
export async function acceptInvitation(request: AnonymousRequest, body: Body): Promise<SignIn> {
  const { db } = request.kernel;
  const offer = await rows.selectOffer(db, hashToken(body.token));
  if (!offer) throw new Problem('INVITATION_NOT_FOUND');
  if (!offer.open) throw new Problem('INVITATION_NOT_OPEN');
  if (!offer.existing) return acceptNew(request, body, offer);
  const session = await matchSession(request, offer.email);
  if (!session) await checkPassword(request, offer.email, body.password);
  return db.tx((tx) =>
    join(tx, request, body, { password_hash: null, second_factor: session?.second_factor ?? false }),
  );
}

async function checkPassword(
  { kernel, address }: AnonymousRequest,
  email: string,
  password: string | undefined,
): Promise<void> {
  const person = await findPersonByEmail(kernel.db, email.toLowerCase());
  if (!person?.password_hash)
    throw new Problem('CREDENTIALS_INVALID', { message: 'Sign in first, then open the invitation link again' });
  if (!password) throw new Problem('PASSWORD_REQUIRED');
  await requirePassword(kernel, person, password, address).catch((error: unknown) => {
    throw error instanceof Problem && error.name === 'PROOF_REQUIRED' ? new Problem('CREDENTIALS_INVALID') : error;
  });
}

async function acceptNew(request: AnonymousRequest, body: Body, offer: rows.Offer): Promise<SignIn> {
  const { db } = request.kernel;
  if (!(body.first_name || offer.first_name)) throw new Problem('FIRST_NAME_REQUIRED');
  if (!(body.last_name || offer.last_name)) throw new Problem('LAST_NAME_REQUIRED');
  if (!body.password) throw new Problem('PASSWORD_REQUIRED');
  if (!passwordRule.safeParse(body.password).success) throw new Problem('PASSWORD_TOO_WEAK');
  rejectWeakPassword(body.password, [offer.email, offer.company_name]);
  const password_hash = await hashPassword(body.password);
  try {
    return await db.tx((tx) => join(tx, request, body, { password_hash, second_factor: false }));
  } catch (error) {
    // In the meantime, another invitation or a sign-up created the person.
    if (violates(error, 'logins_email')) throw new Problem('CREDENTIALS_INVALID');
    throw error;
  }
}

async function join(
  tx: Tx,
  request: AnonymousRequest,
  body: Body,
  { password_hash, second_factor }: Authentication,
): Promise<SignIn> {
  const { kernel } = request;
  const client = readClient(request);
  const invitation = await lockByToken(tx, hashToken(body.token));
  if (!invitation) throw new Problem('INVITATION_NOT_FOUND');
  if (invitation.status !== 'PENDING' || !(await rows.isOpen(tx, invitation.account_id)))
    throw new Problem('INVITATION_NOT_OPEN');
  const { account_id, email } = invitation;
  // The inviter must still be active and must still have the permissions they offer. If the user was created with the
  // invitation, their permissions are not checked, since colleagues may have changed them.
  const inviter = await rows.findInviter(tx, invitation);
  if (!inviter) throw new Problem('INVITATION_NOT_OPEN');
  if (!invitation.user_id && !inviter.is_owner && !canGrant(inviter.permissions, invitation.permissions))
    throw new Problem('INVITATION_NOT_OPEN');
  const login_id = password_hash
    ? await rows.confirmLogin(tx, { id: newId(), email, password_hash, now: tx.now })
    : await rows.selectLogin(tx, email);
  // The login was confirmed or removed after the check above.
  if (!login_id) throw new Problem('CREDENTIALS_INVALID');
  if (await rows.isLinked(tx, account_id, login_id)) throw new Problem('USER_EXISTS');
  const user_id = await createMember(tx, invitation, login_id, body);
  await setStatus(tx, account_id, invitation.id, 'ACCEPTED', user_id, tx.now);
  record(tx, actingAs(client, { account_id, user_id }), {
    action: 'invitation.accepted',
    target: { type: 'invitation', id: invitation.id, name: email },
  });
  const person = (await findPersonInAccount(tx, login_id, account_id))!;
  // A person created from the command line is their own inviter.
  if (invitation.invited_by !== user_id)
    await mails.mailAcceptance(
      tx,
      kernel,
      account_id,
      inviter,
      `${person.first_name} ${person.last_name}`.trim() || email,
    );
  await announceTeam(tx, account_id);
  return admit(tx, kernel, person, client, { method: 'invitation', second_factor });
}

async function createMember(tx: Tx, invitation: InvitationRow, login_id: string, body: Body): Promise<string> {
  const { account_id, email, position, permissions } = invitation;
  const other = await rows.selectOtherName(tx, login_id);
  const first_name = body.first_name || invitation.first_name || other?.first_name || '';
  const last_name = body.last_name || invitation.last_name || other?.last_name || '';
  if (invitation.user_id) {
    await rows.linkLogin(tx, account_id, invitation.user_id, { login_id, first_name, last_name });
    return invitation.user_id;
  }
  if (await isMember(tx, account_id, email)) throw new Problem('USER_EXISTS');
  const id = newId();
  await insertUser(tx, { account_id, id, login_id, email, first_name, last_name, position, permissions });
  return id;
}

/** Finds a session that belongs to the invited person, in any of their companies. */
async function matchSession(
  { kernel, headers }: AnonymousRequest,
  email: string,
): Promise<{ second_factor: boolean } | null> {
  const token = /^Bearer ([\w.~+/-]{16,200}=*)$/i.exec(headers.authorization ?? '')?.[1];
  const actor = token
    ? await gate(kernel.db)
        .bearer(token)
        .catch(() => null)
    : null;
  if (!actor?.session_id || actor.real_user_id) return null;
  return rows.matchSession(kernel.db, actor.account_id, actor.session_id, email);
}
