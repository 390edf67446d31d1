import { TextInput } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { IconInbox, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { personName } from '../../channels/compose/person_name.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { formatDate, formatDay, formatTime } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from '../Inbox.module.css';
import type { Conversations } from './conversations.ts';
import { messagePreview } from './last_message.ts';

export interface ConversationListProps {
  list: Conversations;
  search: string;
  onSearch: (text: string) => void;
  openId: string | null;
  onOpen: (id: string) => void;
  /** Explains why the list is empty if the user has not searched. */
  emptyText: string;
  /** Links to other inboxes. */
  emptyAction?: ReactNode;
}

export function ConversationList({
  list,
  search,
  onSearch,
  openId,
  onOpen,
  emptyText,
  emptyAction,
}: ConversationListProps) {
  const zone = useZone();
  let group = '';
  return (
    <section className={styles.list} aria-label="Conversations">
      <div className={styles.listHead}>
        <TextInput
          type="search"
          aria-label="Search conversations"
          placeholder="Number or name"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </div>
      <div className={styles.listBody}>
        {list.loading && (
          <div className={styles.listBones} role="status" aria-label="Loading conversations">
            <SkeletonLines lines={9} />
          </div>
        )}
        {list.error && (
          <ErrorState title="The conversations could not be loaded" onRetry={list.retry}>
            {list.error.message}
          </ErrorState>
        )}
        {list.empty && (
          <EmptyState
            icon={IconInbox}
            title={search ? 'No conversations match this search' : 'No conversations yet'}
            action={search ? null : emptyAction}
          >
            {search ? 'Search by the start of a number or any part of a name.' : emptyText}
          </EmptyState>
        )}
        {list.conversations.map((conversation) => {
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
                onOpen={() => onOpen(conversation.id)}
                time={
                  label === 'Older'
                    ? formatDate(conversation.timestamp, zone)
                    : formatTime(conversation.timestamp, zone)
                }
              />
            </div>
          );
        })}
        {list.hasMore && <More loading={list.loadingMore} onReached={list.loadMore} />}
      </div>
      <p className={styles.keys}>
        <KeyHint keys={['J']} /> <KeyHint keys={['K']} /> move{' '}
        <span>
          <KeyHint keys={['R']} /> reply
        </span>{' '}
        <span>
          <KeyHint keys={['Esc']} /> close
        </span>
      </p>
    </section>
  );
}

function More({ loading, onReached }: { loading: boolean; onReached: () => void }) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const reached = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (reached && !loading) onReached();
  }, [reached, loading, onReached]);
  return (
    <div ref={ref} className={styles.listBones} role="status" aria-label="Loading older conversations">
      <SkeletonLines lines={3} />
    </div>
  );
}

interface RowProps {
  conversation: Conversation;
  open: boolean;
  onOpen: () => void;
  time: string;
}

function ConversationRow({ conversation, open, onOpen, time }: RowProps) {
  const { last_message: last } = conversation;
  const row = useRef<HTMLButtonElement>(null);
  // A conversation opened by a shortcut or link may be out of view.
  useEffect(() => {
    if (open) row.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <button
      ref={row}
      type="button"
      className={styles.conversation}
      data-unread={conversation.unread_count > 0 || undefined}
      aria-current={open || undefined}
      onClick={onOpen}
    >
      <ChannelMark channel={conversation.channel} iconOnly />
      <span className={styles.who}>
        {personName(conversation) || <PhoneNumber value={conversation.number} withCountry={false} />}
      </span>
      <span className={styles.when}>{time}</span>
      <span className={styles.last}>
        {last ? `${last.direction === 'MT' ? 'You: ' : ''}${messagePreview(last)}` : 'No messages'}
      </span>
      <CountBadge count={conversation.unread_count} label="unread" />
    </button>
  );
}
