/**
 * Invitations: a link by mail, for seven days and once. Only its hash is kept; sending it again makes a new one and ends the old. What was
 * offered is given when it is accepted (acceptance.ts). Sending is limited, since it puts words of a stranger into a mailbox.
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
import { type Paged, paged, pageOf } from '../kernel/db/list.ts';
import { record } from '../kernel/security/audit.ts';
import { announceTeam, type Doer } from './announce.ts';
import { takeOut } from './departure.ts';
import * as rows from './invitation_queries.ts';
import * as mails from './mails.ts';
import { demandGivable, tidy } from './permissions.ts';
import { isMember, user } from './queries.ts';

const PAUSE_SECONDS = 60;
const MOST_SENDS = 10;
/** In an hour, of a company. */
const MOST_AN_HOUR = 200;

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
  const page = pageOf(query);
  const filter = query.filter ?? {};
  const found = await rows.invitations(db, account_id, filter, page);
  return paged(page, found, await rows.countInvitations(db, account_id, filter));
}

export const listOwnInvitations = (
  db: Queryable,
  { account_id, user_id }: Doer['actor'],
): Promise<z.output<(typeof ownEndpoint)['output']>> => rows.invitationsTo(db, account_id, user_id!);

/** Asking again for the same mailbox sends the open invitation again, with what is offered now. */
export async function createInvitation(
  tx: Tx,
  who: Doer,
  person: Parsed<typeof createEndpoint>['body'],
): Promise<Invitation> {
  const { account_id } = who.actor;
  const permissions = tidy(person.permissions);
  demandGivable(who.actor.permissions, permissions);
  const id = await insertInvitation(tx, who, { account_id, ...person, permissions, user_id: null });
  record(tx, who, {
    action: 'invitation.created',
    target: { type: 'invitation', id, name: person.email },
    detail: { permissions },
  });
  await announceTeam(tx, account_id);
  return rows.invitation(tx, account_id, id);
}

interface Offer {
  account_id: string;
  email: string;
  first_name: string;
  last_name: string;
  position: string;
  permissions: Permissions;
  /** Created together with it. */
  user_id: string | null;
  is_owner?: boolean;
}

/**
 * Also for users and sub-accounts that are created at once; `first` writes what the invitation speaks of. Problems:
 * USER_EXISTS, CODE_LIMIT_REACHED.
 */
export async function insertInvitation(
  tx: Tx,
  who: Doer,
  offer: Offer,
  first: () => Promise<unknown> = async () => {},
): Promise<string> {
  const { account_id, email, is_owner = false, ...rest } = offer;
  await demandAllowance(tx, who);
  if (await isMember(tx, account_id, email)) throw new Problem('USER_EXISTS');
  const token = secret();
  const renewed = { ...rest, token_hash: hashToken(token), now: tx.now, days: INVITATION_DAYS, account_id };
  const open = await rows.lockPending(tx, account_id, email);
  const id = open?.id ?? newId();
  try {
    await first();
    if (open) {
      if (open.status === 'PENDING') demandPause(open);
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
    // Two colleagues at once: the other one's invitation is on its way.
    throw violates(error, 'invitations_pending') || violates(error, 'users_email') ? new Problem('USER_EXISTS') : error;
  }
  await send(tx, who, { account_id, email, first_name: offer.first_name, is_owner }, token);
  return id;
}

export async function resendInvitation(tx: Tx, who: Doer, id: string): Promise<Invitation> {
  const open = await lockOpen(tx, who.actor.account_id, id);
  const { account_id } = open;
  demandPause(open);
  await demandAllowance(tx, who);
  const created = open.user_id ? await user(tx, account_id, open.user_id) : null;
  // Whoever sends it offers it. What an owner gets is their own, and nobody's to give.
  if (!created?.is_owner) demandGivable(who.actor.permissions, created?.permissions ?? open.permissions);
  const token = secret();
  await rows.renewInvitation(tx, {
    ...open,
    token_hash: hashToken(token),
    now: tx.now,
    days: INVITATION_DAYS,
    invited_by: who.actor.account_id === open.inviter_account_id ? who.actor.user_id : null,
  });
  await send(tx, who, { ...open, is_owner: created?.is_owner ?? false }, token);
  await tell(tx, who, 'invitation.sent_again', open);
  return rows.invitation(tx, account_id, id);
}

/** The link ends. Whoever was created together with it goes too; an owner stays, and can be invited again. */
export async function revokeInvitation(tx: Tx, who: Doer, id: string): Promise<void> {
  const open = await lockOpen(tx, who.actor.account_id, id);
  const { account_id } = open;
  const created = open.user_id ? await user(tx, account_id, open.user_id) : null;
  if (created?.is_owner)
    throw new Problem('INVITATION_NOT_OPEN', { message: 'The owner of the account cannot be left out' });
  if (created?.blocked_by_operator)
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This user was blocked by our support, who alone can lift it',
    });
  await rows.setStatus(tx, account_id, id, 'REVOKED', null, tx.now);
  if (created) await takeOut(tx, account_id, { id: created.id, login_id: null });
  await tell(tx, who, 'invitation.revoked', open);
}

/** In the log and on the pages of who acts; the company it is for hears of it too. */
async function tell(tx: Tx, who: Doer, action: string, { account_id, id, email }: rows.InvitationRow): Promise<void> {
  record(tx, who, { action, target: { type: 'invitation', id, name: email } });
  for (const company of new Set([who.actor.account_id, account_id])) await announceTeam(tx, company);
}

/** An invitation that ran out is still open to be sent again. */
async function lockOpen(tx: Tx, account_id: string, id: string): Promise<rows.InvitationRow> {
  const found = await rows.lockInvitation(tx, account_id, id);
  if (!found) throw new Problem('INVITATION_NOT_FOUND');
  if (found.status !== 'PENDING' && found.status !== 'EXPIRED') throw new Problem('INVITATION_NOT_OPEN');
  return found;
}

async function send(
  tx: Tx,
  who: Doer,
  to: { account_id: string; email: string; first_name: string; is_owner: boolean },
  token: string,
): Promise<void> {
  const { account_id, user_id } = who.actor;
  const inviter = user_id ? await user(tx, account_id, user_id) : null;
  await mails.invited(tx, who.kernel, to.account_id, to, {
    token,
    invited_by_name: inviter?.full_name ?? '',
    days: INVITATION_DAYS,
    is_owner: to.is_owner,
  });
}

function demandPause({ seconds_since_send, sends }: rows.InvitationRow): void {
  if (sends >= MOST_SENDS)
    throw new Problem('CODE_LIMIT_REACHED', { message: 'This invitation was sent too many times' });
  const left = Math.ceil(PAUSE_SECONDS - seconds_since_send);
  if (left > 0)
    throw new Problem('CODE_LIMIT_REACHED', {
      message: `The invitation was sent a moment ago. Wait ${left} seconds`,
      retry_after: left,
    });
}

async function demandAllowance(tx: Tx, { actor }: Doer): Promise<void> {
  if ((await rows.sentLately(tx, actor.account_id)) >= MOST_AN_HOUR)
    throw new Problem('CODE_LIMIT_REACHED', {
      message: 'Too many invitations were sent. Try again later',
      retry_after: 3_600,
    });
}
