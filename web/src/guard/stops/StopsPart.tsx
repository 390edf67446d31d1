/** The destinations whose messages show signs of fraud. A default export, because it loads after the limits. */
import { Button } from '@mantine/core';
import { liftTrafficStop, listTrafficStops } from '@parley/contract/guard/traffic_stops.ts';
import { Suspense, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { STOP_COLUMNS } from './columns.tsx';
import { liftColumn } from './lift.tsx';
import styles from './Stops.module.css';

const ProtectionDialog = lazyPart(() => import('./ProtectionDialog.tsx'));

export default function StopsPart() {
  const query = useEndpoint(listTrafficStops);
  const [isOpen, setOpen] = useState(false);
  const lift = useAction(liftTrafficStop, {
    invalidates: ['traffic_stops'],
    onSuccess: () => toast.success('Stop lifted'),
  });
  const stops = query.data?.data;
  const columns = [
    ...STOP_COLUMNS,
    liftColumn({
      needs: liftTrafficStop.needs,
      sending: lift.isPending ? lift.variables?.params?.id : undefined,
      onLift: (stop) => lift.mutate({ params: { id: stop.id } }),
    }),
  ];
  return (
    <section className={styles.section} aria-label="Signs of fraud">
      <div className={styles.head}>
        <h2 className={styles.heading}>Signs of fraud</h2>
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          Fraud protection
        </Button>
      </div>
      <p className={styles.lead}>
        {stops?.length === 0
          ? 'No signs of fraud right now.'
          : 'Messages to these numbers show signs of fraud. If they are stopped, new ones are refused at no ' +
            'charge, and campaigns pause. A stop ends at the time shown, or when an operator ' +
            'or a user who can edit SMS limits lifts it.'}
      </p>
      {query.error && (
        <ErrorState
          title="The signs of fraud could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      )}
      {stops && stops.length > 0 && (
        <DataTable
          grow
          id="traffic_stops"
          label="Signs of fraud"
          columns={columns}
          rows={stops}
          rowKey={(row) => row.id}
          empty={null}
        />
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <ProtectionDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
