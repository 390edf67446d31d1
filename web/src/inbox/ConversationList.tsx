import { Button, TextInput } from '@mantine/core';
import { type Bucket, type Conversation, listConversations } from '@parley/contract/inbox.ts';
import { IconInbox, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo } from 'react';
import { type Answer, type ApiError, call } from '../kernel/client.ts';
import { queryKey } from '../kernel/query.ts';
import { ChannelMark } from '../ui/ChannelMark.tsx';
import { CountBadge } from '../ui/CountBadge.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { formatDate, formatDay, formatTime } from '../ui/format.ts';
import { PhoneNumber } from '../ui/PhoneNumber.tsx';
import { BoneLines } from '../ui/Skeletons.tsx';
import { useZone } from '../ui/zone.ts';
import styles from './Inbox.module.css';

const PAGE_SIZE = 20;
type Page = Answer<typeof listConversations>;

export function useConversations(bucket: Bucket, search: string) {
  const filter = { bucket, ...(search ? { search } : {}) };
  return useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], number>({
    queryKey: queryKey(listConversations, filter),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listConversations, { query: { page: pageParam, page_size: PAGE_SIZE, filter } }, { signal }),
    getNextPageParam: (page) => (page.pagination.links.next ? page.pagination.number + 1 : null),
  });
}

export interface ConversationListProps {
  bucket: Bucket;
  search: string;
  onSearch: (text: string) => void;
  openId: string | null;
  onOpen: (conversation: Conversation) => void;
}

export function ConversationList({ bucket, search, onSearch, openId, onOpen }: ConversationListProps) {
  const query = useConversations(bucket, search);
  const zone = useZone();
  const conversations = useMemo(() => {
    const seen = new Set<string>();
    // A conversation that moved up while pages were fetched would be in two of them.
    return (query.data?.pages ?? [])
      .flatMap((page) => page.data)
      .filter((one) => !seen.has(one.id) && seen.add(one.id));
  }, [query.data]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step =
      event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0;
    if (step === 0 || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button[data-conversation]')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
    next?.focus();
  };

  let group = '';
  return (
    <nav className={styles.list} aria-label="Conversations" onKeyDown={onKeyDown}>
      <div className={styles.listHead}>
        <TextInput
          aria-label="Search conversations"
          placeholder="Number or name"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </div>
      <div className={styles.listBody}>
        {query.isPending && (
          <div className={styles.listBones} role="status" aria-label="Loading conversations">
            <BoneLines lines={9} />
          </div>
        )}
        {query.error && !query.data && (
          <ErrorState title="The conversations could not be loaded" onRetry={() => void query.refetch()}>
            {query.error.message}
          </ErrorState>
        )}
        {query.data && conversations.length === 0 && (
          <EmptyState icon={IconInbox} title={search ? 'Nobody by this number or name' : 'No conversations here'}>
            {search
              ? 'Search looks at the beginning of numbers and anywhere in names.'
              : 'When somebody answers one of your messages, the conversation appears here.'}
          </EmptyState>
        )}
        {conversations.map((conversation) => {
          const day = formatDay(conversation.timestamp, zone);
          const label = day === 'Today' || day === 'Yesterday' ? day : 'Older';
          const head = label === group ? null : label;
          group = label;
          return (
            <div key={conversation.id}>
              {head && <h2 className={styles.group}>{head}</h2>}
              <ConversationRow
                conversation={conversation}
                open={conversation.id === openId}
                onOpen={() => onOpen(conversation)}
                time={
                  label === 'Older'
                    ? formatDate(conversation.timestamp, zone)
                    : formatTime(conversation.timestamp, zone)
                }
              />
            </div>
          );
        })}
        {query.hasNextPage && (
          <div className={styles.more}>
            <Button
              variant="subtle"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show older conversations
            </Button>
          </div>
        )}
      </div>
    </nav>
  );
}

function ConversationRow({
  conversation,
  open,
  onOpen,
  time,
}: {
  conversation: Conversation;
  open: boolean;
  onOpen: () => void;
  time: string;
}) {
  const { last_message: last } = conversation;
  return (
    <button
      type="button"
      className={styles.conversation}
      data-conversation
      data-unread={conversation.unread_count > 0 || undefined}
      aria-current={open || undefined}
      onClick={onOpen}
    >
      <ChannelMark channel={conversation.channel} iconOnly />
      <span className={styles.who}>
        {conversation.contact_name || <PhoneNumber value={conversation.number} withCountry={false} />}
      </span>
      <span className={styles.when}>{time}</span>
      <span className={styles.last}>
        {last ? `${last.direction === 'MT' ? 'You: ' : ''}${last.text}` : 'No messages'}
      </span>
      <CountBadge count={conversation.unread_count} label="unread" />
    </button>
  );
}
