/**
 * The people of a company. Nobody gives what they do not have, nobody touches the owner or themselves here, and every change counts at the very
 * next call of the person concerned and on their open stream at once. A user without a login was created by a colleague and has not accepted yet.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type {
  createUser as createEndpoint,
  TeamUser,
  updateUser as updateEndpoint,
} from '@parley/contract/team/team.ts';
import { announceRightsOf, endOffersOf } from '../accounts/accounts.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, pageOf } from '../kernel/db/list.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceTeam, type Doer } from './announce.ts';
import { takeOut } from './departure.ts';
import { insertInvitation } from './invitations.ts';
import * as mails from './mails.ts';
import { demandGivable, isGivable, tidy } from './permissions.ts';
import * as queries from './queries.ts';

export { unassignConversations } from './jobs.ts';

interface ListQuery {
  page?: number | undefined;
  page_size?: number | undefined;
  page_token?: string | undefined;
  filter?: queries.UserFilter | undefined;
}

export async function listUsers(db: Queryable, account_id: string, query: ListQuery): Promise<Paged<TeamUser>> {
  const page = pageOf(query);
  const filter = query.filter ?? {};
  const rows = await queries.users(db, account_id, filter, page);
  return paged(page, rows, await queries.countUsers(db, account_id, filter));
}

export async function getTeamUser(db: Queryable, account_id: string, id: string): Promise<TeamUser> {
  const user = await queries.user(db, account_id, id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  return user;
}

/** There at once, so that work can be given to them; they get in by the link that goes to the mailbox, whoever they are elsewhere. */
export async function createUser(tx: Tx, who: Doer, person: Parsed<typeof createEndpoint>['body']): Promise<TeamUser> {
  const { account_id } = who.actor;
  const permissions = tidy(person.permissions);
  demandGivable(who.actor.permissions, permissions);
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
  who: Doer,
  id: string,
  change: Parsed<typeof updateEndpoint>['body'],
): Promise<TeamUser> {
  const { account_id } = who.actor;
  const before = await lockColleague(tx, who.actor, id);
  const permissions = change.permissions ? tidy(change.permissions) : before.permissions;
  demandGivable(who.actor.permissions, permissions, before.permissions);
  const blocked = change.blocked ?? before.team_block_reason !== null;
  if (change.blocked === false) demandOurs(before);
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
  const rights = JSON.stringify(tidy(before.permissions)) !== JSON.stringify(permissions);
  if (changed.length > 0 || rights)
    record(tx, who, {
      action: 'user.updated',
      target,
      detail: {
        ...Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }])),
        ...(rights ? { permissions: { from: before.permissions, to: permissions } } : {}),
      },
    });
  if (blocked !== (before.team_block_reason !== null)) {
    record(tx, who, {
      action: blocked ? 'user.blocked' : 'user.unblocked',
      target,
      detail: after.team_block_reason ? { reason: after.team_block_reason } : {},
    });
    // Whom operators have blocked knows that they are.
    if (blocked && !before.blocked) await mails.blocked(tx, who.kernel, account_id, before, after.team_block_reason!);
  }
  // What they offered to others was theirs to give: a colleague may send it again.
  if (blocked || !isGivable(permissions, tidy(before.permissions))) await endOffersOf(tx, account_id, id);
  await announceRightsOf(tx, account_id, id);
  await announceTeam(tx, account_id);
  return getTeamUser(tx, account_id, id);
}

/** Sessions end, what was assigned to them is nobody's, the name stays with what they did. A person who belongs nowhere else is forgotten. */
export async function removeUser(tx: Tx, who: Doer, id: string): Promise<void> {
  const { account_id } = who.actor;
  const user = await lockColleague(tx, who.actor, id);
  // Else they would be back by the next invitation, and the block gone with the row.
  demandOurs(user);
  await takeOut(tx, account_id, user);
  record(tx, who, { action: 'user.removed', target: { type: 'user', id, name: user.full_name || user.email } });
  await announceTeam(tx, account_id);
}

/** PERMISSION_REQUIRED: what operators have decided stays. */
function demandOurs({ blocked_by_operator }: { blocked_by_operator: boolean }): void {
  if (blocked_by_operator)
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This user was blocked by our support, who alone can lift it',
    });
}

/**
 * Locked for a change by somebody else than themselves. Problems: USER_NOT_FOUND, OWNER_CHANGE_NOT_ALLOWED,
 * SELF_CHANGE_NOT_ALLOWED.
 */
async function lockColleague(tx: Tx, actor: Actor, id: string): Promise<queries.LockedUser> {
  const user = await queries.lockUser(tx, actor.account_id, id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  if (id === actor.user_id) throw new Problem('SELF_CHANGE_NOT_ALLOWED');
  if (user.is_owner) throw new Problem('OWNER_CHANGE_NOT_ALLOWED');
  return user;
}
