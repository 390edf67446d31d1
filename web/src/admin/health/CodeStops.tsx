import { Button } from '@mantine/core';
import { type CodeStop, listCodeStops, removeCodeStop } from '@parley/contract/verify/code_stops.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Admin.module.css';
import health_styles from './Health.module.css';

const REFRESH_MS = 10_000;

const names = new Intl.DisplayNames('en', { type: 'region' });
/** "+447400…, United Kingdom", or the country alone. */
const placeOf = ({ kind, place, country }: CodeStop): string =>
  `${kind === 'range' ? `+${place}…, ` : ''}${names.of(country) ?? country}`;

/** Where no codes go any more, shown only when there is such a place: nobody should learn of it from customers. */
export function CodeStops() {
  const stops = useEndpoint(listCodeStops, {}, { refetchInterval: REFRESH_MS }).data?.data ?? [];
  const allow = useAction(removeCodeStop, {
    invalidates: ['health'],
    onSuccess: () => toast.success('Codes go there again'),
  });
  if (stops.length === 0) return null;
  const ask = async (stop: CodeStop) => {
    const yes = await confirm({
      title: 'Allow codes there again?',
      consequence: `${placeOf(stop)}: if it was fraud it costs money again until it stops once more. What was sent so far does not count against it.`,
      action: 'Allow again',
    });
    if (yes) allow.mutate({ params: { id: stop.id } });
  };
  const columns: Column<CodeStop>[] = [
    {
      key: 'place',
      title: 'Phones',
      fixed: true,
      width: '100%',
      render: (row) => <span className={styles.name}>{placeOf(row)}</span>,
    },
    {
      key: 'sends',
      title: 'Not given back in an hour',
      align: 'end',
      narrow: false,
      render: (row) => formatNumber(row.sends),
    },
    {
      key: 'usual',
      title: 'Busiest hour before',
      align: 'end',
      narrow: false,
      render: (row) => formatNumber(row.usual),
    },
    { key: 'date', title: 'Stopped', narrow: false, render: (row) => <DateTime value={row.stop_date} /> },
    {
      key: 'allow',
      title: '',
      fixed: true,
      align: 'end',
      render: (row) => (
        <Allow needs={removeCodeStop.needs}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Allow ${placeOf(row)} again`}
            loading={allow.isPending && allow.variables?.params?.id === row.id}
            onClick={() => void ask(row)}
          >
            Allow again
          </Button>
        </Allow>
      ),
    },
  ];
  return (
    <section className={health_styles.block} aria-label="Stopped codes">
      <h2>Stopped codes</h2>
      <p className={health_styles.lead}>
        {formatCount(stops.length, 'place gets', 'places get')} no codes any more, since many went there that nobody
        gave back. People with such a phone cannot confirm it until codes are allowed again.
      </p>
      <DataTable
        grow
        id="code_stops"
        label="Where codes are stopped"
        columns={columns}
        rows={stops}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
