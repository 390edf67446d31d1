import { teamChanged } from '@parley/contract/team/team.ts';
import { announceCustomer, type Who } from '../accounts/accounts.ts';
import type { Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';

/** A signed-in user who changes the team. The context of a request fits. */
export type TeamActor = Who & { actor: Actor };

/** Refreshes lists of users and invitations, for the company and for operators. */
export async function announceTeam(tx: Tx, account_id: string): Promise<void> {
  emit(tx, teamChanged, account_id, { account_id });
  await announceCustomer(tx, account_id);
}
