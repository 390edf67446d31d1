/**
 * The levels at which an account's balance is checked: below the first, an action is due; from the second on, an alert
 * can be sent again. They are stored with the balance, so that a movement of money costs no extra query.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';

export interface AlertLevel {
  threshold_micros: number;
  sent: boolean;
}

export const listLevels = (tx: Tx, account_id: string): Promise<AlertLevel[]> =>
  tx.rows<AlertLevel>(sql`
    select c.threshold_micros, c.sent from credit_alerts c join alert_settings s using (account_id)
    where c.account_id = ${account_id} and s.enabled order by c.threshold_micros`);

/** `starts`: the levels below which a top-up or a refill starts. Null: none may start at the moment. */
export async function storeLevels(
  tx: Tx,
  account_id: string,
  alerts: readonly AlertLevel[],
  starts: readonly (number | null)[],
): Promise<void> {
  const below = alerts.filter(({ sent }) => !sent).map(({ threshold_micros }) => threshold_micros);
  below.push(...starts.filter((level) => level !== null));
  const above = alerts.filter(({ sent }) => sent).map(({ threshold_micros }) => threshold_micros);
  await tx.run(sql`
    update balances set watch_below_micros = ${below.length > 0 ? Math.max(...below) : null},
      watch_above_micros = ${above.length > 0 ? Math.min(...above) : null}
    where account_id = ${account_id}`);
}
