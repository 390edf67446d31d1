import { Button, Loader } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import {
  type Conversation,
  type ConversationMessage,
  getBadges,
  updateConversation,
} from '@parley/contract/inbox/inbox.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { IconArrowDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { memo, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatExact, formatTime, instant } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { showAsRead } from '../list/read_mark.ts';
import { NoteCard } from '../notes/NoteCard.tsx';
import { Bubble, DraftBubble } from './Bubble.tsx';
import { useJump } from './jump.ts';
import { type NoteRow, type Row, toRows } from './rows.ts';
import { TOP_PX, useThreadScroll } from './scroll.ts';
import styles from './Thread.module.css';
import type { Thread } from './thread.ts';

interface ThreadViewProps {
  conversation: Conversation;
  thread: Thread;
  /** The message or note to show. */
  target?: string | null;
}

export function ThreadView({ conversation, thread, target = null }: ThreadViewProps) {
  const zone = useZone();
  const canSend = useReason(createMessage.needs) === null && !conversation.stopped;
  const { hasOlder, loadingOlder, loadOlder } = thread;
  const [atEnd, setAtEnd] = useState(false);
  const readUntil = useDivider(conversation, atEnd);
  const rows = useMemo(() => toRows(thread, zone, readUntil), [thread, zone, readUntil]);
  const { scroller, virtual, toEnd, toRow, onScroll } = useThreadScroll({
    ready: !thread.loading && !thread.error,
    rows,
    own: thread.drafts.at(-1)?.key ?? '',
    onTop: () => hasOlder && !loadingOlder && loadOlder(),
    onEnd: setAtEnd,
  });
  const highlighted = useJump(target, thread, rows, toRow);
  useReadPointer(conversation, atEnd);
  useSeen(conversation, thread);

  if (thread.error)
    return (
      <div className={styles.center}>
        <ErrorState title="The messages could not be loaded" onRetry={thread.retry}>
          {thread.error.message}
        </ErrorState>
      </div>
    );
  if (thread.loading)
    return (
      <div className={styles.bones} role="status" aria-label="Loading messages">
        <SkeletonLines lines={6} />
      </div>
    );
  const items = virtual.getVirtualItems();
  return (
    <div className={styles.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} onScroll={onScroll} tabIndex={0} aria-label="Messages">
        <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          <div className={styles.top} style={{ height: TOP_PX }}>
            {!hasOlder ? (
              'This is the beginning of the conversation'
            ) : loadingOlder ? (
              <Loader size={16} aria-label="Loading older messages" />
            ) : (
              <Button size="compact-xs" variant="subtle" onClick={() => loadOlder()}>
                Load older messages
              </Button>
            )}
          </div>
          <div className={styles.shown} style={{ transform: `translateY(${items[0]?.start ?? TOP_PX}px)` }}>
            {items.map(({ index, key }) => (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-found={key === highlighted || undefined}
                className={styles.item}
              >
                <RowView row={rows[index]!} thread={thread} canSend={canSend} conversation={conversation} />
              </div>
            ))}
          </div>
        </div>
      </section>
      <p className={styles.announced} aria-live="polite" dir="auto">
        {thread.messages.findLast(({ direction }) => direction === 'MO')?.text}
      </p>
      {!atEnd && (
        <Button className={styles.down} size="xs" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={toEnd}>
          {conversation.unread_count > 0 ? `${conversation.unread_count} new` : 'Latest'}
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  row: Row;
  thread: Thread;
  canSend: boolean;
  conversation: Conversation;
}

const BubbleActions = lazyPart(() => import('./BubbleActions.tsx'));

/** Only messages that the carrier has can be quoted. */
const hasActions = ({ direction, status, marks }: ConversationMessage): boolean =>
  !marks?.deleted && (direction === 'MO' || status === 'sent' || status === 'delivered' || status === 'read');

/** While the user scrolls, only new rows are rendered. */
const RowView = memo(function RowView({ row, thread, canSend, conversation }: RowProps) {
  const { id, channel } = conversation;
  if (row.kind === 'draft')
    return (
      <DraftBubble
        draft={row.draft}
        channel={channel}
        quoted={findMessage(row.draft.body.reply_to, thread)}
        onRetry={() => thread.sendAgain(row.draft)}
        onDiscard={() => thread.discard(row.draft)}
      />
    );
  if (row.kind === 'note') return <NoteLine note={row} />;
  if (row.kind === 'team_note') return <NoteCard note={row.note} />;
  return (
    <>
      {row.day && <p className={styles.day}>{row.day}</p>}
      {row.isNew && <p className={styles.new}>New messages</p>}
      <Bubble
        row={row}
        conversation_id={id}
        quoted={findMessage(row.message.content?.answers, thread)}
        actions={
          canSend &&
          channelRules(channel).quotes &&
          hasActions(row.message) && (
            <Suspense>
              <BubbleActions message={row.message} conversation={conversation} />
            </Suspense>
          )
        }
        onSendAgain={canSend ? () => thread.resend(row.message) : null}
      />
    </>
  );
});

const findMessage = (id: string | null | undefined, { messages }: Thread) =>
  id ? messages.find((message) => message.id === id) : undefined;

function NoteLine({ note }: { note: NoteRow }) {
  const zone = useZone();
  return (
    <p className={styles.note}>
      <bdi>{note.text}</bdi> ·{' '}
      <Tooltip label={formatExact(note.at, zone)}>
        <time dateTime={note.at}>{formatTime(note.at, zone)}</time>
      </Tooltip>
    </p>
  );
}

/**
 * The time after which messages count as new. It keeps its value while the user reads. It is reset when a message
 * arrives while the end of the thread is not in view.
 */
function useDivider({ unread_count, last_read_timestamp }: Conversation, atEnd: boolean): number {
  const first = unread_count === 0 ? Number.POSITIVE_INFINITY : afterPointer(last_read_timestamp);
  const [readUntil, setReadUntil] = useState(first);
  const isReading = atEnd && document.visibilityState === 'visible';
  if (readUntil === Number.POSITIVE_INFINITY && unread_count > 0 && !isReading) setReadUntil(first);
  return readUntil;
}

/** The read pointer has a resolution of one second, so messages from the same second count as read. */
const afterPointer = (pointer: string | null): number => (pointer ? instant(pointer).getTime() + 999 : 0);

const READ_AFTER_MS = 100;
const RETRY_MS = 3_000;
const UNREAD_MODULES = ['conversations', 'conversation_badges'];

/** Marks the conversation read while its end is in view and the page is visible. */
function useReadPointer(conversation: Conversation, inView: boolean): void {
  const { id, unread_count } = conversation;
  const client = useQueryClient();
  const { user } = useSession();
  const latest = useRef(conversation);
  useEffect(() => {
    latest.current = conversation;
  });
  useEffect(() => {
    if (!inView || unread_count === 0) return;
    const read = () => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      // The browser clock may be wrong, so the server caps the value at its own time.
      const last_read_timestamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
      showAsRead(client, latest.current, user.id);
      // If it failed, the conversation becomes unread again, which starts the next attempt.
      call(updateConversation, { params: { id }, body: { last_read_timestamp } }).catch(() =>
        setTimeout(
          () => void Promise.all(UNREAD_MODULES.map((module) => client.invalidateQueries({ queryKey: [module] }))),
          RETRY_MS,
        ),
      );
    };
    const timer = setTimeout(read, READ_AFTER_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [id, unread_count, inView, client, user.id]);
}

/** Reports to the server that the user has opened a conversation that is assigned to the user or mentions the user. */
function useSeen({ id }: Conversation, { assignments, entries }: Thread): void {
  const { user } = useSession();
  const hasMentions = (useEndpoint(getBadges).data?.data.mentions ?? 0) > 0;
  const latest = assignments.at(-1);
  const isNew = latest !== undefined && latest.to?.id === user.id && !latest.seen_by_assignee;
  const assigned = isNew ? latest.id : null;
  const mention = hasMentions
    ? (entries.findLast(({ mentions }) => mentions.some((one) => one.id === user.id))?.id ?? null)
    : null;
  useEffect(() => {
    if (assigned === null && mention === null) return;
    call(updateConversation, { params: { id }, body: { seen: true } }).catch(() => {});
  }, [id, assigned, mention]);
}
