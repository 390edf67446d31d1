/** The assignments of conversations to users: who can be assigned, and who was assigned when. */
import { z } from 'zod';
import { idParams, listQuery, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { canViewBucket, conversationBucket, showPopUp } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

/** A user to whom conversations can be assigned. */
export const InboxUser = z.object({
  id: z.string(),
  full_name: z.string(),
  email: z.string(),
  /** Up to two letters. */
  initials: z.string(),
});
export type InboxUser = z.output<typeof InboxUser>;

/** Includes the user's workload, so that conversations go to users who have time. */
export const Assignee = InboxUser.extend({
  away: z.boolean(),
  /** The user's open conversations, counted up to 1,000. */
  open: z.int(),
  /** The maximum number of open conversations for the user; null means no limit. */
  capacity: z.int().nullable(),
});
export type Assignee = z.output<typeof Assignee>;

const AssignedUser = z.object({ id: z.string(), full_name: z.string() });

export const Assignment = z.object({
  id: z.string(),
  conversation_id: z.string(),
  /** The user before and the user after the change; null means unassigned. */
  from: AssignedUser.nullable(),
  to: AssignedUser.nullable(),
  /** The user who made the change; null if Parley made it. */
  by: AssignedUser.nullable(),
  /** The name of the rule that made the change; null if no rule did. */
  rule: z.string().nullable(),
  timestamp,
  /** True once the new assignee has opened the conversation. */
  seen_by_assignee: z.boolean(),
});
export type Assignment = z.output<typeof Assignment>;

/** The note in the thread. */
export function assignmentNote({ from, to, rule }: Pick<Assignment, 'from' | 'to'> & { rule?: string | null }): string {
  if (!to) return `Conversation is unassigned from ${from?.full_name ?? ''}`;
  if (rule) return `Conversation is assigned to ${to.full_name} by the rule ${rule}`;
  return from
    ? `Conversation is reassigned from ${from.full_name} to ${to.full_name}`
    : `Conversation is assigned to ${to.full_name}`;
}

export const listInboxUsers = endpoint({
  id: 'inbox_users.list',
  method: 'GET',
  path: '/v1/inbox_users',
  summary: 'List the users who can be assigned conversations, by name',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(Assignee),
  problems: [],
});

export const listAssignments = endpoint({
  id: 'conversation_assignments.list',
  method: 'GET',
  path: '/v1/conversations/{id}/assignments',
  summary: 'List the assignments of a conversation, newest first',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  query: listQuery({}),
  list: true,
  output: Assignment,
  problems: ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID', 'CONVERSATION_ACCESS_DENIED'],
});

/**
 * The assignee changed. Sent to everyone who could view the conversation before or can view it now, so it has no
 * content of the conversation.
 */
export const conversationAssigned = event({
  id: 'conversation.assigned',
  modules: ['conversations', 'conversation_badges', 'conversation_assignments'],
  needs: INBOX_NEEDS,
  payload: Assignment.extend({ show_pop_up: showPopUp }),
  visible: ({ from, to }, viewer) =>
    [from, to].some((user) => canViewBucket(conversationBucket(user?.id ?? null, viewer.user_id), viewer)),
});

/** The assignee has opened the conversation. */
export const assignmentSeen = event({
  id: 'assignment.seen',
  modules: ['conversation_assignments'],
  needs: INBOX_NEEDS,
  /** The ID of the conversation. */
  payload: z.object({ id: z.string(), assignee_id: z.string() }),
  visible: ({ assignee_id }, viewer) => canViewBucket(conversationBucket(assignee_id, viewer.user_id), viewer),
});
