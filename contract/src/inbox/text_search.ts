/** Search in the texts of messages and notes. */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Conversation } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

export const FOUND_PER_PAGE = 20;
export const TEXT_KINDS = ['message', 'note'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

export const FoundText = z.object({
  /** The ID of the message or note. */
  id: z.string(),
  kind: z.enum(TEXT_KINDS),
  conversation: Conversation,
  /** The author: `MO` for the contact's messages, `MT` for the account's messages; null for notes. */
  direction: z.enum(['MT', 'MO']).nullable(),
  /** The user who wrote it; null for contacts, campaigns, and API calls. */
  user_name: z.string().nullable(),
  /** The text around the first match, in parts. */
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
  timestamp,
});
export type FoundText = z.output<typeof FoundText>;

export const FoundTexts = z.object({
  results: z.array(FoundText),
  /**
   * The `page_token` of the next page; null at the end. A page can have few results, or none, before the end, because
   * each call reads a limited number of texts.
   */
  next: z.string().nullable(),
});
export type FoundTexts = z.output<typeof FoundTexts>;

export const searchTexts = endpoint({
  id: 'inbox_texts.search',
  method: 'GET',
  path: '/v1/inbox_texts',
  summary:
    'Find messages or notes, newest first, in conversations that the caller may view. A text matches if it has words ' +
    'that begin with each word of the search',
  needs: INBOX_NEEDS,
  audience: 'session',
  scans: true,
  query: z.object({
    text: z.string().trim().min(1).max(100),
    kind: z.enum(TEXT_KINDS),
    page_token: z.string().max(60).optional(),
  }),
  output: FoundTexts,
  problems: [],
});
