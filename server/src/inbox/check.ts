import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const inboxChecks: readonly Check[] = [
  {
    id: 'E3',
    title: 'The unread count of a conversation matches its unread messages',
    // A message may be stored just after the read pointer moved past its time, so messages from those few seconds may
    // or may not be counted.
    sql: sql`
      select c.account_id, c.id, c.unread_count, counted.after_pointer, counted.around_pointer
      from conversations c
      cross join lateral (select coalesce(c.last_read_timestamp, '-infinity') as at) pointer
      cross join lateral (
        select count(*) filter (where m.create_date > pointer.at) as after_pointer,
               count(*) filter (where m.create_date > pointer.at - interval '5 seconds') as around_pointer
        from messages m
        where m.account_id = c.account_id and m.sender_id = c.sender_id and m.number = c.number and m.direction = 'MO'
      ) counted
      where c.delete_date is null and c.unread_count not between counted.after_pointer and counted.around_pointer`,
  },
  {
    id: 'D4',
    title: 'Every inbound message is in a conversation',
    sql: sql`
      select m.account_id, m.id from messages m
      where m.direction = 'MO' and not exists (
        select 1 from conversations c
        where c.account_id = m.account_id and c.sender_id = m.sender_id and c.number = m.number)`,
  },
  {
    id: 'E3',
    title: 'The clocks of a conversation belong to its open episode',
    sql: sql`
      select k.account_id, k.conversation_id from conversation_clocks k
      where not exists (
        select from conversation_episodes e
        where e.account_id = k.account_id and e.id = k.episode_id and e.conversation_id = k.conversation_id
          and e.close_date is null)`,
  },
];
