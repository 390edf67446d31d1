import type { InboxAgent, InboxTeam } from '@parley/contract/inbox/teams.ts';
import type { Need } from '@parley/contract/permission.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { isAssignable, openCount } from '../assignment_queries.ts';
import type { Candidate } from './matching.ts';

export const listTeamRows = (db: Queryable, account_id: string) =>
  db.rows<InboxTeam>(sql`
    select t.id, t.name, t.response_target_minutes, t.resolution_target_minutes, coalesce((
      select jsonb_agg(m.user_id order by m.user_id) from inbox_team_users m
      where m.account_id = t.account_id and m.team_id = t.id), '[]') as user_ids
    from inbox_teams t where t.account_id = ${account_id} order by lower(t.name), t.id`);

export const saveTeam = (
  tx: Tx,
  account_id: string,
  { id, name, response_target_minutes, resolution_target_minutes }: InboxTeam,
) =>
  tx.run(sql`
    insert into inbox_teams (account_id, id, name, response_target_minutes, resolution_target_minutes, create_date)
    values (${account_id}, ${id}, ${name}, ${response_target_minutes}, ${resolution_target_minutes}, ${tx.now})
    on conflict (account_id, id) do update
      set name = excluded.name, response_target_minutes = excluded.response_target_minutes,
          resolution_target_minutes = excluded.resolution_target_minutes`);

/** Users who stay keep their turn. */
export async function replaceUsers(tx: Tx, account_id: string, { id, user_ids }: InboxTeam): Promise<void> {
  await tx.run(sql`
    delete from inbox_team_users
    where account_id = ${account_id} and team_id = ${id} and user_id <> all(${user_ids}::uuid[])`);
  await tx.run(sql`
    insert into inbox_team_users (account_id, team_id, user_id)
    select ${account_id}, ${id}, t.user_id from unnest(${user_ids}::uuid[]) as t(user_id) on conflict do nothing`);
}

export async function deleteTeam(tx: Tx, account_id: string, id: string): Promise<number> {
  await tx.run(sql`delete from inbox_team_users where account_id = ${account_id} and team_id = ${id}`);
  return tx.run(sql`delete from inbox_teams where account_id = ${account_id} and id = ${id}`);
}

/** A user who has left the account is in no team. */
export async function removeUser(tx: Tx, account_id: string, user_id: string): Promise<void> {
  await tx.run(sql`delete from inbox_team_users where account_id = ${account_id} and user_id = ${user_id}`);
  await tx.run(sql`delete from inbox_agents where account_id = ${account_id} and user_id = ${user_id}`);
}

const OPEN_MAX = 1_000;
/** The open conversations of the user `u` by channel. */
const openByChannel: Sql = sql`
  (select coalesce(jsonb_object_agg(channel, count), '{}') from (
     select channel, count(*) as count from (
       select c.channel from conversations c
       where c.account_id = u.account_id and c.assignee_id = u.id and c.status = 'open' and c.delete_date is null
       limit ${OPEN_MAX}) capped
     group by channel) counts)`;

export const listAgents = (db: Queryable, account_id: string, need: Need, id?: string) =>
  db.rows<InboxAgent>(sql`
    select u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as full_name,
           coalesce(a.away, false) as away, a.capacity, ${openCount} as open,
           coalesce(a.channel_capacities, '{}') as channel_capacities, ${openByChannel} as open_by_channel
    from users u left join inbox_agents a on a.account_id = u.account_id and a.user_id = u.id
    where u.account_id = ${account_id} and ${isAssignable(need)} ${id === undefined ? sql`` : sql`and u.id = ${id}`}
    order by lower(u.first_name), lower(u.last_name), lower(u.email), u.id`);

export const saveAgent = (tx: Tx, account_id: string, { id, away, capacity, channel_capacities }: InboxAgent) =>
  tx.run(sql`
    insert into inbox_agents (account_id, user_id, away, capacity, channel_capacities)
    values (${account_id}, ${id}, ${away}, ${capacity}, ${JSON.stringify(channel_capacities)}::jsonb)
    on conflict (account_id, user_id) do update set
      away = excluded.away, capacity = excluded.capacity, channel_capacities = excluded.channel_capacities`);

/** The users of a team who are not away. The caller has locked the rules of the account. */
export const listCandidates = (tx: Tx, account_id: string, team_id: string, need: Need) =>
  tx.rows<Candidate>(sql`
    select m.user_id, a.capacity, ${openCount} as open, ${openByChannel} as open_by_channel,
           coalesce(a.channel_capacities, '{}') as channel_capacities,
           (extract(epoch from m.last_assigned_date) * 1000000)::bigint as chosen
    from inbox_team_users m
    join users u on u.account_id = m.account_id and u.id = m.user_id
    left join inbox_agents a on a.account_id = m.account_id and a.user_id = m.user_id
    where m.account_id = ${account_id} and m.team_id = ${team_id} and not coalesce(a.away, false)
      and ${isAssignable(need)}`);

export const markChosen = (tx: Tx, account_id: string, team_id: string, user_id: string) =>
  tx.run(sql`
    update inbox_team_users set last_assigned_date = clock_timestamp()
    where account_id = ${account_id} and team_id = ${team_id} and user_id = ${user_id}`);
