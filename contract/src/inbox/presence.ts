/** Collisions: who else has a conversation open or types in it, and replies sent although a user had just replied. */
import { z } from 'zod';
import { idParams, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { ConversationEntry } from './entries.ts';
import { CONVERSATION_PROBLEMS, isVisible, STATUS_NEEDS } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

/** A user whose page reports nothing for this long has left. */
export const PRESENCE_SECONDS = 60;
export const PRESENCE_STATES = ['viewing', 'typing', 'away'] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];

const PresentUser = z.object({ user_id: z.string(), full_name: z.string(), state: z.enum(['viewing', 'typing']) });
export type PresentUser = z.output<typeof PresentUser>;

export const reportPresence = endpoint({
  id: 'conversation_presence.report',
  method: 'PUT',
  path: '/v1/conversations/{id}/presence',
  summary:
    'Report that the caller is viewing, typing in, or leaving a conversation, and get the other users who are ' +
    `there. Report at least every ${PRESENCE_SECONDS / 2} seconds while the conversation is open`,
  needs: INBOX_NEEDS,
  audience: 'session',
  unattended: true,
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({ state: z.enum(PRESENCE_STATES) }),
  output: z.object({ others: z.array(PresentUser) }),
  problems: CONVERSATION_PROBLEMS,
});

/** A user opened or left a conversation, or began or stopped typing. */
export const presenceChanged = event({
  id: 'conversation_presence.changed',
  modules: ['conversation_presence'],
  needs: INBOX_NEEDS,
  payload: z.object({
    id: z.string(),
    assignee_id: z.string().nullable(),
    user_id: z.string(),
    full_name: z.string(),
    state: z.enum(PRESENCE_STATES),
  }),
  visible: isVisible,
});

export const logCollision = endpoint({
  id: 'conversation_collisions.create',
  method: 'POST',
  path: '/v1/conversations/{id}/collisions',
  summary: 'Record in the conversation that the caller replied after another user had already replied',
  needs: STATUS_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  /** The reply of the other user. */
  body: z.object({ message_id: uuid('REPLY_NOT_FOUND') }),
  status: 201,
  idempotent: true,
  output: ConversationEntry,
  problems: [...CONVERSATION_PROBLEMS, 'REPLY_NOT_FOUND'],
});
