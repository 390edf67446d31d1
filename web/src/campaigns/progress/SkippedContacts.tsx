import { type Campaign, SKIP_REASONS } from '@parley/contract/campaigns/campaigns.ts';
import { listSkips, type SkippedContact } from '@parley/contract/campaigns/recipients.ts';
import { IconUsers } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { type List, useList } from '../../kernel/list/list.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Campaigns.module.css';
import { SKIP_LABELS } from '../labels.ts';
import AudienceButton from './AudienceButton.tsx';

const FILTERS = ['search', 'reason'] as const;
const COLUMNS: Column<SkippedContact>[] = [
  {
    key: 'contact',
    title: 'Contact',
    fixed: true,
    card: 'title',
    render: (row) =>
      row.number === null ? (
        'Deleted contact'
      ) : (
        <span className={styles.recipient}>
          {row.contact_name && <bdi className={styles.person}>{row.contact_name}</bdi>}
          <PhoneNumber value={row.number} />
        </span>
      ),
  },
  { key: 'reason', title: 'Reason', fixed: true, render: (row) => SKIP_LABELS[row.reason] },
];

interface SkippedContactsProps {
  campaign: Campaign;
  /** Lists the contacts that a cancellation left out, instead of those that were skipped. */
  isCanceled: boolean;
}

/** The contacts without a message, and why. A default export, because few campaigns skip contacts. */
export default function SkippedContacts({ campaign, isCanceled }: SkippedContactsProps) {
  const list: List<SkippedContact> = useList(listSkips, {
    filters: FILTERS,
    params: { id: campaign.id },
    toFilter: (filters) => (isCanceled ? { ...filters, reason: 'canceled' } : filters),
    subject: 'The skipped contacts',
  });
  const facets = [
    {
      key: 'reason',
      label: 'Reason',
      single: true,
      options: SKIP_REASONS.filter((reason) => reason !== 'removed' && reason !== 'canceled')
        .filter((reason) => campaign.skipped[reason])
        .map((reason) => ({ value: reason, label: SKIP_LABELS[reason] })),
    },
  ];
  return (
    <ListTable
      id="campaign_skips"
      label={isCanceled ? 'Contacts without a message' : 'Skipped contacts'}
      noun="contacts"
      list={list}
      search="Number or name"
      {...(isCanceled ? {} : { facets })}
      tools={
        <AudienceButton
          campaign={campaign}
          bucket={isCanceled ? 'unsent' : 'skipped'}
          filter={isCanceled ? { search: list.sentFilter.search } : list.sentFilter}
          isEmpty={list.rows?.length === 0}
        />
      }
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => row.contact_name || row.number || 'deleted contact'}
      empty={
        <EmptyState icon={IconUsers} title={isCanceled ? 'No contacts without a message' : 'No skipped contacts'}>
          Every contact got a message.
        </EmptyState>
      }
      emptyFiltered={
        <EmptyState icon={IconUsers} title="No contacts match these filters">
          Clear a filter or try another search.
        </EmptyState>
      }
    />
  );
}
