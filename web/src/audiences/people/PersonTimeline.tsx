/** The history of a person on all channels, newest first, page by page. */
import { Anchor, Button, Select } from '@mantine/core';
import { conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import {
  listTimeline,
  type PersonTimelineEntry,
  type TimelineClick,
  type TimelineKind,
  type TimelineMessage,
} from '@parley/contract/people/timeline.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { type ApiError, type ApiResponse, call } from '../../kernel/http/client.ts';
import { queryKey } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, campaignPath, conversationPath, linkPath, linkToAddress, messagePath } from '../../paths.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Timeline, type TimelineEntry } from '../../ui/data/Timeline.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Audiences.module.css';
import { consentEntry } from './consent_words.tsx';

const PAGE_SIZE = 20;
const KINDS: { value: string; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'message', label: 'Messages' },
  { value: 'click', label: 'Link clicks' },
  { value: 'consent', label: 'Consents' },
  { value: 'note', label: 'Notes' },
];
const HIDDEN: Partial<Record<TimelineKind, string>> = {
  message: 'messages outside your conversations',
  click: 'link clicks',
  note: 'notes in other users’ conversations',
};

type Page = ApiResponse<typeof listTimeline> & { hidden: TimelineKind[] };

/** `id` is the ID of the person or the number. */
export function PersonTimeline({ id }: { id: string }) {
  const [kind, setKind] = useState('');
  const filter = kind === '' ? {} : { filter: { kinds: kind } };
  const query = useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], string | null>({
    queryKey: queryKey(listTimeline, { id, kind }),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => {
      const place = pageParam === null ? {} : { page_token: pageParam };
      const input = { params: { id }, query: { page_size: PAGE_SIZE, ...filter, ...place } };
      return call(listTimeline, input, { signal }) as Promise<Page>;
    },
    getNextPageParam: ({ pagination }) => nextToken(pagination.links.next),
  });
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="person-timeline" className={styles.timeline}>
      <div className={styles.sectionHead}>
        <h2 id="person-timeline" className={styles.rowsTitle}>
          Timeline
        </h2>
        <Select
          aria-label="Show in the timeline"
          size="xs"
          data={KINDS}
          value={kind}
          allowDeselect={false}
          onChange={(value) => setKind(value ?? '')}
        />
      </div>
      {query.error && !query.data ? (
        <ErrorState title="The timeline could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      ) : !query.data ? (
        <SkeletonLines lines={6} />
      ) : (
        <>
          <HiddenNote hidden={query.data.pages[0]!.hidden} />
          {entries.length === 0 ? (
            <p className={styles.cutNote}>
              {kind === ''
                ? 'No activity yet. Messages, clicks, consents, and notes appear here.'
                : 'No entries of this kind'}
            </p>
          ) : (
            <Entries entries={entries} />
          )}
          {query.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show earlier
            </Button>
          )}
        </>
      )}
    </section>
  );
}

const nextToken = (link: string | null | undefined): string | null =>
  link ? new URL(link, location.origin).searchParams.get('page_token') : null;

function HiddenNote({ hidden }: { hidden: readonly TimelineKind[] }) {
  const words = hidden.flatMap((kind) => HIDDEN[kind] ?? []);
  if (words.length === 0) return null;
  return <p className={styles.cutNote}>Your permissions hide {new Intl.ListFormat('en-US').format(words)}.</p>;
}

function Entries({ entries }: { entries: readonly PersonTimelineEntry[] }) {
  const { user } = useSession();
  const toInbox = (conversation_id: string, assignee_id: string | null) =>
    conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], conversation_id);
  return <Timeline label="Timeline" entries={entries.map((entry) => drawEntry(entry, toInbox))} />;
}

type Drawn = Omit<TimelineEntry, 'key' | 'at'>;
type ToInbox = (conversation_id: string, assignee_id: string | null) => string;

function drawEntry(entry: PersonTimelineEntry, toInbox: ToInbox): TimelineEntry {
  const { id, timestamp, message, click, consent, note } = entry;
  const base = { key: id, at: timestamp };
  if (message) return { ...base, ...drawMessage(message, toInbox) };
  if (click) return { ...base, ...drawClick(click) };
  if (consent) return { ...consentEntry(consent), key: id };
  if (note)
    return {
      ...base,
      title: 'Note',
      source: note.user_name ? `by ${note.user_name}` : undefined,
      detail: (
        <>
          <Text>{note.text}</Text>
          <Links links={[['Open conversation', toInbox(note.conversation_id, note.assignee_id)]]} />
        </>
      ),
    };
  return { ...base, title: 'Erasure requested', tone: 'wait' };
}

function drawMessage(message: TimelineMessage, toInbox: ToInbox): Drawn {
  const { id, channel, direction, status, status_details, sender, text, type, conversation_id } = message;
  const { campaign_id, campaign_name } = message;
  const isSent = direction === 'MT';
  const senderName = sender.name ?? (isSent ? message.from : message.to);
  const links: [string, string][] = [['Open message', messagePath(id)]];
  if (conversation_id) links.push(['Open conversation', toInbox(conversation_id, message.assignee_id)]);
  return {
    title: `${channelLabel(channel)} message ${isSent ? 'sent' : 'received'}`,
    tone: MESSAGE_STATUS[status].tone,
    source: (
      <>
        {isSent ? 'from' : 'to'} <bdi>{senderName}</bdi>
        {campaign_id && campaign_name && (
          <>
            {', campaign '}
            <Anchor
              component={Link}
              inherit
              className={styles.inText}
              {...linkToAddress(campaignPath({ channel, id: campaign_id }))}
            >
              <bdi>{campaign_name}</bdi>
            </Anchor>
          </>
        )}
      </>
    ),
    detail: (
      <>
        <Text>{text || `[${type}]`}</Text>
        <div className={styles.entryLinks}>
          <StatusBadge {...MESSAGE_STATUS[status]} reason={status_details} />
          <Links links={links} />
        </div>
      </>
    ),
  };
}

const CLICKS = { person: 'Link clicked', bot: 'Link opened by a bot', preview: 'Link previewed' } as const;

function drawClick(click: TimelineClick): Drawn {
  const { kind, device, campaign_name, url, link_id } = click;
  return {
    title: CLICKS[kind],
    tone: kind === 'person' ? 'ok' : 'off',
    source: (
      <>
        {device}
        {campaign_name && (
          <>
            {', campaign '}
            <bdi>{campaign_name}</bdi>
          </>
        )}
      </>
    ),
    detail: url && (
      <Anchor component={Link} inherit className={styles.inText} {...linkToAddress(linkPath(link_id))}>
        <bdi>{url}</bdi>
      </Anchor>
    ),
  };
}

const Text = ({ children }: { children: string }) => (
  <p className={styles.entryText} dir="auto">
    {children}
  </p>
);

const Links = ({ links }: { links: readonly (readonly [string, string])[] }) => (
  <>
    {links.map(([label, address]) => (
      <Anchor key={label} component={Link} inherit className={styles.inText} {...linkToAddress(address)}>
        {label}
      </Anchor>
    ))}
  </>
);
