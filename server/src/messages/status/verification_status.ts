import type { VerificationStatus } from '@parley/contract/verifications/statuses.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';

/** Shows in the message log what became of the codes of these messages. */
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
