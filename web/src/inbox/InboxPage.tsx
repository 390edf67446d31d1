/**
 * One inbox: its conversations, the open one, the person. Which one is open is in the address. A conversation that was deleted is left at once,
 * before anything asks for it again.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { type Bucket, conversationDeleted, getConversation, removeConversation } from '@parley/contract/inbox/inbox.ts';
import { IconMessages } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryKey, useAction } from '../kernel/http/query.ts';
import { onLive } from '../kernel/live/live.ts';
import { useSession } from '../kernel/session/session.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { focusReply } from './composer/ReplyBox.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import styles from './Inbox.module.css';
import { useInboxKeys } from './keys.ts';
import { ConversationList } from './list/ConversationList.tsx';
import { useConversations } from './list/conversations.ts';
import { OpenConversation } from './OpenConversation.tsx';
import { Unavailable } from './Unavailable.tsx';

const SEARCH_DEBOUNCE_MS = 250;

const WHY_EMPTY: Readonly<Record<Bucket, string>> = {
  self: 'Conversations that are assigned to you appear here.',
  none: 'When somebody answers one of your messages, the conversation appears here until someone takes it.',
  others: 'Conversations that your colleagues look after appear here.',
};

export function InboxPage({ bucket }: { bucket: Bucket }) {
  const { conversation: openId = null } = useSearch({ strict: false }) as { conversation?: string };
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search.trim(), SEARCH_DEBOUNCE_MS);
  const list = useConversations(bucket, searched);
  const [gone, setGone] = useState<string | null>(null);
  // Forgotten once the address has moved on: it may come back later.
  if (gone !== null && gone !== openId) setGone(null);
  const open = (id: string | null) =>
    void navigate({ to: '.', search: (id ? { conversation: id } : {}) as never, replace: openId !== null });
  const takenAway = useDeletions(openId, (id) => {
    setGone(id);
    void navigate({ to: '.', search: {} as never, replace: true });
  });
  const remove = useAction(removeConversation, {
    invalidates: ['conversation_badges'],
    onSuccess: () => open(null),
    onError: (error) => {
      setGone(null);
      toast.error(error.message);
    },
  });
  useInboxKeys({
    move(step) {
      const at = list.conversations.findIndex(({ id }) => id === openId);
      const next = at < 0 ? list.conversations[0] : list.conversations[at + step];
      if (next) open(next.id);
    },
    reply: focusReply,
    leave: () => openId && open(null),
  });

  const shown = openId !== null && openId !== gone ? openId : null;
  return (
    <div className={styles.page} data-open={shown !== null || undefined}>
      <h1 className={styles.hidden}>Inbox</h1>
      <ConversationList
        list={list}
        search={search}
        onSearch={setSearch}
        openId={shown}
        onOpen={open}
        emptyText={WHY_EMPTY[bucket]}
        emptyAction={<Elsewhere bucket={bucket} />}
      />
      {shown ? (
        <OpenConversation
          key={shown}
          id={shown}
          known={list.conversations.find(({ id }) => id === shown) ?? null}
          onClose={() => open(null)}
          onRemove={() => {
            setGone(shown);
            remove.mutate({ params: { id: shown } });
          }}
        />
      ) : (
        <section className={styles.nothing} aria-label="Conversation">
          <EmptyState icon={IconMessages} title="Once a conversation is selected, it will be displayed here." />
        </section>
      )}
      <Unavailable open={takenAway.told} onAcknowledge={takenAway.acknowledge} />
    </div>
  );
}

/** Another took the open conversation away: a popup. Another took some other one away: a note. Oneself: neither. */
function useDeletions(openId: string | null, leave: (id: string) => void) {
  const { user } = useSession();
  const client = useQueryClient();
  const [told, setTold] = useState(false);
  useEffect(
    () =>
      onLive(conversationDeleted, ({ id, user_id }) => {
        client.removeQueries({ queryKey: queryKey(getConversation, { params: { id } }) });
        if (id === openId) {
          setTold(user_id !== user.id);
          leave(id);
        } else if (user_id !== user.id) toast.warning('One of conversations is currently unavailable.');
      }),
    [client, openId, user.id, leave],
  );
  return { told, acknowledge: () => setTold(false) };
}
