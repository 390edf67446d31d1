/**
 * The levels at which an account's balance is looked at: below the first, something must happen; from the second on, an
 * alert can be sent again. They are stored with the balance, so that a movement of money costs no further query.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Row as AutoTopUpRow } from './auto_top_up_queries.ts';

export interface AlertLevel {
  threshold_micros: number;
  sent: boolean;
}

export const listLevels = (tx: Tx, account_id: string): Promise<AlertLevel[]> =>
  tx.rows<AlertLevel>(sql`
    select c.threshold_micros, c.sent from credit_alerts c join alert_settings s using (account_id)
    where c.account_id = ${account_id} and s.enabled order by c.threshold_micros`);

/** `waits`: a top-up is under way or in review, or none may start yet. */
export async function storeLevels(
  tx: Tx,
  account_id: string,
  alerts: readonly AlertLevel[],
  auto: AutoTopUpRow | null,
  waits: boolean,
): Promise<void> {
  const below = alerts.filter(({ sent }) => !sent).map(({ threshold_micros }) => threshold_micros);
  if (auto?.enabled && auto.stop_reason === null && !waits) below.push(auto.threshold_micros);
  const above = alerts.filter(({ sent }) => sent).map(({ threshold_micros }) => threshold_micros);
  await tx.run(sql`
    update balances set watch_below_micros = ${below.length > 0 ? Math.max(...below) : null},
      watch_above_micros = ${above.length > 0 ? Math.min(...above) : null}
    where account_id = ${account_id}`);
}
