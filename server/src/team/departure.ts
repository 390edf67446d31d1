/** Leaving a company, however it comes about. The name stays with what they did; everything that lets them in, or is theirs to do, goes. */
import { endOffersOf } from '../accounts/accounts.ts';
import { endSessions } from '../auth/auth.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { revokeOfUser } from './invitation_queries.ts';
import { unassignConversations } from './jobs.ts';
import * as queries from './queries.ts';

export async function takeOut(
  tx: Tx,
  account_id: string,
  user: { id: string; login_id: string | null },
): Promise<void> {
  await endSessions(tx, { account_id, user_id: user.id });
  // Those in which they were in a sub-account, or as an operator in a customer's, by right of this one.
  await endSessions(tx, { real_user_id: user.id });
  await queries.takeOut(tx, account_id, user.id, tx.now);
  await revokeOfUser(tx, account_id, user.id);
  await endOffersOf(tx, account_id, user.id);
  if (user.login_id) await queries.forgetStranded(tx, user.login_id);
  await enqueue(tx, unassignConversations, { account_id, user_id: user.id });
}
