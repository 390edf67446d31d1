import { Button, Loader } from '@mantine/core';
import { type Conversation, readConversation } from '@parley/contract/inbox.ts';
import { createMessage } from '@parley/contract/messages.ts';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../kernel/client.ts';
import { useReason } from '../kernel/session.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { instant } from '../ui/format.ts';
import { BoneLines } from '../ui/Skeletons.tsx';
import { useZone } from '../ui/zone.ts';
import { Bubble, DraftBubble } from './Bubble.tsx';
import { type Row, rowsOf } from './rows.ts';
import styles from './Thread.module.css';
import type { Thread } from './thread.ts';

/** Further from the end than this, and a way down is offered. */
const NEAR_END_PX = 100;

export function ThreadView({ conversation, thread }: { conversation: Conversation; thread: Thread }) {
  const zone = useZone();
  const scroller = useRef<HTMLDivElement>(null);
  const maySend = useReason(createMessage.needs) === null && !conversation.stopped;
  const [atEnd, setAtEnd] = useState(true);
  const readUntil = useDivider(conversation, atEnd);
  const rows = useMemo(() => rowsOf(thread, zone, readUntil), [thread, zone, readUntil]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'message' ? 64 : 36),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
  });

  // Our own message always comes into view; somebody else's only when the end was in view already.
  const drafts = thread.drafts.length;
  useEffect(() => {
    if (drafts > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [drafts, virtual, rows.length]);
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current || thread.loading || rows.length === 0) return;
    opened.current = true;
    virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows.length, thread.loading, virtual]);

  useReadPointer(conversation, atEnd && !thread.loading);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END_PX);
    if (element.scrollTop < 200 && thread.hasOlder && !thread.loadingOlder && opened.current) thread.loadOlder();
  };

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
        <BoneLines lines={6} />
      </div>
    );
  return (
    <div className={styles.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} onScroll={onScroll} tabIndex={0} aria-label="Messages">
        {thread.loadingOlder && (
          <div className={styles.older}>
            <Loader size={16} aria-label="Loading older messages" />
          </div>
        )}
        <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={virtual.measureElement}
                className={styles.item}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView row={row} thread={thread} maySend={maySend} />
              </div>
            );
          })}
        </div>
      </section>
      <p className={styles.heard} aria-live="polite">
        {thread.messages.findLast(({ direction }) => direction === 'MO')?.text}
      </p>
      {!atEnd && (
        <Button
          className={styles.down}
          size="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={() => virtual.scrollToIndex(rows.length - 1, { align: 'end' })}
        >
          {conversation.unread_count > 0 ? `${conversation.unread_count} new` : 'Latest'}
        </Button>
      )}
    </div>
  );
}

function RowView({ row, thread, maySend }: { row: Row; thread: Thread; maySend: boolean }) {
  if (row.kind === 'start') return <p className={styles.start}>This is the beginning of the conversation</p>;
  if (row.kind === 'day') return <p className={styles.day}>{row.label}</p>;
  if (row.kind === 'new') return <p className={styles.new}>New messages</p>;
  if (row.kind === 'draft')
    return (
      <DraftBubble
        draft={row.draft}
        onRetry={() => thread.sendAgain(row.draft)}
        onDiscard={() => thread.discard(row.draft)}
      />
    );
  return <Bubble message={row.message} onSendAgain={maySend ? () => thread.send(row.message.text) : null} />;
}

/**
 * From when on messages are new. It stays where it was when the conversation was opened, also while they are read; one that arrives while
 * nobody looks at the end of the thread sets it again.
 */
function useDivider({ unread_count, last_read_timestamp }: Conversation, atEnd: boolean): number {
  const first = unread_count === 0 ? Number.POSITIVE_INFINITY : afterPointer(last_read_timestamp);
  const [readUntil, setReadUntil] = useState(first);
  const looking = atEnd && document.visibilityState === 'visible';
  if (readUntil === Number.POSITIVE_INFINITY && unread_count > 0 && !looking) setReadUntil(first);
  return readUntil;
}

/** The pointer is told in whole seconds. */
const afterPointer = (pointer: string | null): number => (pointer ? instant(pointer).getTime() + 999 : 0);

/** Read is what was in view, on a page that was in front. */
function useReadPointer(conversation: Conversation, inView: boolean): void {
  const { id, unread_count } = conversation;
  useEffect(() => {
    if (!inView || unread_count === 0) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      // Our clock may be wrong; the server caps it at its own.
      const last_read_timestamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
      call(readConversation, { params: { id }, body: { last_read_timestamp } }).catch(() => {});
    };
    const timer = setTimeout(read, 100);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [id, unread_count, inView]);
}
