import { Button } from '@mantine/core';
import { VERIFICATION_STATUS, VERIFICATION_STATUSES } from '@parley/contract/verifications/statuses.ts';
import { listSentCodes, type SentCode } from '@parley/contract/verifications/verifications.ts';
import { IconShieldCheck } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { messagePath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import type { Facet } from '../ui/data/filter/FilterBar.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { countryName, countryOptions } from '../ui/form/countries.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import ConversionPart from './ConversionPart.tsx';
import { StopsPart } from './StopsPart.tsx';
import styles from './Verifications.module.css';

const ProtectionDialog = lazyPart(() => import('./ProtectionDialog.tsx'));
const FILTERS = ['search', 'statuses', 'countries'] as const;
const FACETS: Facet[] = [
  {
    key: 'statuses',
    label: 'Status',
    options: VERIFICATION_STATUSES.map((value) => ({ value, label: VERIFICATION_STATUS[value].label })),
  },
  { key: 'countries', label: 'Country', options: countryOptions() },
];

const toFilter = ({ search, ...rest }: Record<string, string>) => ({ ...rest, ...(search ? { phone: search } : {}) });

const COLUMNS: Column<SentCode>[] = [
  { key: 'phone', title: 'Phone', fixed: true, card: 'title', render: (row) => <PhoneNumber value={row.phone} /> },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: (row) => <StatusBadge {...VERIFICATION_STATUS[row.status]} />,
  },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => <ChannelMark channel={row.channel} /> },
  { key: 'country', title: 'Country', narrow: false, width: '100%', render: (row) => countryName(row.country) },
  { key: 'attempts', title: 'Attempts', align: 'end', narrow: false, render: (row) => row.attempts },
  { key: 'sent', title: 'Sent', card: 'subtitle', render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'message',
    title: 'Message',
    narrow: false,
    render: (row) => (
      <Figure href={messagePath(row.message_id)} label={`Open the message to +${row.phone}`}>
        Open
      </Figure>
    ),
  },
];

export default function VerificationsPage() {
  const list = useList(listSentCodes, { filters: FILTERS, subject: 'The codes', toFilter });
  const [isProtecting, setProtecting] = useState(false);
  return (
    <>
      <PageHeader
        title="Verifications"
        description="One-time codes that verify your users’ phone numbers."
        secondary={
          <Button variant="default" onClick={() => setProtecting(true)}>
            Fraud protection
          </Button>
        }
      />
      {isProtecting && (
        <Suspense>
          <ProtectionDialog onClose={() => setProtecting(false)} />
        </Suspense>
      )}
      <div className={styles.root}>
        <StopsPart />
        <ConversionPart />
        <section className={styles.section} aria-label="Codes">
          <h2 className={styles.heading}>Codes from the last 30 days</h2>
          <ListTable
            id="verifications"
            label="Codes"
            noun="codes"
            list={list}
            search="Search by phone number"
            facets={FACETS}
            columns={COLUMNS}
            rowKey={(row) => row.id}
            rowName={(row) => `+${row.phone}`}
            empty={
              <EmptyState icon={IconShieldCheck} title="No codes yet">
                Send a code with <code>POST /v1/verifications</code> and check what your user enters with{' '}
                <code>GET /v1/verifications</code>.
              </EmptyState>
            }
            emptyFiltered={
              <EmptyState icon={IconShieldCheck} title="No codes match these filters">
                Clear a filter, or enter the complete phone number.
              </EmptyState>
            }
          />
        </section>
      </div>
    </>
  );
}
