import { type ExportSchedule, listExportSchedules, removeExportSchedule } from '@parley/contract/exports/schedules.ts';
import { IconTrash } from '@tabler/icons-react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Exports.module.css';
import { LIST_LABELS } from './list_labels.ts';

const INTERVALS: Record<ExportSchedule['interval'], string> = { daily: 'Every day', weekly: 'Every Monday' };

const COLUMNS: Column<ExportSchedule>[] = [
  { key: 'list', title: 'List', card: 'title', fixed: true, render: (row) => LIST_LABELS[row.list] },
  { key: 'interval', title: 'Interval', render: (row) => INTERVALS[row.interval] },
  { key: 'format', title: 'Format', narrow: false, render: (row) => row.format.toUpperCase() },
  { key: 'email', title: 'Sent to', render: (row) => <bdi>{row.destination_name ?? row.email}</bdi> },
  { key: 'next', title: 'Next', render: (row) => <DateTime value={row.next_date} /> },
  { key: 'last', title: 'Last', narrow: false, render: (row) => <DateTime value={row.last_date} /> },
];

/** The scheduled exports. Hidden while there are none. */
export function Schedules() {
  const rows = useEndpoint(listExportSchedules).data?.data;
  const remove = useAction(removeExportSchedule, { onSuccess: () => toast.success('The schedule was deleted.') });
  const confirmRemove = async ({ id, list }: ExportSchedule) => {
    const isConfirmed = await confirm({
      title: `Delete the schedule for “${LIST_LABELS[list]}”?`,
      consequence: 'No more files will be exported. Finished exports are kept until they expire.',
      action: 'Delete schedule',
      danger: true,
    });
    if (isConfirmed) remove.mutate({ params: { id } });
  };
  const actions: RowAction<ExportSchedule>[] = [
    { key: 'remove', label: 'Delete', icon: IconTrash, danger: true, onSelect: (row) => void confirmRemove(row) },
  ];
  if (!rows || rows.length === 0) return null;
  return (
    <section aria-label="Scheduled exports" className={styles.schedules}>
      <h2 className={styles.heading}>Scheduled exports</h2>
      <DataTable
        id="export_schedules"
        label="Scheduled exports"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => LIST_LABELS[row.list]}
        actions={actions}
        grow
        empty={null}
      />
    </section>
  );
}
