import { Button } from '@mantine/core';
import type { ListedDraft } from '@parley/contract/inbox/drafts.ts';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import {
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { PersonName } from '../../channels/compose/PersonName.tsx';
import { personLabel } from '../../channels/compose/person_name.ts';
import type { SavedViews } from '../../kernel/list/views/saved_views.ts';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { Tick } from '../../ui/controls/Tick.tsx';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { formatDate, formatDay, formatTime } from '../../ui/data/format.ts';
import { type Selection, useSelection } from '../../ui/data/table/selection.ts';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from '../Inbox.module.css';
import { LabelMarks } from '../labels/LabelChips.tsx';
import { Waiting } from '../status/Waiting.tsx';
import { STATUS_LABELS } from '../status/words.ts';
import { ConversationBones } from './ConversationBones.tsx';
import type { Conversations } from './conversations.ts';
import found from './Found.module.css';
import { CLEARED, type InboxFilters } from './filters.ts';
import { ListFilters } from './ListFilters.tsx';
import { messagePreview } from './last_message.ts';
import { useListedDrafts } from './listed_drafts.ts';
import { useMeasured, useVisibleRows } from './visible_rows.ts';

const NoConversations = lazyPart(() => import('./NoConversations.tsx'));
const SearchResults = lazyPart(() => import('../search/SearchResults.tsx'));
const DueMark = lazyPart(() => import('../targets/DueMark.tsx'));
const ListBulk = lazyPart(() => import('./ListBulk.tsx'));

export interface ConversationListProps {
  list: Conversations;
  filters: InboxFilters;
  onFilters: (change: Partial<InboxFilters>) => void;
  isUnreadOnly: boolean;
  onUnreadOnly: (on: boolean) => void;
  views: SavedViews;
  openId: string | null;
  onOpen: (id: string) => void;
  /** The search whose results are listed, the open message or note, and a function that opens one. */
  search: { text: string; openText: string | null; onOpen: (conversation_id: string, text_id: string) => void };
  onRemove: (conversation: Conversation) => void;
  /** Explains why the list is empty if the user has not searched. */
  emptyText: string;
  /** Links to other inboxes. */
  emptyAction?: ReactNode;
}

export function ConversationList(props: ConversationListProps) {
  const { list, filters, onFilters, isUnreadOnly, onUnreadOnly, views, openId, onRemove } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const selection = useSelection(list.conversations, conversationKey, list.everything);
  const isSelecting = selection.all !== null || selection.rows.length > 0;
  // The part stays once it has been used, because it shows the progress of its jobs.
  const [hasSelected, setHasSelected] = useState(false);
  if (isSelecting && !hasSelected) setHasSelected(true);
  useShortcuts('Inbox', [
    {
      keys: 'X',
      label: 'Select conversation',
      run: () => openId !== null && selection.toggle(openId, !selection.has(openId)),
      when: () => openId !== null,
    },
  ]);
  return (
    <section className={styles.list} aria-label="Conversations">
      <ListFilters
        filters={filters}
        onChange={onFilters}
        isUnreadOnly={isUnreadOnly}
        onUnreadOnly={onUnreadOnly}
        views={views}
        filter={list.filter}
        hasTargets={list.conversations.some(({ clocks }) => clocks)}
      />
      {hasSelected && (
        <Suspense>
          <ListBulk selection={selection} everything={list.everything} onRemove={onRemove} />
        </Suspense>
      )}
      <div ref={scroller} className={styles.listBody} data-selecting={isSelecting || undefined}>
        <ListBody {...props} selection={selection} scroller={scroller} />
      </div>
      <p className={styles.keys}>
        <span>
          <KeyHint keys={['J']} /> <KeyHint keys={['K']} /> move
        </span>{' '}
        <span>
          <KeyHint keys={['R']} /> reply
        </span>{' '}
        <span>
          <KeyHint keys={['E']} /> close
        </span>{' '}
        <span>
          <KeyHint keys={['?']} /> all keys
        </span>
      </p>
    </section>
  );
}

type ListBodyProps = ConversationListProps & Pick<RowsProps, 'selection' | 'scroller'>;

/** The conversations. A search shows the first conversations, with other results below. */
function ListBody({ list, filters, isUnreadOnly, onFilters, search, emptyText, emptyAction, ...rest }: ListBodyProps) {
  const { openId, onOpen, selection, scroller } = rest;
  const isSearching = search.text !== '';
  // The search for which the user wants all conversations.
  const [showsAll, setShowsAll] = useState('');
  const isShortened = isSearching && showsAll !== search.text && list.conversations.length > FIRST_FOUND;
  const shown = useMemo(
    () => (isShortened ? { ...list, conversations: list.conversations.slice(0, FIRST_FOUND), hasMore: false } : list),
    [isShortened, list],
  );
  return (
    <>
      {list.loading && <ConversationBones label="Loading conversations" rows={8} />}
      {list.error && (
        <ErrorState title="The conversations could not be loaded" onRetry={list.retry}>
          {list.error.message}
        </ErrorState>
      )}
      {isSearching && (list.conversations.length > 0 || list.empty) && <h2 className={found.section}>Conversations</h2>}
      {list.empty && isSearching && <p className={found.noMatch}>No conversations match</p>}
      {list.empty && !isSearching && (
        <Suspense>
          <NoConversations
            filters={filters}
            isUnreadOnly={isUnreadOnly}
            emptyText={emptyText}
            emptyAction={emptyAction}
            onClear={() => onFilters(CLEARED)}
          />
        </Suspense>
      )}
      <Rows list={shown} openId={openId} onOpen={onOpen} selection={selection} scroller={scroller} />
      {isShortened && (
        <Button className={found.more} size="compact-xs" variant="subtle" onClick={() => setShowsAll(search.text)}>
          Show all conversations
        </Button>
      )}
      {isSearching && (
        <Suspense>
          <SearchResults {...search} />
        </Suspense>
      )}
    </>
  );
}

/** The conversations that a search shows above the messages. */
const FIRST_FOUND = 3;

const conversationKey = ({ id }: Conversation): string => id;

type RowsProps = Pick<ConversationListProps, 'list' | 'openId' | 'onOpen'> & {
  selection: Selection<Conversation>;
  scroller: RefObject<HTMLDivElement | null>;
};

const ROW_PX = 62;
const GROUP_PX = 34;
/** More conversations load when this many rows are left below. */
const LOAD_AHEAD = 15;

/** The conversations in view. The others are not rendered. */
function Rows({ list, openId, onOpen, selection, scroller }: RowsProps) {
  const { conversations, hasMore, loadingMore, loadMore } = list;
  const zone = useZone();
  const drafts = useListedDrafts();
  const rows = useMemo(() => withGroups(conversations, zone), [conversations, zone]);
  const rowHeight = useMeasured(scroller, `.${styles.conversation}`, ROW_PX);
  const groupHeight = useMeasured(scroller, `.${styles.group}`, GROUP_PX);
  const heights = useMemo(
    () => rows.map(({ group }) => rowHeight + (group ? groupHeight : 0)),
    [rows, rowHeight, groupHeight],
  );
  const { first, end, offset, height, scrollTo } = useVisibleRows(scroller, heights);
  const isNearEnd = rows.length > 0 && end >= rows.length - LOAD_AHEAD;
  useEffect(() => {
    if (hasMore && !loadingMore && isNearEnd) loadMore();
  }, [hasMore, loadingMore, isNearEnd, loadMore]);

  // A conversation opened by a shortcut or link may be out of view.
  const latest = useRef({ onOpen, toggle: selection.toggle });
  latest.current = { onOpen, toggle: selection.toggle };
  // These callbacks keep their identity, so that a click rerenders only the rows that change.
  const openOne = useCallback((id: string) => latest.current.onOpen(id), []);
  const selectOne = useCallback((id: string, on: boolean) => latest.current.toggle(id, on), []);
  const open = openId === null ? -1 : conversations.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (open >= 0) scrollTo(open);
  }, [open, scrollTo]);
  return (
    <>
      <div className={styles.rows} style={{ height }}>
        <div className={styles.shown} style={{ transform: `translateY(${offset}px)` }}>
          {rows.slice(first, end).map(({ conversation, group, time }) => {
            return (
              <div key={conversation.id} className={styles.item}>
                {group && <h2 className={styles.group}>{group}</h2>}
                <ConversationRow
                  conversation={conversation}
                  isSelected={selection.has(conversation.id)}
                  onSelect={selectOne}
                  open={conversation.id === openId}
                  onOpen={openOne}
                  time={time}
                  draft={drafts.get(conversation.id)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {hasMore && <ConversationBones label="Loading older conversations" rows={1} />}
    </>
  );
}

interface Row {
  conversation: Conversation;
  /** The heading above the first conversation of a group. */
  group: string | null;
  time: string;
}

function withGroups(conversations: readonly Conversation[], zone: string): Row[] {
  let last = '';
  return conversations.map((conversation) => {
    const day = formatDay(conversation.timestamp, zone);
    const label = day === 'Today' || day === 'Yesterday' ? day : 'Older';
    const group = label === last ? null : label;
    last = label;
    const time =
      label === 'Older' ? formatDate(conversation.timestamp, zone) : formatTime(conversation.timestamp, zone);
    return { conversation, group, time };
  });
}

interface RowProps {
  conversation: Conversation;
  isSelected: boolean;
  onSelect: (id: string, on: boolean) => void;
  open: boolean;
  onOpen: (id: string) => void;
  time: string;
  draft: ListedDraft | undefined;
}

const ConversationRow = memo(function ConversationRow(props: RowProps) {
  const { conversation, isSelected, onSelect, open, onOpen, time, draft } = props;
  const { last_message: last } = conversation;
  return (
    <div className={styles.line} data-selected={isSelected || undefined}>
      <span className={styles.pick}>
        <Tick
          aria-label={`Select ${personLabel(conversation)}`}
          checked={isSelected}
          onChange={(event) => onSelect(conversation.id, event.currentTarget.checked)}
        />
      </span>
      <button
        type="button"
        className={styles.conversation}
        data-unread={conversation.unread_count > 0 || undefined}
        aria-current={open || undefined}
        onClick={() => onOpen(conversation.id)}
      >
        <ChannelMark channel={conversation.channel} iconOnly />
        <span className={styles.rowPart}>
          <span className={styles.who}>
            <PersonName conversation={conversation} withCountry={false} />
          </span>
          <span className={styles.when}>
            <Urgency conversation={conversation} />
            {conversation.status !== 'open' && <span>{STATUS_LABELS[conversation.status]}</span>}
            {time}
          </span>
        </span>
        <span className={styles.rowPart}>
          <span className={styles.last}>
            {draft && !open ? (
              <>
                <span className={styles.draft}>{draft.kind === 'note' ? 'Draft note:' : 'Draft:'}</span>{' '}
                <bdi>{draft.text}</bdi>
              </>
            ) : last ? (
              <>
                {last.direction === 'MT' && 'You: '}
                <bdi>{messagePreview(last)}</bdi>
              </>
            ) : (
              'No messages'
            )}
          </span>
          <LabelMarks conversation={conversation} />
          <CountBadge count={conversation.unread_count} label="unread" />
        </span>
      </button>
    </div>
  );
});

/** When a target is due, or how long the contact has been waiting. */
function Urgency({ conversation }: { conversation: Conversation }) {
  const waiting = <Waiting since={conversation.waiting_since} brief />;
  if (!conversation.clocks) return waiting;
  return (
    <Suspense fallback={waiting}>
      <DueMark conversation={conversation} brief />
    </Suspense>
  );
}
