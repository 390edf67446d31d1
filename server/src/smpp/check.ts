import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const smppChecks: readonly Check[] = [
  {
    id: 'S1',
    title: 'The count of waiting deliveries of each SMPP account matches its deliveries',
    sql: sql`
      select a.account_id, a.id, a.pending_count, counted.deliveries
      from smpp_accounts a
      cross join lateral (
        select count(*) as deliveries from smpp_deliveries d
        where d.account_id = a.account_id and d.smpp_account_id = a.id
      ) counted
      where a.pending_count <> counted.deliveries`,
  },
];
