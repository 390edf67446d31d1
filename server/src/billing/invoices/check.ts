import type { Check } from '../../kernel/db/check.ts';
import { sql } from '../../kernel/db/db.ts';

export const invoiceChecks: readonly Check[] = [
  {
    id: 'M7',
    title: 'The numbers of the invoices of each issuing company have no gaps',
    sql: sql`
      select e.id, e.next_number, count(i.number) as invoices
      from invoice_entities e left join invoices i on i.entity = e.id
      group by e.id, e.next_number having e.next_number - 1 <> count(i.number)`,
  },
  {
    id: 'M12',
    title: 'The amount of each invoice for a month is the sum of its payments',
    sql: sql`
      select i.account_id, i.number, i.net_micros, p.net_micros as payments
      from invoices i cross join lateral (
        select coalesce(sum(net_micros), 0) as net_micros from invoice_payments
        where account_id = i.account_id and invoice_id = i.id
      ) p
      where i.month is not null and i.net_micros <> p.net_micros`,
  },
];
