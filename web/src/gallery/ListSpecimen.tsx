import { Button } from '@mantine/core';
import { CAMPAIGN_STATUS, CAMPAIGN_STATUSES } from '@parley/contract/campaigns/statuses.ts';
import { IconCopy, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { useListKeys } from '../kernel/list/list_keys.ts';
import type { DateRange } from '../ui/data/filter/date_range.ts';
import { FilterBar } from '../ui/data/filter/FilterBar.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { Pagination } from '../ui/data/Pagination.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Timeline } from '../ui/data/Timeline.tsx';
import type { BulkAction } from '../ui/data/table/columns.ts';
import { DataTable, type RowAction } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { COLUMNS } from './columns.tsx';
import { Specimen } from './Specimen.tsx';
import { campaigns, type SampleCampaign } from './sample.ts';

const ACTIONS: RowAction<SampleCampaign>[] = [
  { key: 'edit', label: 'Rename', icon: IconPencil, onSelect: (row) => toast.info(`Rename ${row.name}`) },
  { key: 'clone', label: 'Clone', icon: IconCopy, onSelect: (row) => toast.success(`${row.name} was cloned`) },
  {
    key: 'delete',
    label: 'Delete',
    icon: IconTrash,
    danger: true,
    reason: (row) => (row.status === 'in_progress' ? 'Pause the campaign before you delete it.' : null),
    onSelect: (row) => toast.error(`${row.name} could not be deleted`),
  },
];

const BULK: BulkAction<SampleCampaign>[] = [
  {
    key: 'delete',
    label: 'Delete',
    icon: IconTrash,
    danger: true,
    onSelect: (rows, clear) => {
      toast.info(`Delete ${rows.length} campaigns`);
      clear();
    },
    onSelectAll: ({ total }, clear) => {
      toast.info(`Delete all ${formatNumber(total)} campaigns`);
      clear();
    },
  },
  { key: 'tag', label: 'Rename', icon: IconPencil, onSelect: (_, clear) => clear() },
];

/** The sample data is sorted here; real lists are sorted by the server. */
function sortRows(rows: SampleCampaign[], sort: string | null): SampleCampaign[] {
  if (sort === null) return rows;
  const key = sort.replace('-', '') as keyof SampleCampaign;
  const sorted = rows.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));
  return sort.startsWith('-') ? sorted.reverse() : sorted;
}

/** A list with filters, a table, pagination, and a panel for the open row. */
export function ListSpecimen() {
  const all = useMemo(() => campaigns(62), []);
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(10);
  const [search, setSearch] = useState('');
  const [statuses, setStatuses] = useState<string[]>(['completed', 'in_progress', 'scheduled', 'paused']);
  const [range, setRange] = useState<DateRange>({ from: null, to: null });
  const [sort, setSort] = useState<string | null>(null);
  const [open, setOpen] = useState<SampleCampaign | null>(null);
  const keys = useListKeys();
  const matches = sortRows(
    all.filter(
      (row) =>
        row.name.toLowerCase().includes(search.toLowerCase()) &&
        (statuses.length === 0 || statuses.includes(row.status)),
    ),
    sort,
  );
  const options = CAMPAIGN_STATUSES.map((value) => ({ value, label: CAMPAIGN_STATUS[value].label }));
  return (
    <Specimen title="List">
      <FilterBar
        searchRef={keys.search}
        search={{ value: search, placeholder: 'Search campaigns', onChange: setSearch }}
        facets={[{ key: 'statuses', label: 'Status', options }]}
        values={{ statuses }}
        onFacet={(_, values) => setStatuses(values)}
        dates={{ label: 'Created', value: range, onChange: setRange }}
        onClear={() => {
          setSearch('');
          setStatuses([]);
          setRange({ from: null, to: null });
        }}
      >
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
          Export
        </Button>
      </FilterBar>
      <DataTable
        id="gallery"
        label="Campaigns"
        columns={COLUMNS}
        rows={matches.slice((page - 1) * size, page * size)}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        empty={<EmptyState title="No campaigns match these filters">Clear a filter to see more.</EmptyState>}
        onOpen={setOpen}
        openKey={open?.id ?? null}
        actions={ACTIONS}
        bulk={BULK}
        everything={{ total: matches.length, isMore: false, filter: { search, statuses } }}
        sort={sort}
        onSort={setSort}
        keys={keys.table}
      />
      <Pagination number={page} size={size} total={matches.length} noun="campaigns" onPage={setPage} onSize={setSize} />
      <CampaignPanel campaign={open} onClose={() => setOpen(null)} />
    </Specimen>
  );
}

function CampaignPanel({ campaign, onClose }: { campaign: SampleCampaign | null; onClose: () => void }) {
  return (
    <SidePanel
      open={campaign !== null}
      onClose={onClose}
      title={campaign?.name}
      description={campaign && <StatusBadge {...CAMPAIGN_STATUS[campaign.status]} />}
      recordId={campaign?.id}
      actions={<Button variant="default">Export results</Button>}
    >
      {campaign && (
        <>
          <Fields
            fields={[
              { label: 'Recipients', value: formatNumber(campaign.recipients) },
              { label: 'Cost', value: <Money micros={campaign.cost_micros} currency="USD" /> },
              { label: 'Channel', value: <ChannelMark channel={campaign.channel} /> },
            ]}
          />
          <h3>History</h3>
          <Timeline
            label="History"
            entries={[
              {
                key: '1',
                title: 'Accepted',
                at: '2026-11-21 09:05:12',
                tone: 'flight',
                source: 'Dashboard, Anna Berg',
              },
              { key: '2', title: 'Sent', at: '2026-11-21 09:05:13', tone: 'flight', source: 'Connection main' },
              { key: '3', title: 'Delivered', at: '2026-11-21 09:05:15', tone: 'ok', source: 'Delivery receipt' },
            ]}
          />
        </>
      )}
    </SidePanel>
  );
}
