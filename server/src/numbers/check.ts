/** Invariants for rented numbers. */
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const numberChecks: readonly Check[] = [
  {
    id: 'N1',
    title: 'A number is marked as taken if and only if an account rents it',
    sql: sql`
      select coalesce(n.number, r.number) as number, n.account_id, r.account_id as rented_by
      from (select * from numbers where status = 'taken') n
      full join (select * from number_rentals where end_date is null) r
        on r.number = n.number and r.account_id = n.account_id and r.sender_id = n.sender_id
      where n.number is null or r.number is null`,
  },
  {
    id: 'N2',
    title: 'Every month of a number rental was charged once',
    sql: sql`
      select r.account_id, r.sender_id, r.number, r.months, count(l.id) as charged
      from number_rentals r left join ledger l
        on l.account_id = r.account_id and l.kind = 'charge' and l.key like 'number:' || r.sender_id || ':%'
      where r.monthly_micros > 0
      group by r.account_id, r.sender_id, r.number, r.months having count(l.id) <> r.months`,
  },
];
