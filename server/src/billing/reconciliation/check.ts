import type { Check } from '../../kernel/db/check.ts';
import { sql } from '../../kernel/db/db.ts';

export const reconciliationChecks: readonly Check[] = [
  {
    id: 'M9',
    title: 'No difference from the payment provider is open',
    sql: sql`
      select account_id, payment_id, provider_id, kind, ours, theirs from payment_differences where status = 'open'`,
  },
];
