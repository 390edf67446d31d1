/**
 * Replies that the server has not accepted yet or has refused. They are stored in the query cache, so that a failure is
 * still there when the user returns to the conversation, and in this tab's storage, under the user, so that no text is
 * lost in a reload.
 */
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';

export interface Draft {
  /** The idempotency key, which keeps a retry from sending the reply twice. */
  key: string;
  body: ReplyBody;
  /** When to send it, if not now. */
  schedule?: string | undefined;
  /** The ID of the conversation's newest message when the draft was sent. */
  after: string;
  /** Why the reply was refused; null while it is being sent. */
  problem: string | null;
}

/** Leaves out drafts whose message has already arrived as an event, so that no message is shown twice. */
export function notYetIn(
  messages: readonly { id: string; direction: string; text: string }[],
  drafts: readonly Draft[],
): Draft[] {
  const taken = new Set<string>();
  return drafts.filter((draft) => {
    if (draft.problem !== null) return true;
    const arrived = messages.find(
      ({ id, direction, text }) => direction === 'MT' && id > draft.after && text === draft.body.text && !taken.has(id),
    );
    if (arrived) taken.add(arrived.id);
    return !arrived;
  });
}

const draftsKey = (conversation_id: string) => ['reply_drafts', conversation_id] as const;
const NONE: Draft[] = [];

export function useDrafts(conversation_id: string): Draft[] {
  const client = useQueryClient();
  const { data } = useQuery<Draft[]>({
    queryKey: draftsKey(conversation_id),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    initialData: () => readStored(client, conversation_id),
  });
  return data ?? NONE;
}

function change(client: QueryClient, conversation_id: string, next: (drafts: Draft[]) => Draft[]): void {
  const drafts = client.setQueryData<Draft[]>(draftsKey(conversation_id), (old) =>
    next(old ?? readStored(client, conversation_id)),
  );
  const key = storageKey(client, conversation_id);
  if (drafts?.length) sessionStorage.setItem(key, JSON.stringify(drafts));
  else sessionStorage.removeItem(key);
}

function storageKey(client: QueryClient, conversation_id: string): string {
  const user = client.getQueryData<{ data: { id: string } }>(['users', 'users.get', {}]);
  return `parley.unsent.${user?.data.id ?? ''}.${conversation_id}`;
}

/** A reply that was being sent during the reload may have arrived; sending it again uses the same idempotency key. */
function readStored(client: QueryClient, conversation_id: string): Draft[] {
  const text = sessionStorage.getItem(storageKey(client, conversation_id));
  if (!text) return NONE;
  return (JSON.parse(text) as Draft[]).map((draft) => ({ ...draft, problem: draft.problem ?? INTERRUPTED }));
}
const INTERRUPTED = 'The page was reloaded while this reply was being sent. You can safely send it again.';

/** Adds a draft at the end, or replaces the draft with the same key. */
export const putDraft = (client: QueryClient, conversation_id: string, draft: Draft) =>
  change(client, conversation_id, (drafts) =>
    drafts.some(({ key }) => key === draft.key)
      ? drafts.map((old) => (old.key === draft.key ? draft : old))
      : [...drafts, draft],
  );

export const dropDraft = (client: QueryClient, conversation_id: string, key: string) =>
  change(client, conversation_id, (drafts) => drafts.filter((draft) => draft.key !== key));
