/** Erasures: everything that the account stored about a person is deleted, except for the proofs. */
import { z } from 'zod';
import { personParams } from '../audiences/people.ts';
import { timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

/** The kinds of records whose deletions an erasure counts. */
const ERASED_KINDS = [
  'messages',
  'files',
  'conversations',
  'notes',
  'contacts',
  'clicks',
  'import_rows',
  'deliveries',
  'requests',
  'other',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

export const PersonErasure = z.object({
  id: z.string(),
  account_id: z.string(),
  /** Digits with the country code, without a plus sign. */
  number: z.string(),
  /** `waiting`: the erasure continues once the last messages have been sent and no import is running. */
  status: z.enum(['running', 'waiting', 'completed']),
  /** The number of deleted records by kind: messages, files, notes, and so on. */
  counts: z.record(z.string(), z.int()),
  /** The user who requested it; null for an API key. */
  user_name: z.string().nullable(),
  create_date: timestamp,
  complete_date: timestamp.nullable(),
});
export type PersonErasure = z.output<typeof PersonErasure>;

export const PersonErasureState = z.object({
  number: z.string(),
  /** Messages that are scheduled or being sent. The person cannot be erased while there are any. */
  in_flight: z.int(),
  /** The latest erasure; null if there was none. */
  erasure: PersonErasure.nullable(),
});
export type PersonErasureState = z.output<typeof PersonErasureState>;

export const getPersonErasure = endpoint({
  id: 'person_erasures.get',
  method: 'GET',
  path: '/v1/people/{id}/erasure',
  summary: 'Get the latest erasure of a person or phone number, and anything that prevents another one',
  needs: 'AUDIENCES:view',
  params: personParams,
  output: PersonErasureState,
  problems: ['PERSON_NOT_FOUND'],
});

export const createPersonErasure = endpoint({
  id: 'person_erasures.create',
  method: 'POST',
  path: '/v1/people/{id}/erasure',
  summary: 'Erase a person or phone number. Its content is deleted, and proof is kept. This cannot be undone',
  needs: 'AUDIENCES:delete',
  params: personParams,
  body: z.object({
    /** The person's number, as a confirmation. */
    number: z.string().trim().max(200),
  }),
  status: 202,
  idempotent: true,
  output: PersonErasure,
  problems: ['PERSON_NOT_FOUND', 'PERSON_NUMBER_DIFFERS', 'PERSON_MESSAGES_IN_FLIGHT'],
});

/** An erasure began or ended. */
export const personErased = event({
  id: 'person.erased',
  modules: [
    ...['person_timeline', 'person_erasures', 'people', 'contacts', 'audiences', 'messages', 'conversations'],
    ...['conversation_messages', 'conversation_entries'],
  ],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string(), number: z.string(), status: z.enum(['running', 'waiting', 'completed']) }),
});

/** The contents of messages older than the account's `content_days` were deleted. */
export const contentsExpired = event({
  id: 'contents.expired',
  modules: ['messages', 'conversations', 'conversation_messages', 'conversation_entries', 'person_timeline'],
  needs: 'MESSAGES:view',
  payload: z.object({ messages_count: z.int() }),
});
