/**
 * The results of a search besides conversations: messages, notes, and people. A default export, because it loads with
 * the first search.
 */
import { Button } from '@mantine/core';
import { type FoundText, searchTexts, type TextKind } from '@parley/contract/inbox/text_search.ts';
import { permits } from '@parley/contract/permission.ts';
import { listSearchResults, MIN_SEARCH } from '@parley/contract/search/search.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect } from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { PersonName } from '../../channels/compose/PersonName.tsx';
import { type ApiError, type ApiResponse, call } from '../../kernel/http/client.ts';
import { queryKey, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { contactPath } from '../../paths.ts';
import { formatDate, formatDay, formatExact, formatTime } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from './Search.module.css';

/** The results of each section before the user asks for more. */
const SHOWN = 20;
const FRESH_MS = 5_000;
/** How many pages of older texts a search reads automatically while it finds nothing. */
const PAGES_UNASKED = 10;
const FAILURES: Readonly<Record<TextKind, string>> = {
  message: 'Could not search messages',
  note: 'Could not search notes',
};

interface SearchResultsProps {
  text: string;
  openText: string | null;
  onOpen: (conversation_id: string, text_id: string) => void;
}

export default function SearchResults({ text, openText, onOpen }: SearchResultsProps) {
  return (
    <>
      <Texts kind="message" title="Messages" text={text} openText={openText} onOpen={onOpen} />
      <Texts kind="note" title="Notes" text={text} openText={openText} onOpen={onOpen} />
      <People text={text} />
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    // The open conversation has the landmark "Messages".
    <section aria-label={`Found ${title.toLowerCase()}`} className={styles.section}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

type Page = ApiResponse<typeof searchTexts>;

function Texts({ kind, title, text, openText, onOpen }: SearchResultsProps & { kind: TextKind; title: string }) {
  const query = useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], string | null>({
    queryKey: queryKey(searchTexts, { text, kind }),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      call(searchTexts, { query: { text, kind, ...(pageParam ? { page_token: pageParam } : {}) } }, { signal }),
    getNextPageParam: ({ data }) => data.next,
    staleTime: FRESH_MS,
  });
  const found = query.data?.pages.flatMap(({ data }) => data.results) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isEmpty = query.data !== undefined && found.length === 0;
  const continues = isEmpty && hasNextPage && !isError && query.data.pages.length < PAGES_UNASKED;
  useEffect(() => {
    if (continues && !isFetching) void fetchNextPage();
  }, [continues, isFetching, fetchNextPage]);
  return (
    <Section title={title}>
      {(query.isPending || continues) && (
        <div className={styles.bones} role="status" aria-label={`Searching ${title.toLowerCase()}`}>
          <SkeletonLines lines={2} />
        </div>
      )}
      {query.error && !query.data && (
        <ErrorState title={FAILURES[kind]} onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      )}
      {found.map((row) => (
        <TextRow key={row.id} found={row} open={row.id === openText} onOpen={onOpen} />
      ))}
      {isEmpty && !continues && (
        <p className={styles.none}>
          {hasNextPage ? `No recent ${title.toLowerCase()} match` : `No ${title.toLowerCase()} match`}
        </p>
      )}
      {hasNextPage && !continues && (
        <Button
          className={styles.more}
          size="compact-xs"
          variant="subtle"
          loading={query.isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Search older {title.toLowerCase()}
        </Button>
      )}
    </Section>
  );
}

interface TextRowProps extends Pick<SearchResultsProps, 'onOpen'> {
  found: FoundText;
  open: boolean;
}

function TextRow({ found, open, onOpen }: TextRowProps) {
  const { id, conversation, direction, user_name, snippet, timestamp } = found;
  const zone = useZone();
  const author = direction === 'MO' ? null : (user_name ?? (direction === 'MT' ? 'You' : null));
  return (
    <button
      type="button"
      className={styles.row}
      aria-current={open || undefined}
      onClick={() => onOpen(conversation.id, id)}
    >
      <ChannelMark channel={conversation.channel} iconOnly />
      <span className={styles.head}>
        <span className={styles.who}>
          <PersonName conversation={conversation} withCountry={false} />
        </span>
        <time className={styles.when} dateTime={timestamp} title={formatExact(timestamp, zone)}>
          {formatDay(timestamp, zone) === 'Today' ? formatTime(timestamp, zone) : formatDate(timestamp, zone)}
        </time>
      </span>
      <span className={styles.snippet}>
        {author && (
          <>
            <bdi>{author}</bdi>:{' '}
          </>
        )}
        <bdi>
          {snippet.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a snippet never change their order
            <Fragment key={index}>{part.match ? <mark>{part.text}</mark> : part.text}</Fragment>
          ))}
        </bdi>
      </span>
    </button>
  );
}

function People({ text }: { text: string }) {
  const { permissions } = useSession();
  const mayView = permits(permissions, 'AUDIENCES:view');
  const query = useEndpoint(
    listSearchResults,
    { query: { text } },
    { enabled: mayView && text.length >= MIN_SEARCH, staleTime: FRESH_MS },
  );
  const people = (query.data?.data ?? []).filter(({ kind }) => kind === 'contact').slice(0, SHOWN);
  if (!mayView || text.length < MIN_SEARCH) return null;
  return (
    <Section title="People">
      {query.isPending && (
        <div className={styles.bones} role="status" aria-label="Searching people">
          <SkeletonLines lines={2} />
        </div>
      )}
      {query.error && !query.data && (
        <ErrorState title="Could not search people" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      )}
      {people.map(({ id, title, number, audience_id }) => (
        <Link key={id} className={styles.person} to={contactPath(audience_id ?? '', id, number ?? '') as never}>
          <bdi className={styles.who}>{title.startsWith('+') ? <PhoneNumber value={title.slice(1)} /> : title}</bdi>
          {!title.startsWith('+') && number && <PhoneNumber value={number} />}
        </Link>
      ))}
      {query.data && people.length === 0 && <p className={styles.none}>No people match</p>}
    </Section>
  );
}
