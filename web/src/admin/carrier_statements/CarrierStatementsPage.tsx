/** The charges of carriers, compared with the costs of settled messages: open differences, and the statements. */
import { Button } from '@mantine/core';
import {
  CARRIER_LINE_STATUS,
  CARRIER_LINE_STATUSES,
  type CarrierLine,
  type CarrierStatement,
  compareCarrierStatement,
  createCarrierStatement,
  deleteCarrierStatement,
  listCarrierLines,
  listCarrierStatements,
  resolveCarrierLine,
} from '@parley/contract/admin/carrier_statements.ts';
import { IconCheck, IconRefresh, IconScale, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { Segments } from '../../ui/controls/Segments.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { ReasonDialog, type ReasonRequest } from '../customers/ReasonDialog.tsx';
import { PriceTabs } from '../PriceTabs.tsx';
import { UploadPanel } from './UploadPanel.tsx';

const FILTERS = ['statuses'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: CARRIER_LINE_STATUSES.map((value) => ({ value, label: CARRIER_LINE_STATUS[value].label })),
  },
];
const VIEWS = [
  { value: 'countries', label: 'Countries' },
  { value: 'statements', label: 'Statements' },
] as const;

type Sides = Pick<
  CarrierLine,
  'connection_name' | 'from_day' | 'until_day' | 'currency' | 'their_segments' | 'their_micros' | 'our_segments'
> &
  Pick<CarrierLine, 'our_micros'>;

const connectionName = ({ connection_name }: Pick<Sides, 'connection_name'>) => connection_name ?? 'Deleted connection';
const days = ({ from_day, until_day }: Pick<Sides, 'from_day' | 'until_day'>) =>
  from_day === until_day ? from_day : `${from_day} – ${until_day}`;

const money = (key: string, title: string, micros: (row: Sides) => number) =>
  moneyColumn<Sides, string>({ key, title, micros, currency: (row) => row.currency });
const SIDES: Column<Sides>[] = [
  {
    key: 'days',
    title: 'Days (UTC)',
    card: 'subtitle',
    render: (row) => <span className={styles.oneLine}>{days(row)}</span>,
  },
  { key: 'their_segments', title: 'Their segments', align: 'end', render: (row) => formatNumber(row.their_segments) },
  { key: 'our_segments', title: 'Our segments', align: 'end', render: (row) => formatNumber(row.our_segments) },
  money('theirs', 'Charged', (row) => row.their_micros),
  money('ours', 'Recorded', (row) => row.our_micros),
  money('difference', 'Difference', (row) => row.their_micros - row.our_micros),
];

