/** Invariants for number pools. */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const senderChecks: readonly Check[] = [
  {
    id: 'N4',
    title: 'A number pool contains its own number and at least one more; all members are numbers in use',
    sql: sql`
      select k.account_id, k.pool_id, k.sender_id, s.type, s.status
      from number_pool_members k left join senders s on s.account_id = k.account_id and s.id = k.sender_id
      where s.id is null or s.status <> 'available' or s.delete_date is not null or s.channel <> ${PHONE_CHANNEL}
        or s.type not in ('local', 'mobile', 'toll_free')
        or not exists (
          select from number_pool_members o
          where o.account_id = k.account_id and o.sender_id = k.pool_id and o.pool_id = k.pool_id)
        or not exists (
          select from number_pool_members o
          where o.account_id = k.account_id and o.pool_id = k.pool_id and o.sender_id <> k.pool_id)`,
  },
];
