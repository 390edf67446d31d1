/** The public columns of a conversation, shared by lists, details, and event payloads. */
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { join, type Sql, sql } from '../../kernel/db/db.ts';

const WITH_SESSIONS = ALL_CHANNELS.flatMap(({ name, session }) => (session ? [{ name, ...session }] : []));

/** Channels that show the English name of a business. */
const NAMED_IN_ENGLISH = Object.values(ACCESS_FORMS)
  .filter(({ name_field }) => name_field === 'business_name_en')
  .map(({ channel }) => channel);

/** Needs `conversations c` and `senders s`. */
const session: Sql = sql`
  case when c.channel = any(${WITH_SESSIONS.map(({ name }) => name)}::text[]) then
    jsonb_build_object(
      'open', coalesce(c.session_until > now(), false) and not limited.reached,
      'until', to_char(c.session_until, 'YYYY-MM-DD HH24:MI:SS'), 'limit_reached', limited.reached)
  end`;

/** The connection's limit, or the channel's default. */
const channelLimit = (setting: 'in_a_row' | 'in_session'): Sql => sql`
  coalesce((select (k.settings->>${setting})::int from connections k where k.id = s.connection_id),
           case c.channel ${join(
             WITH_SESSIONS.map((rules) => sql`when ${rules.name} then ${rules[setting]}::int`),
             ' ',
           )} end)`;

/** True if the replies sent in the session have reached a limit. Needs `conversations c` and `senders s`. */
export const sessionLimit: Sql = sql`
  select coalesce(c.session_until > now(), false)
         and coalesce(c.session_sent >= ${channelLimit('in_a_row')}
           or c.session_sent_all >= ${channelLimit('in_session')}, false) as reached`;

/** Needs `conversations c`. */
const clocks: Sql = sql`
  (select jsonb_build_object(
            'response_due', to_char(k.response_due, 'YYYY-MM-DD HH24:MI:SS'),
            'resolution_due', to_char(k.resolution_due, 'YYYY-MM-DD HH24:MI:SS'),
            'paused', k.resolution_since is null and k.resolution_minutes is not null)
   from conversation_clocks k where k.account_id = c.account_id and k.conversation_id = c.id)`;

/**
 * The public fields of a conversation. The caller adds `where` (with `c.account_id`), order, and limit. The contact's
 * name is looked up in each audience, because contacts are indexed by audience.
 */
export const conversationSelect: Sql = selectConversations(sql`conversations c`);

/** The same for the conversations in `source`, which must name them `c`. */
export function selectConversations(source: Sql): Sql {
  return sql`
  select c.id, c.account_id, c.channel, c.sender_id, s.code as sender, s.name as sender_name,
         case when c.channel <> all(${NAMED_IN_ENGLISH}::text[]) then nullif(s.business_name, '') end as business_name,
         case when c.channel = any(${NAMED_IN_ENGLISH}::text[])
           then nullif(s.business_name, '') end as business_name_en,
         c.number,
         coalesce(m.country, '') as country, coalesce(contact.name, '') as contact_name, c.profile_name, c.alias,
         ${session} as session,
         c.assignee_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as assignee_name,
         c.status, c.snooze_until, c.waiting_since, ${clocks} as clocks, c.unread_count, c.last_read_timestamp,
         c.timestamp,
         case when m.id is not null then
           jsonb_build_object('id', m.id, 'text', coalesce(earlier.step->>'text', m.text), 'type',
                              coalesce(earlier.step->>'type', m.type), 'direction', m.direction, 'status',
                              coalesce(earlier.step->>'status', m.status))
         end as last_message,
         coalesce((select jsonb_agg(l.id order by lower(l.name), l.id)
                   from conversation_labels t join labels l on l.account_id = t.account_id and l.id = t.label_id
                   where t.account_id = c.account_id and t.conversation_id = c.id), '[]') as label_ids,
         exists (select 1 from stop_list l
                 where l.account_id = c.account_id and l.number = c.number
                   and (l.sender_id is null or l.sender_id = c.sender_id)) as stopped
  from ${source}
  join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join users u on u.account_id = c.account_id and u.id = c.assignee_id
  left join messages m on m.account_id = c.account_id and m.id = c.last_message_id
  -- The message was passed on: this conversation shows its own fallback step.
  left join lateral (
    select l.step from fallbacks f cross join lateral jsonb_array_elements(f.steps) as l(step)
    where m.sender_id <> c.sender_id and f.account_id = m.account_id and f.message_id = m.id
      and l.step->>'sender_id' = c.sender_id::text
    limit 1
  ) earlier on true
  left join lateral (
    select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) as name
    from audiences a join contacts k on k.account_id = a.account_id and k.audience_id = a.id
    where a.account_id = c.account_id and (k.first_name <> '' or k.last_name <> '')
      -- The conversation may have an ID of the person, or a number from before a merge.
      and k.number = any(array[c.number, (
        select p.number from person_numbers n join people p on p.account_id = n.account_id and p.id = n.person_id
        where n.account_id = c.account_id and n.number = c.number)])
    order by k.update_date desc limit 1
  ) contact on true
  cross join lateral (${sessionLimit}) limited`;
}
