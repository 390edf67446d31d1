import { Button } from '@mantine/core';
import {
  listVerificationStops,
  removeVerificationStop,
  type VerificationStop,
} from '@parley/contract/verifications/verifications.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Verifications.module.css';

/** "+447400…, United Kingdom" for a number range; otherwise just the country. */
const stopPlace = ({ kind, place, country }: VerificationStop): string =>
  `${kind === 'range' ? `+${place}…, ` : ''}${countryName(country)}`;

/** The number ranges and countries that get no codes. Hidden when there are none. */
export function StopsPart() {
  const stops = useEndpoint(listVerificationStops).data?.data ?? [];
  const allow = useAction(removeVerificationStop, {
    invalidates: ['verifications'],
    onSuccess: () => toast.success('Codes are allowed again'),
  });
  if (stops.length === 0) return null;
  const confirmAllow = async (stop: VerificationStop) => {
    const confirmed = await confirm({
      title: `Allow codes to ${stopPlace(stop)}?`,
      consequence: 'If these requests are fraudulent, you will pay for new codes until they are stopped again.',
      action: 'Allow codes',
    });
    if (confirmed) allow.mutate({ params: { id: stop.id } });
  };
  const columns: Column<VerificationStop>[] = [
    { key: 'place', title: 'Range or country', fixed: true, card: 'title', width: '100%', render: stopPlace },
    { key: 'sends', title: 'Unused per hour', align: 'end', render: (row) => formatNumber(row.sends) },
    { key: 'usual', title: 'Previous peak per hour', align: 'end', render: (row) => formatNumber(row.usual) },
    { key: 'date', title: 'Stopped', narrow: false, render: (row) => <DateTime value={row.stop_date} /> },
    {
      key: 'allow',
      title: '',
      fixed: true,
      align: 'end',
      render: (row) => (
        <Allow needs={removeVerificationStop.needs}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Allow codes to ${stopPlace(row)}`}
            loading={allow.isPending && allow.variables?.params?.id === row.id}
            onClick={() => void confirmAllow(row)}
          >
            Allow codes
          </Button>
        </Allow>
      ),
    },
  ];
  return (
    <section className={styles.section} aria-label="Stopped destinations">
      <h2 className={styles.heading}>Stopped destinations</h2>
      <p className={styles.lead}>
        Codes to these numbers surged, and almost none were entered. This is typical of fraud. Requests to send more are
        refused until you allow them.
      </p>
      <DataTable
        grow
        id="verifications.stops"
        label="Stopped destinations"
        columns={columns}
        rows={stops}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
