/**
 * Invitations: an emailed link that is valid for seven days and can be used once. Only a hash of the link is kept, and
 * resending the invitation replaces the link. Accepting it grants the offered permissions (acceptance.ts). The number
 * of emails is limited, since invitations can carry spam.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  type createInvitation as createEndpoint,
  INVITATION_DAYS,
  type Invitation,
  type listOwnInvitations as ownEndpoint,
} from '@parley/contract/team/team.ts';
import type { z } from 'zod';
import { hashToken } from '../auth/auth.ts';
import { newId, secret } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { record } from '../kernel/security/audit.ts';
import { announceTeam, type TeamActor } from './announce.ts';
import { removeMember } from './departure.ts';
import * as rows from './invitation_queries.ts';
import * as mails from './mails.ts';
import { normalizePermissions, requireGrantable } from './permissions.ts';
import { findUser, isMember } from './queries.ts';

const RESEND_SECONDS = 60;
const MAX_SENDS = 10;
/** The limit for each company. */
const MAX_PER_HOUR = 200;

export async function listInvitations(
  db: Queryable,
  account_id: string,
  query: {
    page?: number | undefined;
    page_size?: number | undefined;
    page_token?: string | undefined;
    filter?: rows.InvitationFilter | undefined;
  },
): Promise<Paged<Invitation>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const invitations = await rows.listInvitations(db, account_id, filter, page);
  return paged(page, invitations, await rows.countInvitations(db, account_id, filter));
}

export const listOwnInvitations = (
  db: Queryable,
  { account_id, user_id }: TeamActor['actor'],
): Promise<z.output<(typeof ownEndpoint)['output']>> => rows.listReceivedInvitations(db, account_id, user_id!);

/** Inviting the same address again resends the open invitation with the new permissions. */
export async function createInvitation(
  tx: Tx,
  who: TeamActor,
  person: Parsed<typeof createEndpoint>['body'],
): Promise<Invitation> {
  const { account_id } = who.actor;
  const permissions = normalizePermissions(person.permissions);
  requireGrantable(who.actor.permissions, permissions);
  const id = await insertInvitation(tx, who, { account_id, ...person, permissions, user_id: null });
  record(tx, who, {
    action: 'invitation.created',
    target: { type: 'invitation', id, name: person.email },
    detail: { permissions },
  });
  await announceTeam(tx, account_id);
  return rows.readInvitation(tx, account_id, id);
}

interface Offer {
  account_id: string;
  email: string;
  first_name: string;
  last_name: string;
  position: string;
  permissions: Permissions;
  /** The user who was created together with the invitation. */
  user_id: string | null;
  is_owner?: boolean;
}

/** `first` creates the invitation's user or sub-account, if there is one. Throws USER_EXISTS or CODE_LIMIT_REACHED. */
export async function insertInvitation(
  tx: Tx,
  who: TeamActor,
  offer: Offer,
  first: () => Promise<unknown> = async () => {},
): Promise<string> {
  const { account_id, email, is_owner = false, ...rest } = offer;
  await enforceHourlyLimit(tx, who);
  if (await isMember(tx, account_id, email)) throw new Problem('USER_EXISTS');
  const token = secret();
  const renewed = { ...rest, token_hash: hashToken(token), now: tx.now, days: INVITATION_DAYS, account_id };
  const open = await rows.lockPending(tx, account_id, email);
  const id = open?.id ?? newId();
  try {
    await first();
    if (open) {
      if (open.status === 'PENDING') enforceResendPause(open);
      await rows.renewInvitation(tx, {
        ...renewed,
        id,
        permissions: offer.permissions as Invitation['permissions'],
        invited_by: who.actor.user_id,
      });
      if (offer.user_id) await rows.attachUser(tx, account_id, id, offer.user_id);
    } else
      await rows.insertInvitation(tx, {
        ...renewed,
        id,
        email,
        permissions: offer.permissions as Invitation['permissions'],
        invited_by: who.actor.user_id,
        inviter_account_id: who.actor.account_id,
      });
  } catch (error) {
    // A colleague invited the same address at the same time.
    throw violates(error, 'invitations_pending') || violates(error, 'users_email') ? new Problem('USER_EXISTS') : error;
  }
  await send(tx, who, { account_id, email, first_name: offer.first_name, is_owner }, token);
  return id;
}

