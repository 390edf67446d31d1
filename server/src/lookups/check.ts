import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const lookupChecks: readonly Check[] = [
  {
    id: 'M4',
    title: 'The amount of an open hold is the total price of its unfinished lookups',
    sql: sql`
      select h.account_id, h.id, h.open_micros, coalesce(l.held, 0) as held
      from holds h left join (
        select account_id, hold_id, sum(price_micros) as held from number_lookups where status in ('pending', 'sent')
        group by account_id, hold_id
      ) l on l.account_id = h.account_id and l.hold_id = h.id
      where h.purpose = 'lookups' and h.open_micros <> coalesce(l.held, 0)`,
  },
];
