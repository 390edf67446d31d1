/** Cancels the waiting messages to countries that the account has blocked or no longer allows. */
import { problemMessage } from '@parley/contract/problem.ts';
import { loadGuard } from '../../guard/guard.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { applyStatuses } from '../status/status.ts';

const BATCH = 500;

/** Messages that a worker has claimed, or of which a carrier has a part, are not canceled. */
export async function cancelBlocked(
  { db }: Kernel,
  { account_id }: { account_id: string },
  signal: AbortSignal,
): Promise<void> {
  for (let canceled = BATCH; canceled === BATCH && !signal.aborted; )
    canceled = await db.tx(async (tx) => {
      const { blocked_countries, allowed_countries } = await loadGuard(tx, account_id);
      const isAllowed = allowed_countries ? sql`m.country = any(${[...allowed_countries]}::text[])` : sql`true`;
      const rows = await tx.rows<{ message_id: string }>(sql`
        delete from dispatch d where d.account_id = ${account_id} and d.message_id in (
          select q.message_id from dispatch q
          join messages m on m.account_id = q.account_id and m.id = q.message_id
          where q.account_id = ${account_id} and q.stage in ('queued', 'review') and q.sent_parts = '{}'
            and (m.country = any(${[...blocked_countries]}::text[]) or not ${isAllowed})
            and not exists (
              select from fallbacks f where f.account_id = q.account_id and f.message_id = q.message_id and f.handed)
          order by q.message_id limit ${BATCH} for update of q skip locked)
        returning d.message_id`);
      await applyStatuses(
        tx,
        rows.map(
          ({ message_id }) =>
            ({
              ...{ account_id, message_id, status: 'canceled', source: 'person' },
              text: problemMessage('COUNTRY_BLOCKED'),
            }) as const,
        ),
      );
      return rows.length;
    });
}
