/** The destinations whose messages show signs of fraud. A default export, because it loads after the limits. */
import { Button } from '@mantine/core';
import { liftTrafficStop, listTrafficStops, type TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { Suspense, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { STOP_COLUMNS } from './columns.tsx';
import styles from './Stops.module.css';
import { stopPlace } from './stop_words.ts';

const ProtectionDialog = lazyPart(() => import('./ProtectionDialog.tsx'));

const liftColumn = (
  sending: string | undefined,
  onLift: (stop: TrafficStop) => Promise<void>,
): Column<TrafficStop> => ({
  key: 'lift',
  title: '',
  fixed: true,
  align: 'end',
  render: (row) =>
    row.refuses && (
      <Allow needs={liftTrafficStop.needs}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Lift stop of ${stopPlace(row)}`}
          loading={sending === row.id}
          onClick={() => void onLift(row)}
        >
          Lift stop
        </Button>
      </Allow>
    ),
});

export default function StopsPart() {
  const query = useEndpoint(listTrafficStops);
  const [isOpen, setOpen] = useState(false);
  const lift = useAction(liftTrafficStop, {
    invalidates: ['traffic_stops'],
    onSuccess: () => toast.success('Stop lifted'),
  });
  const confirmLift = async (stop: TrafficStop) => {
    const confirmed = await confirm({
      title: `Lift the stop of ${stopPlace(stop)}?`,
      consequence:
        'Messages there are sent and charged again. Fraud protection does not stop them again for its set hours. ' +
        'Paused campaigns wait until you resume them.',
      action: 'Lift stop',
    });
    if (confirmed) lift.mutate({ params: { id: stop.id } });
  };
  const stops = query.data?.data;
  const columns = [...STOP_COLUMNS, liftColumn(lift.isPending ? lift.variables?.params?.id : undefined, confirmLift)];
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
          ? 'No messages show signs of fraud at the moment.'
          : 'Messages to these numbers show signs of fraud. If they are stopped, further ones are refused at no ' +
            'charge, and campaigns pause. A stop ends at the time shown, or when a user who may edit SMS limits ' +
            'lifts it.'}
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
