/** The parts around a table, in each of its states: saved views, selected rows, their jobs, and exports. */
import { listBulkJobs } from '@parley/contract/bulk/bulk.ts';
import { listExports } from '@parley/contract/exports/exports.ts';
import { listViews } from '@parley/contract/views/views.ts';
import { IconFileExport, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { BulkProgress } from '../bulk/BulkProgress.tsx';
import { watchJob } from '../bulk/watched.ts';
import ExportItems from '../exports/ExportItems.tsx';
import { COLUMNS as EXPORT_COLUMNS } from '../exports/ExportsPage.tsx';
import type { List } from '../kernel/list/list.tsx';
import ViewItems from '../kernel/list/views/ViewItems.tsx';
import { ViewsMenu } from '../kernel/list/views/ViewsMenu.tsx';
import BulkBar from '../ui/data/table/BulkBar.tsx';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import type { Selection } from '../ui/data/table/selection.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import popup from '../ui/layout/Popup.module.css';
import { COLUMNS } from './columns.tsx';
import styles from './Gallery.module.css';
import { FAILED, LOADING, SampleData } from './SampleData.tsx';
import { Specimen } from './Specimen.tsx';
import { campaigns, type SampleCampaign } from './sample.ts';
import { BULK_JOBS, EXPORTS, savedViews, VIEWS } from './sample_lists.ts';

/** A menu that is always open. */
function OpenMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="menu" aria-label={label} className={`${popup.box} ${popup.menu} ${styles.openMenu}`}>
      <Suspense>{children}</Suspense>
    </div>
  );
}

const NO_ACTION = () => {};

/** The button of the menu and its entries, with no view, views of the user and of others, and a modified view. */
export function ViewsSpecimen() {
  const states = [
    { label: 'Loading', data: LOADING, views: savedViews(undefined) },
    { label: 'Failed', data: FAILED, views: savedViews(undefined) },
    { label: 'No views', data: [], views: savedViews(undefined) },
    { label: 'Private and shared views', data: VIEWS, views: savedViews(VIEWS[0]) },
    { label: 'Modified view', data: VIEWS, views: savedViews(VIEWS[1], true) },
  ];
  return (
    <Specimen title="Saved views: loading, failed, none, active, modified">
      {states.map(({ label, data, views }) => (
        <SampleData key={label} responses={[{ endpoint: listViews, input: { query: { list: 'campaigns' } }, data }]}>
          <div className={styles.menuState}>
            <ViewsMenu views={views} noun="campaigns" />
            <OpenMenu label={label}>
              <ViewItems views={views} noun="campaigns" onDialog={NO_ACTION} />
            </OpenMenu>
          </div>
        </SampleData>
      ))}
    </Specimen>
  );
}

const ROWS = campaigns(62);
const ACTIONS = [
  { key: 'rename', label: 'Rename', icon: IconPencil, onSelect: NO_ACTION },
  { key: 'delete', label: 'Delete', icon: IconTrash, danger: true, onSelect: NO_ACTION, onSelectAll: NO_ACTION },
];
const EVERYTHING = { total: 1_204, isMore: false, filter: {} };

function selection(count: number, isAll = false): Selection<SampleCampaign> {
  const keys = new Set(ROWS.slice(0, count).map(({ id }) => id));
  return {
    keys,
    rows: ROWS.slice(0, count),
    all: isAll ? { ...EVERYTHING, at: 0 } : null,
    isPageSelected: count === 10,
    has: (key) => keys.has(key),
    toggle: NO_ACTION,
    togglePage: NO_ACTION,
    selectAll: NO_ACTION,
    clear: NO_ACTION,
  };
}

/** The bar of selected rows, and the jobs of an action: waiting, running, and each result. */
export function BulkSpecimen() {
  for (const { id } of BULK_JOBS) watchJob(id);
  const input = { query: { filter: { action: 'remove_contacts' } } };
  return (
    <Specimen title="Bulk actions: selected rows, running jobs, results">
      {[selection(3), selection(10), selection(10, true)].map((selected) => (
        <div key={`${selected.rows.length} ${selected.all !== null}`} className={styles.bulkState}>
          <BulkBar selection={selected} actions={ACTIONS} everything={EVERYTHING} />
        </div>
      ))}
      <SampleData responses={[{ endpoint: listBulkJobs, input, data: BULK_JOBS }]}>
        <BulkProgress name="remove_contacts" />
      </SampleData>
    </Specimen>
  );
}

const LIST = { sentFilter: {}, sort: null } as unknown as List<SampleCampaign>;

/** The menu above a list, and the page of exports: waiting, being written, finished, failed, and none. */
export function ExportSpecimen() {
  const table = { columns: EXPORT_COLUMNS, rowKey: (row: { id: string }) => row.id };
  return (
    <Specimen title="Exports: menu, waiting, in progress, completed, failed, none">
      <div className={styles.menuState}>
        <SampleData responses={[{ endpoint: listExports, input: {}, data: [] }]}>
          <OpenMenu label="Export">
            <ExportItems name="campaigns" list={LIST} table="gallery" columns={COLUMNS} onSending={NO_ACTION} />
          </OpenMenu>
        </SampleData>
      </div>
      <div className={styles.stack}>
        <DataTable
          {...table}
          id="g.exports"
          label="Exports"
          rows={EXPORTS}
          rowName={(row) => row.filename}
          empty={null}
        />
        <DataTable
          {...table}
          id="g.exports.none"
          label="No exports"
          rows={[]}
          empty={
            <EmptyState icon={IconFileExport} title="No exports yet">
              To save rows to a file, choose Export above a list, such as the message log.
            </EmptyState>
          }
        />
      </div>
    </Specimen>
  );
}
