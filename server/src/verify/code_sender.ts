import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';

/**
 * The sender of verification codes: the one that an operator chose, while it is usable, or otherwise the oldest usable
 * sender of the operators' account. Null if no sender is usable.
 */
export const findCodeSender = (db: Queryable) =>
  db.maybeOne<{ account_id: string; id: string }>(sql`
    select s.account_id, s.id from senders s join accounts a on a.id = s.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED'
      and s.channel = ${PHONE_CHANNEL} and s.status in ('available', 'approved') and s.delete_date is null
      and s.shared_from is null
    order by exists (select from code_sender c where c.account_id = s.account_id and c.sender_id = s.id) desc,
             s.create_date, s.id
    limit 1`);
