import { Button } from '@mantine/core';
import type { liftCustomerTrafficStop, liftTrafficStop, TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { stopPlace } from './stop_words.ts';

interface LiftColumn<T extends TrafficStop> {
  needs: (typeof liftTrafficStop | typeof liftCustomerTrafficStop)['needs'];
  /** The ID of the stop that is being lifted. */
  sending: string | undefined;
  onLift: (stop: T) => void;
}

/** The column with the button that lifts a stop, after a confirmation. */
export const liftColumn = <T extends TrafficStop>({ needs, sending, onLift }: LiftColumn<T>): Column<T> => ({
  key: 'lift',
  title: '',
  fixed: true,
  align: 'end',
  render: (row) =>
    row.refuses && (
      <Allow needs={needs}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Lift stop of ${stopPlace(row)}`}
          loading={sending === row.id}
          onClick={() => void confirmLift(row).then((confirmed) => confirmed && onLift(row))}
        >
          Lift stop
        </Button>
      </Allow>
    ),
});

const confirmLift = (stop: TrafficStop) =>
  confirm({
    title: `Lift the stop on ${stopPlace(stop)}?`,
    consequence:
      'Messages there are sent and charged again. Fraud protection does not stop them again for the hours ' +
      'in its settings. ' +
      'Paused campaigns wait until they are resumed.',
    action: 'Lift stop',
  });
