import { Button } from '@mantine/core';
import { IconCopy, IconDownload, IconMessages, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { type DateRange, FilterBar } from '../ui/data/filter/FilterBar.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { Pagination } from '../ui/data/Pagination.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Timeline } from '../ui/data/Timeline.tsx';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';
import { campaigns, type SampleCampaign, traffic } from './sample.ts';

const COLUMNS: Column<SampleCampaign>[] = [
  { key: 'name', title: 'Name', fixed: true, render: (row) => <b style={{ fontWeight: 550 }}>{row.name}</b> },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => <ChannelMark channel={row.channel} /> },
  { key: 'status', title: 'Status', render: (row) => <StatusBadge status={row.status} /> },
  {
    key: 'recipients',
    title: 'Recipients',
    align: 'end',
    narrow: false,
    render: (row) => formatNumber(row.recipients),
  },
  { key: 'cost', title: 'Cost', align: 'end', render: (row) => <Money micros={row.cost_micros} currency="USD" /> },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  { key: 'id', title: 'Id', hidden: true, render: (row) => <CopyId value={row.id} short label="campaign id" /> },
];

export function DataSpecimens() {
  const all = useMemo(() => campaigns(62), []);
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(10);
  const [search, setSearch] = useState('');
  const [statuses, setStatuses] = useState<string[]>(['completed', 'in_progress', 'scheduled', 'paused']);
  const [range, setRange] = useState<DateRange>({ from: null, to: null });
  const [open, setOpen] = useState<SampleCampaign | null>(null);
  const found = all.filter(
    (row) =>
      row.name.toLowerCase().includes(search.toLowerCase()) && (statuses.length === 0 || statuses.includes(row.status)),
  );
  const empty = <EmptyState title="No campaign fits these filters">Take a filter away to see more.</EmptyState>;
  return (
    <>
      <Specimen title="List">
        <FilterBar
          search={{ value: search, placeholder: 'Search campaigns', onChange: setSearch }}
          facets={[
            {
              key: 'statuses',
              label: 'Status',
              options: ['completed', 'in_progress', 'scheduled', 'paused', 'failed', 'canceled', 'draft'].map(
                (value) => ({
                  value,
                  label: value.replace('_', ' '),
                }),
              ),
            },
          ]}
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
          rows={found.slice((page - 1) * size, page * size)}
          rowKey={(row) => row.id}
          rowName={(row) => row.name}
          empty={empty}
          onOpen={setOpen}
          openKey={open?.id ?? null}
          actions={[
            { key: 'edit', label: 'Rename', icon: IconPencil, onSelect: (row) => toast.info(`Rename ${row.name}`) },
            {
              key: 'clone',
              label: 'Clone',
              icon: IconCopy,
              onSelect: (row) => toast.success(`${row.name} was cloned`),
            },
            {
              key: 'delete',
              label: 'Delete',
              icon: IconTrash,
              danger: true,
              reason: (row) => (row.status === 'in_progress' ? 'It is being sent. Pause it first.' : null),
              onSelect: (row) => toast.error(`${row.name} could not be deleted`),
            },
          ]}
          bulk={[{ key: 'delete', label: 'Delete', icon: IconTrash, danger: true, onSelect: (_, clear) => clear() }]}
        />
        <Pagination number={page} size={size} total={found.length} noun="campaigns" onPage={setPage} onSize={setSize} />
        <SidePanel
          open={open !== null}
          onClose={() => setOpen(null)}
          title={open?.name}
          description={open && <StatusBadge status={open.status} />}
          actions={<Button variant="default">Export results</Button>}
        >
          {open && (
            <>
              <Fields
                fields={[
                  { label: 'Recipients', value: formatNumber(open.recipients) },
                  { label: 'Cost', value: <Money micros={open.cost_micros} currency="USD" /> },
                  { label: 'Channel', value: <ChannelMark channel={open.channel} /> },
                  { label: 'Id', value: <CopyId value={open.id} label="campaign id" short /> },
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
      </Specimen>
      <Specimen title="Loading, empty, failed">
        <div className={styles.pair}>
          <DataTable
            id="g.loading"
            label="Loading"
            columns={COLUMNS.slice(0, 3)}
            rows={undefined}
            rowKey={(row) => row.id}
            empty={empty}
            skeletonRows={4}
            grow
          />
          <DataTable
            id="g.empty"
            label="Empty"
            columns={COLUMNS.slice(0, 3)}
            rows={[]}
            rowKey={(row) => row.id}
            grow
            empty={
              <EmptyState
                icon={IconMessages}
                title="You have not created any campaigns yet"
                action={<Button>Create campaign</Button>}
              >
                A campaign sends one message to everybody in an audience.
              </EmptyState>
            }
          />
          <DataTable
            id="g.failed"
            label="Failed"
            columns={COLUMNS.slice(0, 3)}
            rows={undefined}
            rowKey={(row) => row.id}
            empty={empty}
            grow
            error={
              <ErrorState title="The campaigns could not be loaded" onRetry={() => toast.info('Trying again')}>
                The server cannot be reached. Check your connection and try again.
              </ErrorState>
            }
          />
          <DataTable
            id="g.long"
            label="Long list"
            columns={COLUMNS.slice(0, 3)}
            rows={useMemo(() => campaigns(1000), [])}
            rowKey={(row) => row.id}
            empty={empty}
            onOpen={setOpen}
          />
        </div>
      </Specimen>
      <Specimen title="Charts">
        <div className={styles.pair}>
          <Chart
            title="How many messages were sent each day"
            kind="line"
            rows={traffic}
            x={{ key: 'day', label: 'Day' }}
            series={[
              { key: 'sms', label: 'SMS', color: 'var(--sms-mark)' },
              { key: 'whatsapp', label: 'WhatsApp', color: 'var(--whatsapp-mark)' },
              { key: 'viber', label: 'Viber', color: 'var(--viber-mark)' },
            ]}
            file="messages-by-day"
            empty={<EmptyState title="Nothing was sent in these days" />}
          />
          <Chart
            title="What they cost"
            kind="bar"
            stacked
            rows={traffic}
            x={{ key: 'day', label: 'Day' }}
            series={[
              { key: 'sms', label: 'SMS', color: 'var(--sms-mark)' },
              { key: 'whatsapp', label: 'WhatsApp', color: 'var(--whatsapp-mark)' },
            ]}
            format={(value) => `$${formatNumber(value / 100)}`}
            file="cost-by-day"
            empty={<EmptyState title="Nothing was sent in these days" />}
          />
        </div>
      </Specimen>
    </>
  );
}
