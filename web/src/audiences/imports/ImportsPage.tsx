import { Anchor, Button } from '@mantine/core';
import { type AudienceImport, createImport, IMPORT_STATUS, listImports } from '@parley/contract/audiences/imports.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconFileUpload } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { AUDIENCES, CREATE_AUDIENCE, IMPORTS, importPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import './live.ts';

const FILTERS = ['audience_id'] as const;

const count = (value: (row: AudienceImport) => number) => (row: AudienceImport) =>
  row.status === 'completed' ? <span className="tabular">{formatNumber(value(row))}</span> : '\u2013';

const COLUMNS: Column<AudienceImport, SortName<typeof listImports>>[] = [
  {
    key: 'file',
    title: 'File',
    sort: 'filename',
    fixed: true,
    render: (row) => <bdi className={styles.name}>{row.filename}</bdi>,
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...IMPORT_STATUS[row.status]} reason={row.error_message} />,
  },
  {
    key: 'audience',
    title: 'Audience',
    sort: 'audience_name',
    card: 'subtitle',
    renderCard: (row) => row.audience_name,
    narrow: false,
    render: (row) => <bdi className={styles.cut}>{row.audience_name}</bdi>,
  },
  {
    key: 'rows',
    title: 'Rows',
    sort: 'total_rows',
    align: 'end',
    narrow: false,
    render: (row) => formatNumber(row.total_rows),
  },
  { key: 'created', title: 'Created', align: 'end', narrow: false, render: count((row) => row.created_count) },
  { key: 'updated', title: 'Updated', align: 'end', narrow: false, render: count((row) => row.updated_count) },
  {
    key: 'skipped',
    title: 'Unchanged',
    align: 'end',
    narrow: false,
    hidden: true,
    render: count((row) => row.skipped_count),
  },
  {
    key: 'refused',
    title: 'Skipped',
    align: 'end',
    narrow: false,
    render: count((row) => row.duplicate_count + row.invalid_count),
  },
  {
    key: 'when',
    title: 'When',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function ImportsPage() {
  const navigate = useNavigate();
  const list = useList(listImports, { filters: FILTERS, subject: 'The imports' });
  const importReason = routeReason({ needs: createImport.needs }, useSession());
  const create = (
    <Disabled reason={importReason}>
      <Button component={Link} to={CREATE_AUDIENCE} leftSection={<IconFileUpload size={16} aria-hidden />}>
        Import a file
      </Button>
    </Disabled>
  );
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <PageHeader
        title="Imports"
        description={
          list.isFiltered ? (
            <>
              Files imported into this audience.{' '}
              <Anchor component={Link} to={IMPORTS} inherit underline="always">
                Show all
              </Anchor>
            </>
          ) : (
            'Files you imported, and their results.'
          )
        }
        action={create}
      />
      <ListTable
        id="imports"
        label="Imports"
        noun="imports"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.filename}
        onOpen={(row) => void navigate({ href: importPath(row.id) })}
        empty={
          <EmptyState icon={IconFileUpload} title="No imports yet" action={create}>
            Upload a CSV or Excel file. Columns are detected automatically, and skipped rows are listed with the
            reasons.
          </EmptyState>
        }
      />
    </>
  );
}
