/** The destinations of one customer with signs of fraud. Operators can lift the stops. */
import type { Customer } from '@parley/contract/admin/customers.ts';
import { liftCustomerTrafficStop, listCustomerTrafficStops } from '@parley/contract/guard/traffic_stops.ts';
import { STOP_COLUMNS } from '../../guard/stops/columns.tsx';
import { liftColumn } from '../../guard/stops/lift.tsx';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from './Customer.module.css';

const REFRESH_MS = 10_000;

export function CustomerStops({ customer }: { customer: Customer }) {
  const params = { id: customer.id };
  const query = useEndpoint(listCustomerTrafficStops, { params }, { refetchInterval: REFRESH_MS });
  const lift = useAction(liftCustomerTrafficStop, {
    invalidates: ['traffic_stops'],
    onSuccess: () => toast.success('Stop lifted'),
  });
  const stops = query.data?.data;
  const columns = [
    ...STOP_COLUMNS,
    liftColumn({
      needs: liftCustomerTrafficStop.needs,
      sending: lift.isPending ? lift.variables?.params?.stop_id : undefined,
      onLift: (stop) => lift.mutate({ params: { ...params, stop_id: stop.id } }),
    }),
  ];
  return (
    <section className={styles.stops} aria-label="Signs of fraud">
      <h2>Signs of fraud</h2>
      {query.error && !stops ? (
        <ErrorState
          title="The signs of fraud could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : !stops ? (
        <SkeletonLines lines={2} />
      ) : stops.length === 0 ? (
        <p>No signs of fraud in this account’s messages or codes right now.</p>
      ) : (
        <>
          <p>
            A stop ends at the time shown. The customer’s users can lift traffic stops if they can edit SMS limits, and
            code stops if they can edit messages. Operators who can edit accounts can lift both.
          </p>
          <DataTable
            grow
            id="customer_traffic_stops"
            label="Signs of fraud"
            columns={columns}
            rows={stops}
            rowKey={(row) => row.id}
            empty={null}
          />
        </>
      )}
    </section>
  );
}
