/**
 * Removes a user from a company. Records of their actions keep their name. Their sessions, invitations, and assignments
 * end.
 */
import { expireInvitations } from '../accounts/accounts.ts';
import { endUserSessions } from '../auth/auth.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { removePrivateViews } from '../views/views.ts';
import { revokeUserInvitations } from './invitation_queries.ts';
import { unassignConversations } from './jobs.ts';
import * as queries from './queries.ts';

export async function removeMember(
  tx: Tx,
  account_id: string,
  user: { id: string; login_id: string | null },
): Promise<void> {
  await endUserSessions(tx, account_id, user.id);
  await queries.clearUser(tx, account_id, user.id, tx.now);
  await revokeUserInvitations(tx, account_id, user.id);
  await expireInvitations(tx, account_id, user.id);
  await removePrivateViews(tx, account_id, user.id);
  if (user.login_id) await queries.deleteUnusedLogin(tx, user.login_id);
  await enqueue(tx, unassignConversations, { account_id, user_id: user.id });
}
