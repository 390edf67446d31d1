/** Invariants for audiences, imports, and the stop list. */
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const audienceChecks: readonly Check[] = [
  {
    id: 'A1',
    title: 'The contact count of each audience matches its contacts',
    sql: sql`
      select a.account_id, a.id, a.contacts_count, coalesce(c.stored, 0) as stored
      from audiences a
      left join (select account_id, audience_id, count(*) as stored from contacts group by 1, 2) c
        on c.account_id = a.account_id and c.audience_id = a.id
      where a.contacts_count <> coalesce(c.stored, 0) and a.conditions is null`,
  },
  {
    id: 'A2',
    title: 'Every contact is in an audience that exists',
    sql: sql`
      select c.account_id, c.audience_id, count(*) as contacts from contacts c
      where not exists (select 1 from audiences a where a.account_id = c.account_id and a.id = c.audience_id)
      group by 1, 2`,
  },
  {
    id: 'A3',
    title: 'The counts of a completed import add up to its rows, and a failed or canceled import added no contacts',
    sql: sql`
      select account_id, id, status, total_rows from audience_imports
      where (status = 'completed'
             and created_count + updated_count + duplicate_count + invalid_count + skipped_count <> total_rows)
         or (status in ('failed', 'canceled') and created_count + updated_count + skipped_count <> 0)`,
  },
  {
    id: 'A4',
    title: 'The last history entry of a number on the stop list does not allow the number again',
    sql: sql`
      select l.account_id, l.number, l.sender_id from stop_list l
      where coalesce((select h.change from stop_list_history h
                      where h.account_id = l.account_id and h.number = l.number and h.sender_id is not distinct
                        from l.sender_id
                      order by h.id desc limit 1), 'stopped') <> 'stopped'`,
  },
  {
    id: 'A5',
    title: 'Every contact has a person with its number',
    sql: sql`
      select k.account_id, k.audience_id, count(*) as contacts from contacts k
      where not exists (select 1 from people p where p.account_id = k.account_id and p.number = k.number)
        and not exists (select 1 from people_fills f where f.account_id = k.account_id)
      group by 1, 2`,
  },
  {
    id: 'A6',
    title: 'Every change of the stop list is a consent, and the consent of a message belongs to its number',
    sql: sql`
      select h.account_id, h.number, h.id from stop_list_history h
      where not exists (select 1 from consents c where c.account_id = h.account_id and c.id = h.id)
      union all
      select m.account_id, m.number, m.id from message_consents x
      join messages m on m.account_id = x.account_id and m.id = x.message_id
      left join consents c on c.account_id = x.account_id and c.id = x.consent_id
      where c.number is distinct from m.number or c.change <> 'given'`,
  },
];
