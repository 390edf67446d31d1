import { teamChanged } from '@parley/contract/team.ts';
import { announceCustomer, type Who } from '../accounts/accounts.ts';
import type { Actor } from '../kernel/auth.ts';
import type { Tx } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';

/** A signed-in person who changes the team. The context of a request fits. */
export type Doer = Who & { actor: Actor };

/** Lists of people and invitations are stale, here and with the operators. */
export async function announceTeam(tx: Tx, account_id: string): Promise<void> {
  emit(tx, teamChanged, account_id, { account_id });
  await announceCustomer(tx, account_id);
}
