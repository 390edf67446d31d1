import type { VerificationStatus } from '@parley/contract/verifications/statuses.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';

/** Shows the outcome of these messages' codes in the message log. */
export const markVerified = (
  tx: Tx,
  rows: readonly { account_id: string; message_id: string }[],
  status: VerificationStatus,
) =>
  tx.run(sql`
    update messages m set verification_status = ${status}
    from unnest(${rows.map(({ account_id }) => account_id)}::uuid[],
                ${rows.map(({ message_id }) => message_id)}::uuid[]) as t(account_id, id)
    where m.account_id = t.account_id and m.id = t.id`);
