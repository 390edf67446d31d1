/**
 * A company's users. Users can grant only permissions they have, and cannot change the owner or themselves here. A
 * change takes effect at the user's next request, and immediately on their open pages. A user without a login has not
 * accepted their invitation yet.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type {
  createUser as createEndpoint,
  TeamUser,
  updateUser as updateEndpoint,
} from '@parley/contract/team/team.ts';
import { announceUserRights, expireInvitations } from '../accounts/accounts.ts';
import { endUserSessions } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceTeam, type TeamActor } from './announce.ts';
import { removeMember } from './departure.ts';
import { insertInvitation } from './invitations.ts';
import * as mails from './mails.ts';
import { canGrant, normalizePermissions, requireGrantable } from './permissions.ts';
import * as queries from './queries.ts';

export { readCurrentPermissions } from './current_permissions.ts';
export { unassignConversations } from './jobs.ts';
export { invitationPath } from './mails.ts';
export { type CreatedOperator, createOperator } from './operators.ts';
export { normalizePermissions, requireGrantable } from './permissions.ts';

interface ListQuery {
  page?: number | undefined;
  page_size?: number | undefined;
  page_token?: string | undefined;
  sort?: string | undefined;
  filter?: queries.UserFilter | undefined;
}

export async function listUsers(db: Queryable, account_id: string, query: ListQuery): Promise<Paged<TeamUser>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const rows = await queries.listTeamUsers(db, account_id, filter, page);
  return paged(page, rows, await queries.countUsers(db, account_id, filter));
}

export async function getTeamUser(db: Queryable, account_id: string, id: string): Promise<TeamUser> {
  const user = await queries.findUser(db, account_id, id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  return user;
}

/**
 * The user exists immediately, so that work can be assigned to them. They can sign in after accepting the emailed
 * invitation.
 */
export async function createUser(
  tx: Tx,
  who: TeamActor,
  person: Parsed<typeof createEndpoint>['body'],
): Promise<TeamUser> {
  const { account_id } = who.actor;
  const permissions = normalizePermissions(person.permissions);
  requireGrantable(who.actor.permissions, permissions);
  const id = newId();
  await insertInvitation(tx, who, { account_id, ...person, permissions, user_id: id }, () =>
    queries.insertUser(tx, { account_id, id, login_id: null, ...person, permissions }),
  );
  record(tx, who, {
    action: 'user.created',
    target: { type: 'user', id, name: `${person.first_name} ${person.last_name}`.trim() || person.email },
    detail: { permissions },
  });
  await announceTeam(tx, account_id);
  return getTeamUser(tx, account_id, id);
}

export async function updateUser(
  tx: Tx,
  who: TeamActor,
  id: string,
  change: Parsed<typeof updateEndpoint>['body'],
): Promise<TeamUser> {
  const { account_id } = who.actor;
  const before = await lockColleague(tx, who.actor, id);
  const permissions = change.permissions ? normalizePermissions(change.permissions) : before.permissions;
  requireGrantable(who.actor.permissions, permissions, before.permissions);
  const blocked = change.blocked ?? before.team_block_reason !== null;
  if (change.blocked === false) rejectOperatorBlock(before);
  const after = {
    first_name: change.first_name ?? before.first_name,
    last_name: change.last_name ?? before.last_name,
    position: change.position ?? before.position,
    permissions,
    team_block_reason: blocked ? (change.block_reason ?? before.team_block_reason ?? '') : null,
  };
  await queries.updateUser(tx, account_id, id, after);
  const target = { type: 'user', id, name: before.full_name || before.email };
  const changed = (['first_name', 'last_name', 'position'] as const).filter((name) => after[name] !== before[name]);
  const permissionsChanged = JSON.stringify(normalizePermissions(before.permissions)) !== JSON.stringify(permissions);
  if (changed.length > 0 || permissionsChanged)
    record(tx, who, {
      action: 'user.updated',
      target,
      detail: {
        ...Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }])),
        ...(permissionsChanged ? { permissions: { from: before.permissions, to: permissions } } : {}),
      },
    });
  if (blocked !== (before.team_block_reason !== null)) {
    record(tx, who, {
      action: blocked ? 'user.blocked' : 'user.unblocked',
      target,
      detail: after.team_block_reason ? { reason: after.team_block_reason } : {},
    });
    if (!blocked) await endUserSessions(tx, account_id, id);
    // A user whom an operator blocked has already been notified.
    if (blocked && !before.blocked) await mails.mailBlock(tx, who.kernel, account_id, before, after.team_block_reason!);
  }
  // The user's invitations may offer permissions that the user no longer has. A colleague can resend them.
  if (blocked || !canGrant(permissions, normalizePermissions(before.permissions)))
    await expireInvitations(tx, account_id, id);
  await announceUserRights(tx, account_id, id);
  await announceTeam(tx, account_id);
  return getTeamUser(tx, account_id, id);
}

/**
 * Ends the user's sessions and assignments, but keeps their name in the logs. If the person belongs to no other
 * company, their login is deleted.
 */
export async function removeUser(tx: Tx, who: TeamActor, id: string): Promise<void> {
  const { account_id } = who.actor;
  const user = await lockColleague(tx, who.actor, id);
  // Otherwise, removing the user and inviting them again would bypass the operator's block.
  rejectOperatorBlock(user);
  await removeMember(tx, account_id, user);
  record(tx, who, { action: 'user.removed', target: { type: 'user', id, name: user.full_name || user.email } });
  await announceTeam(tx, account_id);
}

/** Throws PERMISSION_REQUIRED if an operator blocked the user, because then only operators can change them. */
function rejectOperatorBlock({ blocked_by_operator }: { blocked_by_operator: boolean }): void {
  if (blocked_by_operator)
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This user was blocked by support. Only support can unblock them.',
    });
}

/**
 * Locks a user before a colleague changes them. Throws USER_NOT_FOUND, OWNER_CHANGE_NOT_ALLOWED, or
 * SELF_CHANGE_NOT_ALLOWED.
 */
async function lockColleague(tx: Tx, actor: Actor, id: string): Promise<queries.LockedUser> {
  const user = await queries.lockUser(tx, actor.account_id, id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  if (id === actor.user_id) throw new Problem('SELF_CHANGE_NOT_ALLOWED');
  if (user.is_owner) throw new Problem('OWNER_CHANGE_NOT_ALLOWED');
  return user;
}
