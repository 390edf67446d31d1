/** Teams of the inbox, and whether each user is away and how many conversations the user takes. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { idParams, plainName, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from './needs.ts';
import { resolutionTarget, responseTarget } from './targets.ts';

export const TEAMS_MAX = 50;
const TEAM_USERS_MAX = 200;
export const MAX_CAPACITY = 1_000;

export const InboxTeam = z.object({
  id: z.string(),
  name: z.string(),
  user_ids: z.array(z.string()),
  /**
   * The targets for conversations assigned to users of the team, in minutes. Null means those of the inbox settings.
   * The shortest targets apply to users who are in several teams.
   */
  response_target_minutes: z.int().nullable(),
  resolution_target_minutes: z.int().nullable(),
});
export type InboxTeam = z.output<typeof InboxTeam>;

/** A user to whom rules can assign conversations. */
export const InboxAgent = z.object({
  id: z.string(),
  full_name: z.string(),
  /** Rules assign nothing to users who are away. */
  away: z.boolean(),
  /** Rules assign nothing to users with this many open conversations; null means no limit. */
  capacity: z.int().nullable(),
  /** The same limit for individual channels; a channel without a limit is left out. */
  channel_capacities: z.partialRecord(z.enum(CHANNELS), z.int()),
  /** The user's open conversations, counted up to 1,000. */
  open: z.int(),
  /** The same by channel; a channel without open conversations is left out. */
  open_by_channel: z.partialRecord(z.enum(CHANNELS), z.int()),
});
export type InboxAgent = z.output<typeof InboxAgent>;

const name = plainName({ min: 1, max: 40 });
const user_ids = z.array(uuid('ASSIGNEE_NOT_FOUND')).max(TEAM_USERS_MAX);

export const listTeams = endpoint({
  id: 'inbox_teams.list',
  method: 'GET',
  path: '/v1/inbox_teams',
  summary: 'List the teams, by name',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(InboxTeam),
  problems: [],
});

export const createTeam = endpoint({
  id: 'inbox_teams.create',
  method: 'POST',
  path: '/v1/inbox_teams',
  summary: `Create a team. An account can have ${TEAMS_MAX}`,
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  body: z.object({
    name,
    user_ids: user_ids.default([]),
    response_target_minutes: responseTarget.default(null),
    resolution_target_minutes: resolutionTarget.default(null),
  }),
  status: 201,
  output: InboxTeam,
  problems: ['ASSIGNEE_NOT_FOUND', 'VALUE_INVALID'],
});

export const updateTeam = endpoint({
  id: 'inbox_teams.update',
  method: 'PUT',
  path: '/v1/inbox_teams/{id}',
  summary: 'Rename a team, replace its users, or change its targets. Omitted fields stay unchanged',
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  params: idParams('INBOX_TEAM_NOT_FOUND'),
  body: z
    .object({
      name,
      user_ids,
      response_target_minutes: responseTarget,
      resolution_target_minutes: resolutionTarget,
    })
    .partial(),
  output: InboxTeam,
  problems: ['INBOX_TEAM_NOT_FOUND', 'ASSIGNEE_NOT_FOUND'],
});

export const removeTeam = endpoint({
  id: 'inbox_teams.remove',
  method: 'DELETE',
  path: '/v1/inbox_teams/{id}',
  summary: 'Delete a team. Rules that assign to it leave conversations unassigned',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('INBOX_TEAM_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['INBOX_TEAM_NOT_FOUND'],
});

export const listAgents = endpoint({
  id: 'inbox_agents.list',
  method: 'GET',
  path: '/v1/inbox_agents',
  summary: 'List the users of the inbox with their availability, by name',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(InboxAgent),
  problems: [],
});

export const updateAgent = endpoint({
  id: 'inbox_agents.update',
  method: 'PUT',
  path: '/v1/inbox_agents/{id}',
  summary:
    'Set whether you are away. Changing other users or capacities requires CONVERSATIONS edit. ' +
    '`channel_capacities` replaces the limits of all channels',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('ASSIGNEE_NOT_FOUND'),
  body: z
    .object({
      away: z.boolean(),
      capacity: range(1, MAX_CAPACITY).nullable(),
      channel_capacities: z.partialRecord(z.enum(CHANNELS), range(1, MAX_CAPACITY)),
    })
    .partial(),
  output: InboxAgent,
  problems: ['ASSIGNEE_NOT_FOUND', 'PERMISSION_REQUIRED'],
});

/** A team, or a user's availability, changed. */
export const inboxTeamsChanged = event({
  id: 'inbox_team.changed',
  modules: ['inbox_teams', 'inbox_agents'],
  needs: INBOX_NEEDS,
  payload: z.object({ id: z.string() }),
});
