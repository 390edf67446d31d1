/** The entries of a conversation: what users and Parley did in it, apart from messages and assignments. */
import { z } from 'zod';
import { idParams, listQuery, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CONVERSATION_PROBLEMS, isVisible } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';
import { CONVERSATION_STATUSES } from './statuses.ts';
import { TARGETS } from './targets.ts';

const EntryUser = z.object({ id: z.string(), full_name: z.string() });

export const StatusChange = z.object({
  from: z.enum(CONVERSATION_STATUSES),
  to: z.enum(CONVERSATION_STATUSES),
  /** The end of the snooze. */
  until: timestamp.nullable(),
});
export type StatusChange = z.output<typeof StatusChange>;

export const RuleOutcome = z.object({
  name: z.string(),
  /** The team or user that was not available. */
  unavailable: z.string().nullable(),
  labels: z.int(),
  closed: z.boolean(),
  /** Why the rule's reply was not sent. */
  refusal: z.string().nullable(),
});
export type RuleOutcome = z.output<typeof RuleOutcome>;

export const MissedTarget = z.object({ target: z.enum(TARGETS), due: timestamp });
export type MissedTarget = z.output<typeof MissedTarget>;

export const ConversationEntry = z.object({
  id: z.string(),
  conversation_id: z.string(),
  kind: z.enum(['note', 'status', 'collision', 'rule', 'target']),
  /** The user who made the entry; null if Parley made it. */
  user: EntryUser.nullable(),
  /** The text of a note. */
  text: z.string(),
  /** The users whom a note mentions, with their names at that time. */
  mentions: z.array(EntryUser),
  /** The change of the status, for entries of the kind `status`. */
  status: StatusChange.nullable(),
  /** The user who had already replied, for entries of the kind `collision`. */
  answered: EntryUser.nullable(),
  /** The rule that was applied, for entries of the kind `rule`. */
  rule: RuleOutcome.nullable(),
  /** The target that the conversation has missed, for entries of the kind `target`. */
  missed: MissedTarget.nullable(),
  timestamp,
  /** When the note was last edited. */
  update_date: timestamp.nullable(),
});
export type ConversationEntry = z.output<typeof ConversationEntry>;

export const listEntries = endpoint({
  id: 'conversation_entries.list',
  method: 'GET',
  path: '/v1/conversations/{id}/entries',
  summary: 'List the notes, status changes, and other activity in a conversation, newest first',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  query: listQuery({}),
  list: true,
  output: ConversationEntry,
  problems: CONVERSATION_PROBLEMS,
});

/** An entry was added. */
export const entryCreated = event({
  id: 'conversation_entry.created',
  modules: ['conversation_entries', 'person_timeline'],
  needs: INBOX_NEEDS,
  payload: ConversationEntry.extend({ assignee_id: z.string().nullable() }),
  visible: isVisible,
});
