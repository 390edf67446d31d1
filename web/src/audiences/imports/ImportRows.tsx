import { SegmentedControl } from '@mantine/core';
import {
  type AudienceImport,
  IMPORT_ROW_KINDS,
  type ImportRow,
  type ImportRowKind,
  listImportRows,
} from '@parley/contract/audiences/imports.ts';
import { MAX_LISTED_ROWS } from '@parley/contract/audiences/limits.ts';
import { IconTableOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Audiences.module.css';

const FILTERS = ['kind'] as const;
const KIND_LABELS: Readonly<Record<ImportRowKind, string>> = {
  invalid: 'Invalid',
  duplicate: 'Duplicate',
  shortened: 'Shortened',
};
/** The other columns of the file can be turned on in the table. */
const SHOWN_COLUMNS = 4;

const rowCount = (record: AudienceImport, kind: ImportRowKind): number =>
  ({ invalid: record.invalid_count, duplicate: record.duplicate_count, shortened: record.shortened_count })[kind];

export const hasReportedRows = (record: AudienceImport): boolean =>
  record.status === 'completed' && IMPORT_ROW_KINDS.some((kind) => rowCount(record, kind) > 0);

/** The rows that were not imported, or were imported with a shortened text, with the reason for each. */
export function ImportRows({ record }: { record: AudienceImport }) {
  const list = useList(listImportRows, {
    filters: FILTERS,
    params: { id: record.id },
    subject: 'The rows',
  });
  const columns = useMemo(() => rowColumns(record), [record]);
  const kinds = IMPORT_ROW_KINDS.filter((kind) => rowCount(record, kind) > 0);
  const kind = list.filter('kind') || 'all';
  const isCut = kinds.some((one) => (kind === 'all' || kind === one) && rowCount(record, one) > MAX_LISTED_ROWS);
  return (
    <section className={styles.rows} aria-labelledby="import-rows">
      <h2 id="import-rows" className={styles.rowsTitle}>
        Rows to check
      </h2>
      {kinds.length > 1 && (
        <SegmentedControl
          className={styles.kinds}
          aria-label="Row type"
          value={kind}
          onChange={(value) => list.setFilter('kind', value === 'all' ? null : value)}
          data={[
            { value: 'all', label: 'All' },
            ...kinds.map((one) => ({
              value: one,
              label: `${KIND_LABELS[one]} ${formatNumber(rowCount(record, one))}`,
            })),
          ]}
        />
      )}
      {isCut && (
        <p className={styles.cutNote}>
          The first {formatNumber(MAX_LISTED_ROWS)} rows of each kind are listed. The file of skipped rows contains all
          of them.
        </p>
      )}
      <ListTable
        id="import_rows"
        label="Rows to check"
        noun="rows"
        list={list}
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => `line ${row.line}`}
        empty={<EmptyState icon={IconTableOff} title="No rows match this filter" />}
      />
    </section>
  );
}

function rowColumns(record: AudienceImport): Column<ImportRow>[] {
  // The mapped columns come first, because they explain the reason.
  const mapped = new Set(Object.values(record.options.columns));
  const names = record.preview.columns.map(({ name }, index) => ({ name, index }));
  const ordered = [
    ...names.filter(({ index }) => mapped.has(index)),
    ...names.filter(({ index }) => !mapped.has(index)),
  ];
  return [
    {
      key: 'line',
      title: 'Line',
      align: 'end',
      fixed: true,
      render: (row) => formatNumber(row.line),
      renderCard: (row) => `Line ${formatNumber(row.line)}`,
    },
    {
      key: 'reason',
      title: 'Reason',
      fixed: true,
      render: (row) => <span className={styles.reason}>{row.reason}</span>,
    },
    ...ordered.map(({ name, index }, place) => ({
      key: `column ${index}`,
      title: name,
      narrow: place === 0,
      hidden: place >= SHOWN_COLUMNS,
      render: (row: ImportRow) => (
        <bdi className={styles.cut}>{row.values[index] === undefined ? '\u2013' : row.values[index]}</bdi>
      ),
    })),
  ];
}
