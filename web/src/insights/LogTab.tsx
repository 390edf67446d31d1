import { listMessages } from '@parley/contract/messages/messages.ts';
import { IconMessages } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { useSpendColumns } from '../kernel/list/spend_columns.ts';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { OnceOpen } from '../ui/feedback/OnceOpen.tsx';
import { usePreload } from '../ui/feedback/usePreload.ts';
import { COLUMNS } from './log_columns.tsx';
import { type Linked, useLogFacets } from './log_facets.ts';
import { toLogFilter } from './log_filter.ts';
import { LOG_FILTERS } from './tabs.ts';

const loadInspector = () => import('../messages/MessageInspector.tsx');
const MessageInspector = lazyPart(loadInspector);
const LiveTail = lazyPart(() => import('./LiveTail.tsx'));

/**
 * The message log. The URL contains the open message, the filters, and the page. A default export, because it is loaded
 * with its tab.
 */
export default function LogTab() {
  const zone = useZone();
  const linked = useSearch({ strict: false }) as Linked;
  const panel = usePanel('message');
  // The click marks the row immediately, and the panel follows.
  const shownId = useDeferredValue(panel.id);
  usePreload(loadInspector);
  const list = useList(listMessages, {
    filters: LOG_FILTERS,
    subject: 'The messages',
    toFilter: (filters) => toLogFilter(filters, zone),
  });
  const facets = useLogFacets(linked);
  const columns = useSpendColumns(COLUMNS, 'price');

  return (
    <>
      <ListTable
        id="messages"
        label="Messages"
        noun="messages"
        list={list}
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => (row.direction === 'MT' ? `message to ${row.to}` : `message from ${row.from}`)}
        search="Number begins with"
        facets={facets}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={
          <>
            <Suspense fallback={<span style={{ width: 104 }} />}>
              <LiveTail list={list} />
            </Suspense>
            <ExportMenu name="messages" list={list} table="messages" columns={columns} />
          </>
        }
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconMessages} title="No messages yet">
            Messages from campaigns, the inbox, and the API appear here, with their replies.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconMessages} title="No messages match these filters">
            Clear a filter or change the dates.
          </EmptyState>
        }
      />
      <OnceOpen open={panel.id !== null} onClose={panel.close}>
        <MessageInspector id={shownId} onClose={panel.close} />
      </OnceOpen>
    </>
  );
}
