import { INBOX_CHANNELS } from '@parley/contract/channels/names.ts';
import { getBadges, listInboxSenders } from '@parley/contract/inbox/inbox.ts';
import { listLabels } from '@parley/contract/inbox/labels.ts';
import { CONVERSATION_STATUSES } from '@parley/contract/inbox/statuses.ts';
import { DUE_STATES } from '@parley/contract/inbox/targets.ts';
import { Suspense } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import type { SavedViews } from '../../kernel/list/views/saved_views.ts';
import { ViewsMenu } from '../../kernel/list/views/ViewsMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import { Tick } from '../../ui/controls/Tick.tsx';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import styles from '../Inbox.module.css';
import { STATUS_LABELS } from '../status/words.ts';
import type { Conversations } from './conversations.ts';
import found from './Found.module.css';
import type { InboxFilters } from './filters.ts';

interface ListFiltersProps {
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  isUnreadOnly: boolean;
  onUnreadOnly: (on: boolean) => void;
  views: SavedViews;
  /** The filter of the list, for exports. */
  filter: Conversations['filter'];
  /** True if listed conversations have targets. */
  hasTargets: boolean;
}

const ExportMenu = lazyPart(() =>
  import('../../exports/ExportMenu.tsx').then((part) => ({ default: part.ExportMenu })),
);

const CHANNEL_OPTIONS = [
  { value: '', label: 'All Channels' },
  ...INBOX_CHANNELS.map((name) => ({ value: name as string, label: channelLabel(name) })),
];

const STATUS_OPTIONS = [
  ...CONVERSATION_STATUSES.map((value) => ({ value: value as string, label: STATUS_LABELS[value] })),
  { value: '', label: 'All statuses' },
];

const DUE_OPTIONS = [
  { value: '', label: 'Any due time' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'soon', label: 'Due within an hour' },
];

export function ListFilters({
  filters,
  onChange,
  isUnreadOnly,
  onUnreadOnly,
  views,
  filter,
  hasTargets,
}: ListFiltersProps) {
  const senders = useEndpoint(listInboxSenders).data?.data ?? [];
  const mentions = useEndpoint(getBadges).data?.data.mentions ?? 0;
  const { channel, sender_id } = filters;
  const options = senders.filter((sender) => channel === null || sender.channel === channel);
  return (
    <div className={styles.listHead}>
      <div className={found.searchLine}>
        <SearchInput
          aria-label="Search the inbox"
          placeholder="Search"
          value={filters.search}
          onChange={(event) => onChange({ search: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          dir="auto"
        />
        <ViewsMenu views={views} noun="conversations" />
        <ExportButton filter={filter} />
      </div>
      <div className={styles.selects}>
        <SmallSelect
          aria-label="Channel"
          value={channel ?? ''}
          data={CHANNEL_OPTIONS}
          onChange={(value) => {
            const next = INBOX_CHANNELS.find((name) => name === value) ?? null;
            // A sender belongs to one channel.
            const kept = next === null || senders.some((one) => one.value === sender_id && one.channel === next);
            onChange({ channel: next, ...(kept ? {} : { sender_id: null }) });
          }}
        />
        <SmallSelect
          aria-label="Sender"
          value={sender_id ?? ''}
          data={[
            { value: '', label: 'All Senders' },
            ...options.map(({ value, label, channel: name }) => ({ value, label: `${label} (${channelLabel(name)})` })),
          ]}
          onChange={(value) => onChange({ sender_id: value || null })}
        />
      </div>
      <StateFilters filters={filters} onChange={onChange} hasTargets={hasTargets} />
      <div className={styles.ticks}>
        <Tick label="Unread only" checked={isUnreadOnly} onChange={() => onUnreadOnly(!isUnreadOnly)} />
        <Tick
          label={
            <>
              Mentions me <CountBadge count={mentions} label="unread" />
            </>
          }
          checked={filters.mentioned}
          // Mentions can be in conversations of any status.
          onChange={() => onChange({ mentioned: !filters.mentioned, status: filters.mentioned ? 'open' : null })}
        />
      </div>
    </div>
  );
}

type StateFiltersProps = Pick<ListFiltersProps, 'filters' | 'onChange' | 'hasTargets'>;

function StateFilters({ filters, onChange, hasTargets }: StateFiltersProps) {
  const { data } = useEndpoint(listLabels);
  const labels = data?.data ?? [];
  const { label_id } = filters;
  const isDeleted = data !== undefined && label_id !== null && !labels.some(({ id }) => id === label_id);
  return (
    <div className={styles.selects}>
      <SmallSelect
        aria-label="Status"
        value={filters.status ?? ''}
        data={STATUS_OPTIONS}
        onChange={(value) => onChange({ status: CONVERSATION_STATUSES.find((one) => one === value) ?? null })}
      />
      <SmallSelect
        aria-label="Label"
        value={label_id ?? ''}
        data={[
          { value: '', label: 'All labels' },
          ...labels.map(({ id, name }) => ({ value: id, label: name })),
          ...(isDeleted ? [{ value: label_id, label: 'Deleted label' }] : []),
        ]}
        onChange={(value) => onChange({ label_id: value || null })}
      />
      {(hasTargets || filters.due !== null) && (
        <SmallSelect
          aria-label="Targets"
          value={filters.due ?? ''}
          data={DUE_OPTIONS}
          onChange={(value) => onChange({ due: DUE_STATES.find((one) => one === value) ?? null })}
        />
      )}
    </div>
  );
}

/** Loaded after the list, with its place reserved. */
function ExportButton({ filter }: Pick<ListFiltersProps, 'filter'>) {
  return (
    <span className={found.export}>
      <Suspense>
        <ExportMenu name="conversations" list={{ sentFilter: filter, sort: null }} table="inbox" columns={[]} isBrief />
      </Suspense>
    </span>
  );
}
