/** What must always hold of senders and numbers. */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const senderChecks: readonly Check[] = [
  {
    id: 'N1',
    title: 'A number is taken exactly while somebody rents it',
    sql: sql`
      select coalesce(n.number, r.number) as number, n.account_id, r.account_id as rented_by
      from (select * from numbers where status = 'taken') n
      full join (select * from number_rentals where end_date is null) r
        on r.number = n.number and r.account_id = n.account_id and r.sender_id = n.sender_id
      where n.number is null or r.number is null`,
  },
  {
    id: 'N2',
    title: 'Every month of a number was charged once',
    sql: sql`
      select r.account_id, r.sender_id, r.number, r.months, count(l.id) as charged
      from number_rentals r left join ledger l
        on l.account_id = r.account_id and l.kind = 'charge' and l.key like 'number:' || r.sender_id || ':%'
      where r.monthly_micros > 0
      group by r.account_id, r.sender_id, r.number, r.months having count(l.id) <> r.months`,
  },
  {
    id: 'N3',
    title: 'What waits for a decision is pending',
    sql: sql`
      select r.account_id, r.id, s.status from sender_requests r
      join senders s on s.account_id = r.account_id and s.id = r.sender_id
      where r.status = 'IN_PROCESS' and (s.status <> 'pending' or s.delete_date is not null)`,
  },
  {
    id: 'N4',
    title: 'A sender with others behind it stands among them; all of them are numbers in use, and only used through it',
    sql: sql`
      select k.account_id, k.pool_id, k.sender_id, s.type, s.status
      from sender_members k left join senders s on s.account_id = k.account_id and s.id = k.sender_id
      where s.id is null or s.status <> 'available' or s.delete_date is not null or s.channel <> ${PHONE_CHANNEL}
        or s.type not in ('local', 'mobile', 'toll_free')
        or not exists (select from sender_members o where o.account_id = k.account_id and o.sender_id = k.pool_id and o.pool_id = k.pool_id)
        or not exists (select from sender_members o where o.account_id = k.account_id and o.pool_id = k.pool_id and o.sender_id <> k.pool_id)`,
  },
];
