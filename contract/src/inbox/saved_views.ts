/** Saved inbox views: how a view stores its filters, and how many conversations it has. */
import { z } from 'zod';
import { INBOX_CHANNELS } from '../channels/names.ts';
import { endpoint } from '../endpoint.ts';
import { BUCKETS, type Bucket } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';
import { CONVERSATION_STATUSES, type ConversationStatus } from './statuses.ts';
import { DUE_STATES, type DueState } from './targets.ts';

/** The maximum number of counted views, and the number up to which their conversations are counted. */
export const COUNTED_VIEWS = 50;
export const VIEW_COUNT_MAX = 100;

export const InboxViewCount = z.object({
  view_id: z.string(),
  /** Conversations in the view, up to 100. */
  conversations: z.int(),
  /** The number of conversations with unread messages. */
  unread: z.int(),
});
export type InboxViewCount = z.output<typeof InboxViewCount>;

export const listInboxViewCounts = endpoint({
  id: 'inbox_view_counts.list',
  method: 'GET',
  path: '/v1/inbox_view_counts',
  summary: `Count the conversations in the caller’s saved inbox views. Counts stop at ${VIEW_COUNT_MAX}`,
  needs: INBOX_NEEDS,
  audience: 'session',
  scans: true,
  output: z.array(InboxViewCount),
  problems: [],
});

export interface InboxViewFilters {
  bucket: Bucket;
  search: string;
  channel: (typeof INBOX_CHANNELS)[number] | null;
  sender_id: string | null;
  status: ConversationStatus | null;
  mentioned: boolean;
  label_id: string | null;
  due: DueState | null;
  unread: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const pick = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text);
const uuid = (text: string | undefined): string | null => (text !== undefined && UUID.test(text) ? text : null);

/** Reads the filters of a view. Filters that no longer exist are ignored. */
export const readInboxView = (filters: Readonly<Record<string, string>>): InboxViewFilters => ({
  bucket: pick(BUCKETS, filters.bucket) ?? 'none',
  search: filters.search ?? '',
  channel: pick(INBOX_CHANNELS, filters.channel) ?? null,
  sender_id: uuid(filters.sender_id),
  status: pick(CONVERSATION_STATUSES, filters.status) ?? null,
  mentioned: filters.mentioned === 'true',
  label_id: uuid(filters.label_id),
  due: pick(DUE_STATES, filters.due) ?? null,
  unread: filters.unread === 'true',
});

/** The filters as a view stores them: only those that are set. */
export function writeInboxView(filters: InboxViewFilters): Record<string, string> {
  const set = Object.entries(filters).filter(([, value]) => value !== null && value !== '' && value !== false);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}
