/** Changes to list prices that take effect later. */
import { listPricePlans, PLAN_STATUSES, type PricePlan } from '@parley/contract/admin/price_plans.ts';
import { IconCalendar } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PriceTabs } from '../PriceTabs.tsx';
import { priceName } from '../price_list/price_words.ts';
import { PlanPanel } from './PlanPanel.tsx';

const WORDS = {
  draft: { label: 'Draft', tone: 'off' },
  announced: { label: 'Scheduled', tone: 'wait' },
  applied: { label: 'In force', tone: 'ok' },
  canceled: { label: 'Canceled', tone: 'off' },
} as const;

const FILTERS = ['status'] as const;
const FACETS = [
  {
    key: 'status',
    label: 'Status',
    single: true,
    options: PLAN_STATUSES.map((value) => ({ value, label: WORDS[value].label })),
  },
];

const planName = ({ filename, differences, prices_count }: PricePlan): string =>
  filename ?? (differences[0] ? priceName(differences[0]) : formatCount(prices_count, 'price'));

const COLUMNS: Column<PricePlan>[] = [
  { key: 'name', title: 'Change', fixed: true, width: '100%', card: 'title', render: planName },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: ({ status }) => <ToneBadge tone={WORDS[status].tone}>{WORDS[status].label}</ToneBadge>,
  },
  { key: 'date', title: 'Takes effect', fixed: true, render: (row) => <DateTime value={row.effective_date} /> },
  { key: 'prices', title: 'Prices', align: 'end', render: (row) => row.prices_count },
  { key: 'notified', title: 'Notified', align: 'end', render: (row) => row.notified_count },
  { key: 'user', title: 'Created by', narrow: false, render: (row) => <bdi>{row.user_name}</bdi> },
];

export default function PricePlansPage() {
  const panel = usePanel();
  const list = useList(listPricePlans, { filters: FILTERS, subject: 'The planned changes' });
  return (
    <>
      <PageHeader title="Planned price changes" description="Changes that take effect later, and their notices.">
        <PriceTabs open="planned" />
      </PageHeader>
      <ListTable
        id="price_plans"
        label="Planned price changes"
        noun="changes"
        list={list}
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={planName}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconCalendar} title="No planned changes yet">
            Import a price list or edit a price, and choose a later date.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No changes match these filters">Clear a filter.</EmptyState>}
      />
      <PlanPanel id={panel.id} onClose={panel.close} />
    </>
  );
}
