/** Invariants for sender requests. */
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const registrationChecks: readonly Check[] = [
  {
    id: 'N3',
    title: 'The sender of an open request is pending',
    sql: sql`
      select r.account_id, r.id, s.status from sender_requests r
      join senders s on s.account_id = r.account_id and s.id = r.sender_id
      where r.status = 'IN_PROCESS' and (s.status <> 'pending' or s.delete_date is not null)`,
  },
];
