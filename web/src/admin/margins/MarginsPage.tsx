/** Income minus the cost of carriers, by connection, country, or account. */
import { Button } from '@mantine/core';
import { exportMargins, listMargins, type Margin, type MarginGroup } from '@parley/contract/admin/margins.ts';
import { IconDownload, IconScale } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callFile, saveFile } from '../../kernel/http/files.ts';
import { toastError } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { accountPath } from '../../paths.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PriceTabs } from '../PriceTabs.tsx';

const FILTERS = ['from', 'to'] as const;
const GROUPS = [
  { value: 'connection', label: 'Connections' },
  { value: 'country', label: 'Countries' },
  { value: 'account', label: 'Accounts' },
] as const;

/** While another grouping loads, the rows of the last one are still shown. */
const marginName = (group: MarginGroup, row: Margin): string =>
  group === 'country' && row.key.length === 2 ? countryName(row.key) : row.name;
const money = (key: string, title: string, micros: (row: Margin) => number) =>
  moneyColumn<Margin, string>({ key, title, micros, currency: (row) => row.currency, exact: true, fixed: true });

const columns = (group: MarginGroup): Column<Margin>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    width: '100%',
    card: 'title',
    render: (row) => (group === 'account' ? <Link to={accountPath(row.key)}>{row.name}</Link> : marginName(group, row)),
  },
  { key: 'messages', title: 'Messages', align: 'end', render: (row) => formatNumber(row.messages) },
  { key: 'segments', title: 'Segments', align: 'end', render: (row) => formatNumber(row.segments) },
  money('income', 'Income', (row) => row.income_micros),
  money('cost', 'Cost', (row) => row.cost_micros),
  money('margin', 'Margin', (row) => row.margin_micros),
  {
    key: 'uncosted',
    title: 'Without a cost',
    align: 'end',
    render: (row) => (row.uncosted_segments === 0 ? '–' : formatNumber(row.uncosted_segments)),
  },
];
const COLUMNS = { connection: columns('connection'), country: columns('country'), account: columns('account') };

export default function MarginsPage() {
  const [group, setGroup] = useState<MarginGroup>('connection');
  const list = useList(listMargins, { filters: FILTERS, subject: 'The margins', query: { group } });
  const download = async () => {
    const { from, to } = Object.fromEntries(new URLSearchParams(window.location.search));
    try {
      const filter = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
      saveFile(await callFile(exportMargins, { query: { group, filter } }), `margins_by_${group}.csv`);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      <PageHeader
        title="Margins"
        description="Income from settled messages, minus carrier costs. Days are in UTC."
        secondary={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void download()}
          >
            Download CSV
          </Button>
        }
      >
        <PriceTabs open="margins" />
      </PageHeader>
      <ListTable
        id={`margins_${group}`}
        label="Margins"
        noun="rows"
        list={list}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={<Segments aria-label="Group by" value={group} onChange={setGroup} data={GROUPS} />}
        columns={COLUMNS[group]}
        rowKey={(row) => `${row.key} ${row.currency}`}
        rowName={(row) => marginName(group, row)}
        empty={
          <EmptyState icon={IconScale} title="No margins yet">
            Margins appear after the first messages are settled. Enter the cost of each route to see them.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No messages were settled on these days">Choose other days.</EmptyState>}
      />
    </>
  );
}
