/**
 * One inbox: the list of conversations, the open conversation, and its contact. The URL identifies the open
 * conversation. A deleted conversation closes immediately, so that it is not refetched.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { type Bucket, removeConversation } from '@parley/contract/inbox/inbox.ts';
import { IconMessages } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useDeferredValue, useState } from 'react';
import { personLabel } from '../channels/compose/person_name.ts';
import { removeWithUndo } from '../kernel/http/undo.ts';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { BUCKET_PATHS, linkToAddress, unreadPath } from '../paths.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { usePreload } from '../ui/feedback/usePreload.ts';
import styles from './Inbox.module.css';
import { ConversationList } from './list/ConversationList.tsx';
import { useConversations } from './list/conversations.ts';
import { useInboxFilters } from './list/filters.ts';
import { useInboxViews } from './list/inbox_views.ts';
import { OtherInboxes } from './OtherInboxes.tsx';
import { useOpenConversation } from './watch/open_conversations.ts';

const loadConversation = () => import('./OpenConversation.tsx');
const OpenConversation = lazyPart(loadConversation);

const SEARCH_DEBOUNCE_MS = 250;

const EMPTY_TEXT: Readonly<Record<Bucket, string>> = {
  self: 'Conversations assigned to you appear here.',
  none: 'When someone replies to your messages, the conversation appears here until it is assigned.',
  others: 'Conversations assigned to other users appear here.',
};

const inboxPath = (bucket: Bucket, isUnreadOnly: boolean): string =>
  isUnreadOnly ? unreadPath(bucket) : BUCKET_PATHS[bucket];

/** The search parameters of the URL. */
interface Address {
  conversation?: string;
  /** Set if only unread conversations are listed. */
  unread?: string;
  /** The message or note at which the conversation opens. */
  message?: string;
}

export function InboxPage({ bucket }: { bucket: Bucket }) {
  const { conversation: openId = null, unread, message = null } = useSearch({ strict: false }) as Address;
  const navigate = useNavigate();
  usePreload(loadConversation);
  const [filters, setFilters] = useInboxFilters();
  const [search] = useDebouncedValue(filters.search.trim(), SEARCH_DEBOUNCE_MS);
  const list = useConversations(bucket, { ...filters, search }, unread !== undefined);
  const [deletedId, setDeletedId] = useState<string | null>(null);
  // Reset when another conversation is opened, because a deleted conversation can return.
  if (deletedId !== null && deletedId !== openId) setDeletedId(null);
  const go = (address: Address, replace: boolean) => void navigate({ to: '.', search: address as never, replace });
  const kept: Address = unread ? { unread } : {};
  const open = (id: string | null) => go(id ? { ...kept, conversation: id } : kept, openId !== null);
  const openText = (conversation: string, id: string) => go({ ...kept, conversation, message: id }, openId !== null);
  useOpenConversation(openId, () => {
    setDeletedId(openId);
    go(kept, true);
  });
  const views = useInboxViews({
    ...{ bucket, filters, isUnreadOnly: unread !== undefined, onFilters: setFilters },
    onInbox: (inbox, isUnreadOnly) => void navigate(linkToAddress(inboxPath(inbox, isUnreadOnly))),
  });
  const remove = (id: string, name: string) => {
    if (id === openId) open(null);
    removeWithUndo({
      id,
      endpoint: removeConversation,
      input: { params: { id } },
      message: `The conversation with ${name} was deleted.`,
      invalidates: ['conversation_badges'],
    });
  };
  const leave = useSteps(list.conversations, openId, open);
  const shown = openId !== null && openId !== deletedId ? openId : null;
  const drawn = useDrawn(shown, deletedId);
  return (
    <div className={styles.page} data-open={shown !== null || undefined}>
      <h1 className={styles.hidden}>Inbox</h1>
      <ConversationList
        list={list}
        filters={filters}
        onFilters={setFilters}
        isUnreadOnly={unread !== undefined}
        views={views}
        onUnreadOnly={(on) => go(on ? { unread: 'true' } : {}, true)}
        openId={shown}
        onOpen={open}
        search={{ text: search, openText: message, onOpen: openText }}
        onRemove={(conversation) => remove(conversation.id, personLabel(conversation))}
        emptyText={EMPTY_TEXT[bucket]}
        emptyAction={<OtherInboxes bucket={bucket} />}
      />
      {drawn ? (
        <Suspense fallback={<ConversationSkeleton />}>
          <OpenConversation
            key={drawn}
            id={drawn}
            listed={list.conversations.find(({ id }) => id === drawn) ?? null}
            target={drawn === shown ? message : null}
            onClose={() => open(null)}
            onLeave={leave}
            onRemove={(name) => remove(drawn, name)}
          />
        </Suspense>
      ) : (
        <section className={styles.emptyPane} aria-label="Conversation">
          <EmptyState icon={IconMessages} title="Once a conversation is selected, it will be displayed here." />
        </section>
      )}
    </div>
  );
}

/** The keys that step through the list. Returns a function that opens the next conversation, or closes the last. */
function useSteps(conversations: readonly { id: string }[], openId: string | null, open: (id: string | null) => void) {
  const at = conversations.findIndex(({ id }) => id === openId);
  const move = (step: 1 | -1) => {
    const next = at < 0 ? conversations[0] : conversations[at + step];
    if (next) open(next.id);
  };
  useShortcuts('Inbox', [
    { keys: 'J', label: 'Next conversation', run: () => move(1) },
    { keys: 'K', label: 'Previous conversation', run: () => move(-1) },
    { keys: 'Escape', label: 'Close conversation', run: () => open(null), when: () => openId !== null },
  ]);
  return () => {
    const next = at < 0 ? undefined : (conversations[at + 1] ?? conversations[at - 1]);
    open(next?.id ?? null);
  };
}

/**
 * The list marks another conversation immediately, and the conversation follows. A closed conversation disappears
 * immediately.
 */
function useDrawn(shown: string | null, deletedId: string | null): string | null {
  const deferred = useDeferredValue(shown);
  return shown === null || deferred === deletedId ? null : deferred;
}

function ConversationSkeleton() {
  return (
    <section className={styles.emptyPane} aria-label="Conversation">
      <SkeletonLines lines={6} />
    </section>
  );
}
