import {
  createExportLink,
  EXPORT_STATUS,
  type Export,
  listExports,
  removeExport,
  restartExport,
} from '@parley/contract/exports/exports.ts';
import { IconDownload, IconFileExport, IconLink, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useAction } from '../kernel/http/query.ts';
import { removeWithUndo } from '../kernel/http/undo.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatBytes, formatDateTime, formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Destinations } from './Destinations.tsx';
import { downloadExport } from './download.ts';
import { LIST_LABELS } from './list_labels.ts';
import { Schedules } from './Schedules.tsx';

const FILTERS = ['list'] as const;

const FACETS = [
  {
    key: 'list',
    label: 'List',
    single: true,
    options: Object.entries(LIST_LABELS).map(([value, label]) => ({ value, label })),
  },
];

/** The rows written so far, and those of the whole list once they are known. */
const rowsText = ({ status, rows_count, total_rows }: Export): string =>
  status === 'IN_PROGRESS' && total_rows !== null
    ? `${formatNumber(rows_count)} of ${formatNumber(total_rows)}`
    : status === 'PENDING'
      ? '\u2013'
      : formatNumber(rows_count);

export const COLUMNS: Column<Export>[] = [
  { key: 'file', title: 'File', fixed: true, render: (row) => row.filename },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => (
      <StatusBadge {...EXPORT_STATUS[row.error_message === null ? row.status : 'failed']} reason={row.error_message} />
    ),
  },
  { key: 'list', title: 'List', card: 'subtitle', narrow: false, render: (row) => LIST_LABELS[row.list] },
  { key: 'rows', title: 'Rows', align: 'end', narrow: false, render: rowsText },
  {
    key: 'size',
    title: 'Size',
    align: 'end',
    narrow: false,
    render: (row) => (row.bytes === null ? '\u2013' : formatBytes(row.bytes)),
  },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  { key: 'expires', title: 'Deleted on', narrow: false, render: (row) => <DateTime value={row.expire_date} /> },
];

const isReady = (row: Export): boolean => row.status === 'COMPLETED';
const isEnded = (row: Export): boolean => isReady(row) || row.error_message !== null;

function useRowActions(): RowAction<Export>[] {
  const zone = useZone();
  const link = useAction(createExportLink, {
    onSuccess: ({ data }) =>
      void navigator.clipboard
        .writeText(data.url)
        .then(() =>
          toast.success(`Link copied. It works without signing in until ${formatDateTime(data.expire_date, zone)}.`),
        )
        .catch(() => toast.error('The link could not be copied. Allow clipboard access and try again.')),
  });
  const restart = useAction(restartExport, { onSuccess: () => toast.success('Export started') });
  return [
    {
      key: 'download',
      label: 'Download',
      icon: IconDownload,
      reason: (row) => (isReady(row) ? null : 'The file is not ready.'),
      onSelect: (row) => void downloadExport(row),
    },
    {
      key: 'link',
      label: 'Copy link',
      icon: IconLink,
      reason: (row) => (isReady(row) ? null : 'The file is not ready.'),
      onSelect: ({ id }) => link.mutate({ params: { id }, body: {} }),
    },
    {
      key: 'restart',
      label: 'Export again',
      icon: IconRefresh,
      reason: (row) => (isEnded(row) ? null : 'The export is in progress.'),
      onSelect: ({ id }) => restart.mutate({ params: { id }, body: {} }),
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      onSelect: ({ id, filename }) =>
        removeWithUndo({ id, endpoint: removeExport, input: { params: { id } }, message: `${filename} was deleted.` }),
    },
  ];
}

export default function ExportsPage() {
  const list = useList(listExports, { filters: FILTERS, subject: 'The exports' });
  const actions = useRowActions();
  return (
    <>
      <PageHeader title="Exports" description="Files exported from your lists. Files are deleted after 7 days." />
      <ListTable
        id="exports"
        label="Exports"
        noun="exports"
        list={list}
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.filename}
        actions={actions}
        onOpen={(row) => {
          if (isReady(row)) void downloadExport(row);
        }}
        empty={
          <EmptyState icon={IconFileExport} title="No exports yet">
            To save rows to a file, choose Export above a list, such as the message log.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconFileExport} title="No exports of this list">
            Clear the filter to see all exports.
          </EmptyState>
        }
      />
      <Schedules />
      <Destinations />
    </>
  );
}
