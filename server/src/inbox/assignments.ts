/** Assigns conversations to users, and records each change. */
import * as contract from '@parley/contract/inbox/assignments.ts';
import { ASSIGN_NEEDS } from '@parley/contract/inbox/inbox.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import { type Actor, requireAccess } from '../kernel/security/auth.ts';
import * as queries from './assignment_queries.ts';

/** The permission that a user needs to work on assigned conversations. */
export const ASSIGNABLE = 'MESSAGES:view';

export async function listInboxUsers(db: Queryable, account_id: string): Promise<contract.Assignee[]> {
  const rows = await queries.listInboxUsers(db, account_id, ASSIGNABLE);
  return rows.map((user) => ({
    ...user,
    full_name: user.full_name || user.email,
    initials: initials(user.full_name || user.email),
  }));
}

export const initials = (name: string): string =>
  name
    .split(' ')
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

export async function listAssignments(
  db: Queryable,
  { account_id }: Actor,
  conversation_id: string,
  query: { page?: number | undefined; page_size?: number | undefined; page_token?: string | undefined },
): Promise<Paged<contract.Assignment>> {
  const page = readPage(query);
  const rows = await queries.listAssignmentRows(db, account_id, conversation_id, page);
  return paged(page, rows, await queries.countAssignments(db, account_id, conversation_id));
}

/** The caller has locked the conversation and may view it. Assigning it to the same user again changes nothing. */
export async function assign(
  tx: Tx,
  actor: Actor,
  conversation: { id: string; assignee_id: string | null },
  assignee_id: string | null,
): Promise<boolean> {
  requireAccess(actor, { needs: ASSIGN_NEEDS, method: 'PUT' });
  if (assignee_id === conversation.assignee_id) return false;
  const { account_id } = actor;
  if (assignee_id !== null && !(await queries.isAssignableUser(tx, account_id, assignee_id, ASSIGNABLE)))
    throw new Problem('ASSIGNEE_NOT_FOUND');
  await queries.setAssignee(tx, account_id, conversation.id, assignee_id);
  await recordAssignments(tx, account_id, [
    {
      conversation_id: conversation.id,
      from_user_id: conversation.assignee_id,
      to_user_id: assignee_id,
      by_user_id: actor.user_id,
    },
  ]);
  return true;
}

/** Records changes of the assignee that have been made in this transaction, with an event for each. */
export async function recordAssignments(
  tx: Tx,
  account_id: string,
  changes: readonly queries.NewAssignment[],
): Promise<void> {
  if (changes.length === 0) return;
  for (const assignment of await queries.insertAssignments(tx, account_id, changes))
    emit(tx, contract.conversationAssigned, account_id, { ...assignment, show_pop_up: assignment.by !== null });
}

/** Records that the assignee has opened the conversation. */
export async function seeAssignment(tx: Tx, { account_id, user_id }: Actor, conversation_id: string): Promise<void> {
  if (user_id === null || (await queries.markSeen(tx, account_id, conversation_id, user_id)) === 0) return;
  emit(tx, contract.assignmentSeen, account_id, { id: conversation_id, assignee_id: user_id });
}
