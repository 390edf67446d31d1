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
];
