/**
 * What was sent and is not accepted yet, or was refused. Kept with the cached answers rather than in a component: a failure must still be there
 * when one comes back to the conversation, and must be gone when somebody else signs in.
 */
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';

export interface Draft {
  /** Makes a repeated try the same act. */
  key: string;
  body: ReplyBody;
  /** Id of the newest message when it was sent. */
  after: string;
  /** Why it was refused; null while it is on its way. */
  problem: string | null;
}

/** The message may come as an event before the answer to the call: what is on its way is then there already, and is not shown twice. */
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
  const { data } = useQuery<Draft[]>({
    queryKey: draftsKey(conversation_id),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}

const change = (client: QueryClient, conversation_id: string, next: (drafts: Draft[]) => Draft[]) =>
  client.setQueryData<Draft[]>(draftsKey(conversation_id), (drafts) => next(drafts ?? NONE));

/** Added at the end, or in the place of the draft with the same key. */
export const putDraft = (client: QueryClient, conversation_id: string, draft: Draft) =>
  change(client, conversation_id, (drafts) =>
    drafts.some((one) => one.key === draft.key)
      ? drafts.map((one) => (one.key === draft.key ? draft : one))
      : [...drafts, draft],
  );

export const dropDraft = (client: QueryClient, conversation_id: string, key: string) =>
  change(client, conversation_id, (drafts) => drafts.filter((one) => one.key !== key));
