/** Teams of the inbox, and the availability of their users. */

import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type InboxAgent,
  type InboxTeam,
  inboxTeamsChanged,
  TEAMS_MAX,
  type updateAgent as updateAgentEndpoint,
  type updateTeam as updateTeamEndpoint,
} from '@parley/contract/inbox/teams.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { type Actor, requireAccess } from '../../kernel/security/auth.ts';
import { isAssignableUser } from '../assignment_queries.ts';
import { ASSIGNABLE } from '../assignments.ts';
import { resetClocks } from '../targets/targets.ts';
import { lockRules } from './rule_queries.ts';
import * as queries from './team_queries.ts';

export const listAgents = (db: Queryable, account_id: string) => queries.listAgents(db, account_id, ASSIGNABLE);

async function requireUsers(tx: Tx, account_id: string, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    if (!(await isAssignableUser(tx, account_id, id, ASSIGNABLE))) throw new Problem('ASSIGNEE_NOT_FOUND');
}

export async function createTeam(tx: Tx, actor: Actor, body: Omit<InboxTeam, 'id'>): Promise<InboxTeam> {
  const { account_id } = actor;
  await lockRules(tx, account_id);
  if ((await queries.listTeamRows(tx, account_id)).length >= TEAMS_MAX)
    throw new Problem('VALUE_INVALID', { message: `An account can have at most ${TEAMS_MAX} teams` });
  return saveTeam(tx, account_id, { id: newId(), ...body });
}

export async function updateTeam(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  body: Parsed<typeof updateTeamEndpoint>['body'],
): Promise<InboxTeam> {
  await lockRules(tx, account_id);
  const team = (await queries.listTeamRows(tx, account_id)).find((one) => one.id === id);
  if (!team) throw new Problem('INBOX_TEAM_NOT_FOUND');
  const { name = team.name, user_ids = team.user_ids } = body;
  const { response_target_minutes = team.response_target_minutes } = body;
  const { resolution_target_minutes = team.resolution_target_minutes } = body;
  return saveTeam(tx, account_id, { id, name, user_ids, response_target_minutes, resolution_target_minutes }, team);
}

/** Clocks depend on the targets of a team and, if it has targets, on its users. */
async function saveTeam(tx: Tx, account_id: string, team: InboxTeam, before?: InboxTeam): Promise<InboxTeam> {
  const saved = { ...team, user_ids: [...new Set(team.user_ids)].sort() };
  await requireUsers(tx, account_id, saved.user_ids);
  await queries.saveTeam(tx, account_id, saved);
  await queries.replaceUsers(tx, account_id, saved);
  if (hasTargets(saved) || (before && hasTargets(before))) await resetClocks(tx, account_id);
  emit(tx, inboxTeamsChanged, account_id, { id: team.id });
  return saved;
}

const hasTargets = ({ response_target_minutes, resolution_target_minutes }: InboxTeam): boolean =>
  response_target_minutes !== null || resolution_target_minutes !== null;

export async function removeTeam(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  await lockRules(tx, account_id);
  const team = (await queries.listTeamRows(tx, account_id)).find((one) => one.id === id);
  if (!team) throw new Problem('INBOX_TEAM_NOT_FOUND');
  await queries.deleteTeam(tx, account_id, id);
  if (hasTargets(team)) await resetClocks(tx, account_id);
  emit(tx, inboxTeamsChanged, account_id, { id });
}

export async function updateAgent(
  tx: Tx,
  actor: Actor,
  id: string,
  { away, capacity, channel_capacities }: Parsed<typeof updateAgentEndpoint>['body'],
): Promise<InboxAgent> {
  const { account_id, user_id } = actor;
  if (capacity !== undefined || channel_capacities !== undefined || (away !== undefined && id !== user_id))
    requireAccess(actor, { needs: 'CONVERSATIONS:edit', method: 'PUT' });
  await lockRules(tx, account_id);
  const [agent] = await queries.listAgents(tx, account_id, ASSIGNABLE, id);
  if (!agent) throw new Problem('ASSIGNEE_NOT_FOUND');
  const saved = {
    ...agent,
    away: away ?? agent.away,
    capacity: capacity === undefined ? agent.capacity : capacity,
    channel_capacities: channel_capacities ?? agent.channel_capacities,
  };
  await queries.saveAgent(tx, account_id, saved);
  emit(tx, inboxTeamsChanged, account_id, { id });
  return saved;
}
