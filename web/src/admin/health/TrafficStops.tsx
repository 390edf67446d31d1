/** The destinations to which customers' messages or codes are stopped. A default export, because it loads last. */
import {
  type AccountTrafficStop,
  liftCustomerTrafficStop,
  listAccountTrafficStops,
} from '@parley/contract/guard/traffic_stops.ts';
import { STOP_COLUMNS } from '../../guard/stops/columns.tsx';
import { liftColumn } from '../../guard/stops/lift.tsx';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import health_styles from './Health.module.css';

const REFRESH_MS = 10_000;
const COLUMNS: Column<AccountTrafficStop>[] = [
  { key: 'account', title: 'Customer', fixed: true, card: 'title', render: (row) => row.account_name },
  ...STOP_COLUMNS.filter(({ key }) => key !== 'state').map(
    (column): Column<AccountTrafficStop> => (column.card === 'title' ? { ...column, card: 'fact' } : column),
  ),
];

/** Hidden when there are none. */
export default function TrafficStops() {
  const query = useEndpoint(listAccountTrafficStops, {}, { refetchInterval: REFRESH_MS });
  const lift = useAction(liftCustomerTrafficStop, {
    invalidates: ['traffic_stops'],
    onSuccess: () => toast.success('Stop lifted'),
  });
  const columns = [
    ...COLUMNS,
    liftColumn<AccountTrafficStop>({
      needs: liftCustomerTrafficStop.needs,
      sending: lift.isPending ? lift.variables?.params?.stop_id : undefined,
      onLift: (stop) => lift.mutate({ params: { id: stop.account_id, stop_id: stop.id } }),
    }),
  ];
  const stops = query.data?.data ?? [];
  if (query.error && !query.data)
    return (
      <ErrorState
        title="The traffic stops could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  if (stops.length === 0) return null;
  return (
    <section id="traffic-stops" className={health_styles.block} aria-label="Stops of customers">
      <h2>Stops of customers</h2>
      <p className={health_styles.lead}>
        Messages to these destinations show signs of fraud, so the customer’s fraud protection refuses them. A stop can
        be lifted by the customer’s users who can edit SMS limits, and by operators who can edit accounts.
      </p>
      <DataTable
        grow
        id="account_traffic_stops"
        label="Stops of customers"
        columns={columns}
        rows={stops}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
