import type { SortName } from '@parley/contract/endpoint.ts';
import {
  LOOKUP_STATUSES,
  listNumberLookups,
  type NumberLookup,
  removeNumberLookup,
} from '@parley/contract/lookups/lookups.ts';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { countryName } from '../audiences/numbers.ts';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { removeWithUndo } from '../kernel/http/undo.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { LookupLayout } from './LookupLayout.tsx';
import { LookupFields, LookupStatusBadge } from './LookupResult.tsx';
import { LOOKUP_LABELS, lineLabel, portedLabel } from './words.ts';

const FILTERS = ['search', 'statuses', 'bulk_id'] as const;

const COLUMNS: Column<NumberLookup, SortName<typeof listNumberLookups>>[] = [
  { key: 'number', title: 'Number', fixed: true, card: 'title', render: (row) => <PhoneNumber value={row.number} /> },
  { key: 'status', title: 'Status', card: 'corner', render: (row) => <LookupStatusBadge lookup={row} /> },
  { key: 'operator', title: 'Operator', render: (row) => row.operator ?? '\u2013' },
  { key: 'line_type', title: 'Line type', render: lineLabel },
  { key: 'ported', title: 'Ported', narrow: false, render: portedLabel },
  { key: 'network', title: 'Network', narrow: false, render: (row) => row.network ?? '\u2013' },
  { key: 'mccmnc', title: 'MCC and MNC', hidden: true, narrow: false, render: (row) => row.mccmnc ?? '\u2013' },
  { key: 'country', title: 'Country', narrow: false, render: (row) => countryName(row.country) },
  {
    key: 'created',
    title: 'Looked up',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function HistoryPage() {
  return (
    <LookupLayout title="Carrier lookup history" description="All numbers that were looked up, newest first.">
      <History />
    </LookupLayout>
  );
}

function History() {
  const list = useList(listNumberLookups, { filters: FILTERS, subject: 'The lookups' });
  const panel = usePanel();
  const removeReason = useReason(removeNumberLookup.needs);
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <ListTable
        id="lookups"
        label="Lookups"
        noun="lookups"
        list={list}
        search="Search by number"
        facets={[
          {
            key: 'statuses',
            label: 'Status',
            options: LOOKUP_STATUSES.map((value) => ({ value, label: LOOKUP_LABELS[value].label })),
          },
        ]}
        columns={COLUMNS}
        tools={<ExportMenu name="lookups" list={list} table="lookups" columns={COLUMNS} />}
        rowKey={(row) => row.id}
        rowName={(row) => `+${row.number}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'remove',
            label: 'Delete lookup',
            icon: IconTrash,
            danger: true,
            reason: (row) => removeReason ?? (row.status === 'pending' ? 'The result is still pending.' : null),
            onSelect: ({ id, number }) =>
              removeWithUndo({
                id,
                endpoint: removeNumberLookup,
                input: { params: { id } },
                message: `The lookup of ${parsePhone(number).text} was deleted.`,
              }),
          },
        ]}
        empty={
          <EmptyState icon={IconSearch} title="No lookups yet">
            Look up a number, or all numbers in a file or an audience.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconSearch} title="No lookups match these filters">
            Search by the start of a number, including the country code.
          </EmptyState>
        }
      />
      <SidePanel
        open={opened !== null}
        onClose={panel.close}
        title={opened ? <PhoneNumber value={opened.number} /> : ''}
        recordId={opened?.id}
      >
        {opened && <LookupFields lookup={opened} />}
      </SidePanel>
    </>
  );
}