export async function resendInvitation(tx: Tx, who: TeamActor, id: string): Promise<Invitation> {
  const open = await lockOpen(tx, who.actor.account_id, id);
  const { account_id } = open;
  enforceResendPause(open);
  await enforceHourlyLimit(tx, who);
  const created = open.user_id ? await findUser(tx, account_id, open.user_id) : null;
  // Senders must have the permissions they offer. An invited owner has all permissions anyway, so the check is skipped.
  if (!created?.is_owner) requireGrantable(who.actor.permissions, created?.permissions ?? open.permissions);
  const token = secret();
  await rows.renewInvitation(tx, {
    ...open,
    token_hash: hashToken(token),
    now: tx.now,
    days: INVITATION_DAYS,
    invited_by: who.actor.account_id === open.inviter_account_id ? who.actor.user_id : null,
  });
  await send(tx, who, { ...open, is_owner: created?.is_owner ?? false }, token);
  await report(tx, who, 'invitation.sent_again', open);
  return rows.readInvitation(tx, account_id, id);
}

/** Also removes the user who was created with the invitation. An owner cannot be removed, but can be invited again. */
export async function revokeInvitation(tx: Tx, who: TeamActor, id: string): Promise<void> {
  const open = await lockOpen(tx, who.actor.account_id, id);
  const { account_id } = open;
  const created = open.user_id ? await findUser(tx, account_id, open.user_id) : null;
  if (created?.is_owner)
    throw new Problem('INVITATION_NOT_OPEN', { message: 'The owner of an account cannot be removed' });
  if (created?.blocked_by_operator)
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This user was blocked by support. Only support can unblock them.',
    });
  await rows.setStatus(tx, account_id, id, 'REVOKED', null, tx.now);
  if (created) await removeMember(tx, account_id, { id: created.id, login_id: null });
  await report(tx, who, 'invitation.revoked', open);
}

/**
 * Records the action in the actor's audit log, and refreshes the pages of the actor's company and the invitation's
 * company.
 */
async function report(
  tx: Tx,
  who: TeamActor,
  action: string,
  { account_id, id, email }: rows.InvitationRow,
): Promise<void> {
  record(tx, who, { action, target: { type: 'invitation', id, name: email } });
  for (const company of new Set([who.actor.account_id, account_id])) await announceTeam(tx, company);
}

/** Expired invitations count as open, since they can be resent. */
async function lockOpen(tx: Tx, account_id: string, id: string): Promise<rows.InvitationRow> {
  const invitation = await rows.lockInvitation(tx, account_id, id);
  if (!invitation) throw new Problem('INVITATION_NOT_FOUND');
  if (invitation.status !== 'PENDING' && invitation.status !== 'EXPIRED') throw new Problem('INVITATION_NOT_OPEN');
  return invitation;
}

async function send(
  tx: Tx,
  who: TeamActor,
  to: { account_id: string; email: string; first_name: string; is_owner: boolean },
  token: string,
): Promise<void> {
  const { account_id, user_id } = who.actor;
  const inviter = user_id ? await findUser(tx, account_id, user_id) : null;
  await mails.mailInvitation(tx, who.kernel, to.account_id, to, {
    token,
    invited_by_name: inviter?.full_name ?? '',
    days: INVITATION_DAYS,
    is_owner: to.is_owner,
  });
}

function enforceResendPause({ seconds_since_send, sends }: rows.InvitationRow): void {
  if (sends >= MAX_SENDS)
    throw new Problem('CODE_LIMIT_REACHED', { message: 'This invitation was sent too many times' });
  const seconds = Math.ceil(RESEND_SECONDS - seconds_since_send);
  if (seconds > 0)
    throw new Problem('CODE_LIMIT_REACHED', {
      message: `The invitation was just sent. Wait ${seconds} seconds.`,
      retry_after: seconds,
    });
}

async function enforceHourlyLimit(tx: Tx, { actor }: TeamActor): Promise<void> {
  if ((await rows.countRecentSends(tx, actor.account_id)) >= MAX_PER_HOUR)
    throw new Problem('CODE_LIMIT_REACHED', {
      message: 'You have sent too many invitations. Try again later.',
      retry_after: 3_600,
    });
}
