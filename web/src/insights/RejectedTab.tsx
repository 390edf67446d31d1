/** Calls to send messages that the API rejected. A rejected call has no message and costs nothing. */
import { listRefusedCalls, type RefusedCall } from '@parley/contract/messages/refused_calls.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import type { Column } from '../ui/data/table/columns.ts';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { dateBounds } from './dates.ts';

const FILTERS = ['code', 'from', 'to'] as const;

const COLUMNS: Column<RefusedCall>[] = [
  { key: 'time', title: 'Time', card: 'subtitle', render: (row) => <DateTime value={row.create_date} /> },
  { key: 'code', title: 'Code', card: 'corner', align: 'end', fixed: true, render: (row) => row.code },
  {
    key: 'reason',
    title: 'Reason',
    card: 'title',
    fixed: true,
    width: '100%',
    render: (row) => <bdi>{row.message}</bdi>,
  },
  { key: 'field', title: 'Field', narrow: false, hidden: true, render: (row) => row.field ?? '–' },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => row.channel ?? '–' },
  { key: 'from', title: 'From', narrow: false, render: (row) => <bdi>{row.from ?? '–'}</bdi> },
  { key: 'to', title: 'To', narrow: false, render: (row) => <bdi>{row.to ?? '–'}</bdi> },
  { key: 'caller', title: 'Called by', narrow: false, render: (row) => <Caller call={row} /> },
  { key: 'status', title: 'HTTP status', align: 'end', narrow: false, hidden: true, render: (row) => row.status },
  {
    key: 'request',
    title: 'Request',
    narrow: false,
    hidden: true,
    render: (row) => <CopyId value={row.request_id} label="request ID" short />,
  },
];

function Caller({ call: { method, key_id, key_name, user_name } }: { call: RefusedCall }) {
  if (method === 'SMPP') return <>SMPP</>;
  return <bdi>{key_id === null ? (user_name ?? 'Deleted user') : `Key “${key_name ?? 'deleted'}”`}</bdi>;
}

/** A default export, because it is loaded with its tab. */
export default function RejectedTab() {
  const zone = useZone();
  const list = useList(listRefusedCalls, {
    filters: FILTERS,
    subject: 'The rejected calls',
    toFilter: ({ code, from, to }) => ({ ...(code ? { code } : {}), ...dateBounds(from ?? null, to ?? null, zone) }),
  });
  return (
    <ListTable
      id="insights.rejected"
      label="Rejected calls"
      noun="calls"
      list={list}
      dates={{ label: 'Date', from: 'from', to: 'to' }}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => `call rejected with ${row.code}`}
      empty={
        <EmptyState icon={IconCircleCheck} title="No rejected calls">
          Rejected API calls to send messages are listed here for 30 days, with the error code and reason.
        </EmptyState>
      }
      emptyFiltered={
        <EmptyState icon={IconCircleCheck} title="No rejected calls in this period">
          Choose other dates.
        </EmptyState>
      }
    />
  );
}
