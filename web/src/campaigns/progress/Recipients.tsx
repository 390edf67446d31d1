import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { type CampaignRecipient, listRecipients, RESPONSES } from '@parley/contract/campaigns/recipients.ts';
import { BUCKET_LABELS, RECIPIENT_BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { getMessage } from '@parley/contract/messages/details.ts';
import { shownStatus } from '@parley/contract/messages/statuses.ts';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import type { List } from '../../kernel/list/list.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { useSpendColumns } from '../../kernel/list/spend_columns.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { Segments } from '../../ui/controls/Segments.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge, ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { OnceOpen } from '../../ui/feedback/OnceOpen.tsx';
import { Skeleton, SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { usePreload } from '../../ui/feedback/usePreload.ts';
import styles from '../Campaigns.module.css';
import { RESPONSE_LABELS } from '../labels.ts';
import { campaignTotals, countListedSkips } from './progress.ts';

const loadInspector = () => import('../../messages/MessageInspector.tsx');
const MessageInspector = lazyPart(loadInspector);
const AudienceButton = lazyPart(() => import('./AudienceButton.tsx'));
const SkippedContacts = lazyPart(() => import('./SkippedContacts.tsx'));

export type Bucket = (typeof RECIPIENT_BUCKETS)[number];
const FILTERS = ['search', 'bucket', 'response'] as const;
const FACETS = [
  {
    key: 'response',
    label: 'Response',
    single: true,
    options: RESPONSES.map((value) => ({ value, label: RESPONSE_LABELS[value] })),
  },
];

const COLUMNS: Column<CampaignRecipient>[] = [
  {
    key: 'recipient',
    title: 'Recipient',
    fixed: true,
    render: (row) => (
      <span className={styles.recipient}>
        {row.contact_name && <bdi className={styles.person}>{row.contact_name}</bdi>}
        <PhoneNumber value={row.to} />
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...shownStatus(row)} reason={row.status_details} />,
  },
  {
    key: 'response',
    title: 'Response',
    narrow: false,
    render: (row) => <Response row={row} />,
  },
  {
    key: 'text',
    title: 'Text',
    card: 'subtitle',
    renderCard: (row) => row.text,
    narrow: false,
    render: (row) => <bdi className={styles.cut}>{row.text}</bdi>,
  },
  {
    key: 'segments',
    title: 'Segments',
    card: 'hidden',
    align: 'end',
    narrow: false,
    render: (row) => row.segments_count,
  },
  moneyColumn({
    key: 'price',
    title: 'Price',
    narrow: false,
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
    exact: true,
  }),
  {
    key: 'network',
    title: 'Network',
    narrow: false,
    hidden: true,
    render: (row) => row.network ?? row.mccmnc ?? '\u2013',
  },
  { key: 'updated', title: 'Updated', narrow: false, render: (row) => <DateTime value={row.update_date} /> },
];

/** A bucket of messages, or the contacts without one. */
type Shown = Bucket | 'skipped' | 'unsent';
const isMessages = (shown: Shown): shown is Bucket => shown !== 'skipped' && shown !== 'unsent';

/** The recipients with a message, or the contacts without one. A default export, because it is loaded with the page. */
export default function Recipients({ campaign }: { campaign: Campaign }) {
  const { bucket: shown = 'all' } = useSearch({ strict: false }) as { bucket?: Shown };
  const navigate = useNavigate();
  const skipped = campaign.lists_skips ? countListedSkips(campaign) : 0;
  const unsent = campaign.lists_canceled ? (campaign.skipped.canceled ?? 0) : 0;
  const choices: Shown[] = RECIPIENT_BUCKETS.filter(
    (one) => one === 'all' || one === shown || countInBucket(campaign, one) > 0,
  );
  if (skipped > 0 || shown === 'skipped') choices.push('skipped');
  if (unsent > 0 || shown === 'unsent') choices.push('unsent');
  return (
    <section aria-label="Recipients">
      <div className={styles.recipientsHead}>
        <h2>Recipients</h2>
      </div>
      <Segments
        className={styles.buckets}
        aria-label="Recipients by outcome"
        value={shown}
        onChange={(value) => {
          const search = value === 'all' ? {} : { bucket: value };
          void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
        }}
        data={choices.map((one) => ({
          value: one,
          label: isMessages(one)
            ? `${BUCKET_LABELS[one]} ${formatNumber(countInBucket(campaign, one))}`
            : one === 'skipped'
              ? `Skipped ${formatNumber(skipped)}`
              : `Never started ${formatNumber(unsent)}`,
        }))}
      />
      {isMessages(shown) ? (
        <MessageRecipients campaign={campaign} bucket={shown} />
      ) : (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <SkippedContacts key={shown} campaign={campaign} isCanceled={shown === 'unsent'} />
        </Suspense>
      )}
    </section>
  );
}

function MessageRecipients({ campaign, bucket }: { campaign: Campaign; bucket: Bucket }) {
  const panel = usePanel('message');
  // The click marks the row immediately, and the panel follows.
  const shownId = useDeferredValue(panel.id);
  usePreload(loadInspector);
  const canInspect = useReason(getMessage.needs) === null;
  const list: List<CampaignRecipient> = useList(listRecipients, {
    filters: FILTERS,
    params: { id: campaign.id },
    subject: 'The recipients',
  });
  const columns = useSpendColumns(COLUMNS, 'price');
  return (
    <>
      <ListTable
        id="campaign_recipients"
        label="Recipients"
        noun="recipients"
        list={list}
        search="Number or name"
        facets={FACETS}
        tools={
          <>
            <Suspense fallback={<Skeleton width={160} height={36} />}>
              <AudienceButton
                campaign={campaign}
                bucket={bucket}
                filter={list.sentFilter}
                isEmpty={list.rows?.length === 0}
              />
            </Suspense>
            <ExportMenu
              name="campaign_recipients"
              list={list}
              table="campaign_recipients"
              columns={columns}
              params={{ id: campaign.id }}
            />
          </>
        }
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.contact_name || row.to}
        {...(canInspect ? { onOpen: (row: CampaignRecipient) => panel.open(row.id), openKey: panel.id } : {})}
        empty={
          <EmptyState icon={IconUsers} title="No recipients yet">
            Recipients appear here as their messages are created.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconUsers} title="No recipients match these filters">
            Clear a filter or try another search.
          </EmptyState>
        }
      />
      {canInspect && (
        <OnceOpen open={panel.id !== null} onClose={panel.close}>
          <MessageInspector id={shownId} onClose={panel.close} />
        </OnceOpen>
      )}
    </>
  );
}

function Response({ row }: { row: CampaignRecipient }) {
  if (!row.reply_date && !row.opted_out) return '\u2013';
  return (
    <span className={styles.response}>
      {row.reply_date && (
        <span>
          Replied <DateTime value={row.reply_date} />
        </span>
      )}
      {row.opted_out && <ToneBadge tone="fail">Opted out</ToneBadge>}
    </span>
  );
}

/** Counts only recipients that have a message. */
function countInBucket(campaign: Campaign, bucket: Bucket): number {
  const { delivered, sent, failed } = campaignTotals(campaign);
  const { enroute: waiting, canceled } = campaign.counts;
  if (bucket === 'all') return campaign.fanned_out;
  return { waiting, delivered, sent, failed, canceled }[bucket];
}
