import type { Check } from '../../kernel/db/check.ts';
import { sql } from '../../kernel/db/db.ts';

export const statementChecks: readonly Check[] = [
  {
    id: 'M8',
    title: 'The stored sums of each month match the ledger',
    sql: sql`
      select account_id, month, kind, debit, credit, stored.amount_micros as stored, counted.amount_micros as counted
      from ledger_months stored full join (
        select l.account_id, date_trunc('month', l.create_date at time zone 'UTC')::date as month, l.kind, l.debit,
          l.credit, sum(l.amount_micros)::bigint as amount_micros, count(*) as entries_count
        from ledger l join ledger_month_marks m on m.account_id = l.account_id
        where l.create_date < m.counted_until::timestamp at time zone 'UTC'
        group by 1, 2, 3, 4, 5
      ) counted using (account_id, month, kind, debit, credit)
      where stored.amount_micros is distinct from counted.amount_micros
         or stored.entries_count is distinct from counted.entries_count`,
  },
];
