/** Notes: texts in a conversation that only users see. They can mention users, who are notified. */
import { z } from 'zod';
import { idParams, problem, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { InboxUser } from './assignments.ts';
import { ConversationEntry } from './entries.ts';
import { CONVERSATION_PROBLEMS, isVisible, STATUS_NEEDS } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

export const NOTE_MAX = 5_000;
export const MENTIONS_MAX = 20;

/** Users who may answer conversations or change their status can write notes. */
export const NOTE_NEEDS = STATUS_NEEDS;

export const createNote = endpoint({
  id: 'conversation_notes.create',
  method: 'POST',
  path: '/v1/conversations/{id}/notes',
  summary: 'Add a note, which is never sent to the contact. Mentioned users are notified in the app and by email',
  needs: NOTE_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({
    text: z
      .string()
      .trim()
      .min(1, { error: problem('NOTE_TEXT_REQUIRED') })
      .max(NOTE_MAX, { error: problem('NOTE_TEXT_TOO_LONG') }),
    /** The IDs of users who can view the conversation. */
    mentions: z
      .array(uuid('MENTION_NOT_ALLOWED'))
      .max(MENTIONS_MAX, { error: problem('MENTIONS_LIMIT_EXCEEDED') })
      .default([]),
  }),
  status: 201,
  idempotent: true,
  output: ConversationEntry,
  problems: [
    ...CONVERSATION_PROBLEMS,
    'NOTE_TEXT_REQUIRED',
    'NOTE_TEXT_TOO_LONG',
    'MENTION_NOT_ALLOWED',
    'MENTIONS_LIMIT_EXCEEDED',
  ],
});

export const removeNote = endpoint({
  id: 'conversation_notes.remove',
  method: 'DELETE',
  path: '/v1/conversations/{id}/notes/{note_id}',
  summary: 'Delete one of your notes and its mentions',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID').extend({ note_id: uuid('NOTE_NOT_FOUND') }),
  status: 204,
  output: z.null(),
  problems: [...CONVERSATION_PROBLEMS, 'NOTE_NOT_FOUND', 'NOTE_NOT_OWN'],
});

export const listReaders = endpoint({
  id: 'conversation_readers.list',
  method: 'GET',
  path: '/v1/conversations/{id}/readers',
  summary: 'List the users who can view a conversation, by name. They can be mentioned in its notes',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  output: z.array(InboxUser),
  problems: CONVERSATION_PROBLEMS,
});

/** A user deleted a note. */
export const noteRemoved = event({
  id: 'conversation_note.removed',
  modules: ['conversation_entries'],
  needs: INBOX_NEEDS,
  payload: z.object({ id: z.string(), conversation_id: z.string(), assignee_id: z.string().nullable() }),
  visible: isVisible,
});

/** A note mentions a user. Sent only to that user, with one event for each mentioned user. */
export const mentionCreated = event({
  id: 'conversation_mention.created',
  modules: ['conversations', 'conversation_badges'],
  needs: INBOX_NEEDS,
  payload: z.object({
    /** The ID of the note. */
    id: z.string(),
    conversation_id: z.string(),
    assignee_id: z.string().nullable(),
    /** The mentioned user. */
    user_id: z.string(),
    by_name: z.string(),
    /** The beginning of the note. */
    text: z.string(),
  }),
  visible: (mention, viewer) => mention.user_id === viewer.user_id && isVisible(mention, viewer),
});

/** A user has read the mentions in a conversation, or they were deleted. Sent only to that user. */
export const mentionsChanged = event({
  id: 'conversation_mentions.changed',
  modules: ['conversation_badges'],
  needs: INBOX_NEEDS,
  payload: z.object({ user_ids: z.array(z.string()) }),
  visible: ({ user_ids }, viewer) => viewer.user_id !== null && user_ids.includes(viewer.user_id),
});