const LINE_COLUMNS: Column<CarrierLine>[] = [
  {
    key: 'country',
    title: 'Country',
    width: '100%',
    fixed: true,
    card: 'title',
    render: (row) => (
      <span className={styles.stack}>
        {countryName(row.country)}
        <span className={styles.under}>{connectionName(row)}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: (row) => <StatusBadge {...CARRIER_LINE_STATUS[row.status]} reason={row.reason} />,
  },
  ...(SIDES as Column<CarrierLine>[]),
  {
    key: 'uncosted',
    title: 'Without a cost',
    align: 'end',
    render: (row) => (row.uncosted_segments === 0 ? '–' : formatNumber(row.uncosted_segments)),
  },
  { key: 'resolved_by', title: 'Resolved by', hidden: true, render: (row) => <bdi>{row.resolved_by ?? '–'}</bdi> },
];
const STATEMENT_COLUMNS: Column<CarrierStatement>[] = [
  {
    key: 'connection',
    title: 'Connection',
    width: '100%',
    fixed: true,
    card: 'title',
    render: (row) => (
      <span className={styles.stack}>
        {connectionName(row)}
        <span className={styles.under}>{row.filename}</span>
      </span>
    ),
  },
  { key: 'open', title: 'Open', align: 'end', fixed: true, render: (row) => formatNumber(row.open_count) },
  ...(SIDES as Column<CarrierStatement>[]),
  { key: 'compared', title: 'Compared', render: (row) => <DateTime value={row.compare_date} /> },
];

function useLineActions(requestReason: (request: ReasonRequest | null) => void): RowAction<CarrierLine>[] {
  const refusal = useReason(resolveCarrierLine.needs);
  const { mutate } = useAction(resolveCarrierLine, {
    onSuccess: () => {
      toast.success('Difference resolved');
      requestReason(null);
    },
  });
  return [
    {
      key: 'resolve',
      label: 'Resolve',
      icon: IconCheck,
      isOffered: (row) => row.status === 'open',
      reason: () => refusal,
      onSelect: (row) =>
        requestReason({
          title: 'Resolve this difference?',
          text: 'It opens again if a later comparison finds different values.',
          action: 'Resolve difference',
          hint: 'Shown to all operators.',
          onDone: (reason) => mutate({ params: { id: row.id }, body: { reason } }),
        }),
    },
  ];
}

function useStatementActions(): RowAction<CarrierStatement>[] {
  const reason = useReason(compareCarrierStatement.needs);
  const compare = useAction(compareCarrierStatement, { onSuccess: () => toast.success('Statement compared') });
  const remove = useAction(deleteCarrierStatement, { onSuccess: () => toast.success('The statement was deleted') });
  const start = async (row: CarrierStatement) => {
    const confirmed = await confirm({
      title: `Delete the statement "${row.filename}"?`,
      consequence: 'Its differences and their reasons are deleted. The recorded costs do not change.',
      action: 'Delete statement',
    });
    if (confirmed) remove.mutate({ params: { id: row.id } });
  };
  return [
    {
      key: 'compare',
      label: 'Compare again',
      icon: IconRefresh,
      reason: () => reason,
      onSelect: (row) => compare.mutate({ params: { id: row.id }, body: {} }),
    },
    {
      key: 'delete',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => reason,
      onSelect: (row) => void start(row),
    },
  ];
}

const EMPTY = (
  <EmptyState icon={IconScale} title="No statements yet">
    Upload a carrier’s statement to compare what it charged with the costs of settled messages.
  </EmptyState>
);

type View = (typeof VIEWS)[number]['value'];
interface ViewProps {
  view: View;
  setView: (view: View) => void;
}

const ViewSwitch = ({ view, setView }: ViewProps) => (
  <Segments aria-label="Show" value={view} onChange={setView} data={VIEWS} />
);

function Countries(props: ViewProps) {
  const list = useList(listCarrierLines, { filters: FILTERS, subject: 'The differences' });
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const actions = useLineActions(setRequest);
  return (
    <>
      <ListTable
        list={list}
        id="carrier_lines"
        label="Countries"
        noun="countries"
        facets={FACETS}
        tools={<ViewSwitch {...props} />}
        columns={LINE_COLUMNS}
        actions={actions}
        rowKey={(row) => row.id}
        rowName={(row) => `${countryName(row.country)}, ${connectionName(row)}`}
        empty={EMPTY}
        emptyFiltered={<EmptyState title="No countries match these filters">Clear a filter.</EmptyState>}
      />
      <ReasonDialog request={request} busy={false} onClose={() => setRequest(null)} />
    </>
  );
}

function Statements(props: ViewProps) {
  const list = useList(listCarrierStatements, { filters: [], subject: 'The statements' });
  const actions = useStatementActions();
  return (
    <ListTable
      list={list}
      id="carrier_statements"
      label="Statements"
      noun="statements"
      tools={<ViewSwitch {...props} />}
      columns={STATEMENT_COLUMNS}
      actions={actions}
      rowKey={(row) => row.id}
      rowName={(row) => `${connectionName(row)}, ${days(row)}`}
      empty={EMPTY}
      emptyFiltered={EMPTY}
    />
  );
}

export default function CarrierStatementsPage() {
  const [view, setView] = useState<View>('countries');
  const [isUploading, setUploading] = useState(false);
  return (
    <>
      <PageHeader
        title="Carrier statements"
        description="What carriers charged, compared with the costs of settled messages by country."
        action={
          <Allow needs={createCarrierStatement.needs}>
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setUploading(true)}>
              Upload statement
            </Button>
          </Allow>
        }
      >
        <PriceTabs open="carriers" />
      </PageHeader>
      {view === 'countries' ? (
        <Countries view={view} setView={setView} />
      ) : (
        <Statements view={view} setView={setView} />
      )}
      <UploadPanel open={isUploading} onClose={() => setUploading(false)} />
    </>
  );
}
