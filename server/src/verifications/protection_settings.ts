/** How an account reacts to signs of fraud in its codes. */
import { DEFAULT_ACTIONS, DEFAULT_LIFT_HOURS, type FraudProtection } from '@parley/contract/verifications/stops.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';

export async function readProtection(db: Queryable, account_id: string): Promise<FraudProtection> {
  const row = await db.maybeOne<Pick<FraudProtection, 'actions' | 'lift_hours'>>(
    sql`select actions, lift_hours from code_protection where account_id = ${account_id}`,
  );
  return { account_id, actions: DEFAULT_ACTIONS, lift_hours: DEFAULT_LIFT_HOURS, ...row };
}
