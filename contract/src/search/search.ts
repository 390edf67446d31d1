/** Search across the account's records, for the command palette. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { endpoint } from '../endpoint.ts';
import { BUCKETS, canViewBucket } from '../inbox/inbox.ts';
import type { Need, Permissions } from '../permission.ts';
import { permits } from '../permission.ts';

/** The kinds of results, in the order in which they are shown. `number` stands for all messages with that number. */
export const SEARCH_KINDS = [
  'campaign',
  'conversation',
  'contact',
  'audience',
  'template',
  'sender',
  'message',
  'number',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The permission for each kind. Conversations also depend on the assignee, as in the inbox. */
const KIND_NEEDS: Readonly<Record<SearchKind, readonly Need[]>> = {
  campaign: ['CAMPAIGNS:view'],
  conversation: ['MESSAGES:view', 'CONVERSATIONS:view', 'CONVERSATIONS:add'],
  contact: ['AUDIENCES:view'],
  audience: ['AUDIENCES:view'],
  template: ['TEMPLATES:view'],
  sender: ['SENDERS:view'],
  message: ['MESSAGES:view'],
  number: ['MESSAGES:view'],
};

export const canFind = (kind: SearchKind, permissions: Permissions): boolean => permits(permissions, KIND_NEEDS[kind]);

/** The buckets of the inbox in which the caller finds conversations. */
export const findableBuckets = (viewer: { user_id: string | null; permissions: Permissions }) =>
  BUCKETS.filter((bucket) => canViewBucket(bucket, viewer));

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** The id of the record; for a `number`, the number itself. */
  id: z.string(),
  title: z.string(),
  /** Distinguishes it from others with this title: a number, a code, the beginning of a text. */
  detail: z.string(),
  channel: z.enum(CHANNELS).nullable(),
  /** The number of a contact or conversation. */
  number: z.string().nullable(),
  /** The audience of a contact. */
  audience_id: z.string().nullable(),
  /** The inbox that holds the conversation. */
  bucket: z.enum(BUCKETS).nullable(),
});
export type SearchResult = z.output<typeof SearchResult>;

export const MIN_SEARCH = 2;

export const listSearchResults = endpoint({
  id: 'search.list',
  method: 'GET',
  path: '/v1/search',
  summary: 'Find records by name, number, or ID',
  needs: [...new Set(Object.values(KIND_NEEDS).flat())],
  audience: 'session',
  scans: true,
  query: z.object({ text: z.string().trim().min(MIN_SEARCH).max(100) }),
  /** At most five results of each kind. */
  output: z.array(SearchResult),
  problems: [],
});
