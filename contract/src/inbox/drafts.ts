/** Drafts: what a user has typed in a conversation and not sent yet. Only this user sees them, on every device. */
import { z } from 'zod';
import { idParams, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CONVERSATION_PROBLEMS, STATUS_NEEDS } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

/** Longer than any message, so that a long text can still be shortened. */
export const DRAFT_MAX = 10_000;
/** The number of drafts in the list, and the characters shown of each. */
export const DRAFTS_LISTED = 200;
export const DRAFT_EXCERPT = 160;

export const DRAFT_KINDS = ['reply', 'note'] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];

/** The texts that a user has not sent yet. Empty if there is none. */
export const ConversationDraft = z.object({ reply: z.string(), note: z.string() });
export type ConversationDraft = z.output<typeof ConversationDraft>;

export const ListedDraft = z.object({
  conversation_id: z.string(),
  kind: z.enum(DRAFT_KINDS),
  /** The beginning of the reply, or of the note if there is no reply. */
  text: z.string(),
});
export type ListedDraft = z.output<typeof ListedDraft>;

const text = z.string().max(DRAFT_MAX, { error: problem('DRAFT_TOO_LONG') });

export const listDrafts = endpoint({
  id: 'conversation_drafts.list',
  method: 'GET',
  path: '/v1/conversation_drafts',
  summary: `List the caller’s latest ${DRAFTS_LISTED} drafts`,
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(ListedDraft),
  problems: [],
});

export const getDraft = endpoint({
  id: 'conversation_drafts.get',
  method: 'GET',
  path: '/v1/conversations/{id}/draft',
  summary: 'Get the caller’s draft in a conversation',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  output: ConversationDraft,
  problems: CONVERSATION_PROBLEMS,
});

export const saveDraft = endpoint({
  id: 'conversation_drafts.save',
  method: 'PUT',
  path: '/v1/conversations/{id}/draft',
  summary: 'Save the caller’s draft in a conversation. An empty text deletes it; omitted fields stay unchanged',
  needs: STATUS_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({ reply: text, note: text }).partial(),
  output: ConversationDraft,
  problems: [...CONVERSATION_PROBLEMS, 'DRAFT_TOO_LONG'],
});

/** A draft was saved or deleted. Sent only to its user. */
export const draftChanged = event({
  id: 'conversation_draft.changed',
  modules: ['conversation_drafts'],
  needs: INBOX_NEEDS,
  payload: z.object({ conversation_id: z.string(), user_id: z.string() }),
  visible: ({ user_id }, viewer) => user_id === viewer.user_id,
});
