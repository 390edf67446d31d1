import {
  type ApiRequest,
  listApiRequests,
  METHODS,
  OUTCOME_STATUS,
  OUTCOMES,
} from '@parley/contract/api_requests/api_requests.ts';
import { listKeys } from '@parley/contract/keys/keys.ts';
import { IconListSearch } from '@tabler/icons-react';
import { dateBounds } from '../insights/dates.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { RequestStatus } from './RequestStatus.tsx';
import styles from './Requests.module.css';
import { readablePath } from './readable_path.ts';

const FILTERS = ['search', 'key_ids', 'methods', 'outcomes', 'code', 'from', 'to'] as const;
const REFRESH_MS = 10_000;

const COLUMNS: Column<ApiRequest>[] = [
  { key: 'time', title: 'Time', card: 'subtitle', render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <RequestStatus status={row.status} />,
  },
  { key: 'method', title: 'Method', card: 'hidden', narrow: false, render: (row) => row.method },
  {
    key: 'path',
    title: 'Path',
    card: 'title',
    fixed: true,
    width: '100%',
    render: (row) => <span className={styles.path}>{readablePath(row.path)}</span>,
    renderCard: (row) => `${row.method} ${readablePath(row.path)}`,
  },
  { key: 'code', title: 'Code', align: 'end', narrow: false, render: (row) => row.code ?? '–' },
  { key: 'ms', title: 'Duration', align: 'end', narrow: false, render: (row) => `${row.ms} ms` },
  {
    key: 'key',
    title: 'Key',
    narrow: false,
    render: (row) => (
      <span className={styles.key}>
        <bdi>{row.key_name ?? 'Deleted key'}</bdi> {row.test && <ToneBadge tone="wait">Test</ToneBadge>}
      </span>
    ),
  },
  { key: 'address', title: 'IP address', narrow: false, hidden: true, render: (row) => row.address },
  {
    key: 'id',
    title: 'Request',
    narrow: false,
    hidden: true,
    render: (row) => <CopyId value={row.id} label="request ID" short />,
  },
];

export default function RequestLogPage() {
  const zone = useZone();
  const panel = usePanel();
  const list = useList(listApiRequests, {
    filters: FILTERS,
    subject: 'The requests',
    refetchInterval: REFRESH_MS,
    toFilter: ({ from, to, ...filters }) => ({ ...filters, ...dateBounds(from ?? null, to ?? null, zone) }),
  });
  const keys = useEndpoint(listKeys, { query: { page_size: 100 } }).data?.data ?? [];
  const opened = list.rows?.find(({ id }) => id === panel.id);
  return (
    <>
      <PageHeader title="Request log" description="The requests your programs make with API keys." />
      <ListTable
        id="api_requests"
        label="Requests"
        noun="requests"
        list={list}
        search="Request ID or path"
        facets={[
          { key: 'outcomes', label: 'Status', options: OUTCOMES.map((value) => ({ value, ...OUTCOME_STATUS[value] })) },
          { key: 'methods', label: 'Method', options: METHODS.map((value) => ({ value, label: value })) },
          ...(keys.length > 0
            ? [{ key: 'key_ids', label: 'Key', options: keys.map(({ id, name }) => ({ value: id, label: name })) }]
            : []),
        ]}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.method} ${row.path}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconListSearch} title="No requests yet">
            Requests appear here a moment after a program calls the API with one of your keys.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconListSearch} title="No requests match these filters">
            Clear a filter, or search by the request ID from the response header X-Request-Id.
          </EmptyState>
        }
      />
      <RequestPanel id={panel.id} row={opened} onClose={panel.close} />
    </>
  );
}
