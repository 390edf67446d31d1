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
/** "+447400…, United Kingdom" for a number range; otherwise just the country. */
const stopPlace = ({ kind, place, country }: CodeStop): string =>
  `${kind === 'range' ? `+${place}…, ` : ''}${names.of(country) ?? country}`;

/** The number ranges and countries that no longer receive verification codes. Hidden when there are none. */
export function CodeStops() {
  const stops = useEndpoint(listCodeStops, {}, { refetchInterval: REFRESH_MS }).data?.data ?? [];
  const allow = useAction(removeCodeStop, {
    invalidates: ['health'],
    onSuccess: () => toast.success('Verification codes are allowed again'),
  });
  if (stops.length === 0) return null;
  const confirmAllow = async (stop: CodeStop) => {
    const confirmed = await confirm({
      title: `Allow codes to ${stopPlace(stop)}?`,
      consequence:
        'If these requests are fraudulent, new codes will cost money until the next code stop. ' +
        'Codes sent so far will not count toward it.',
      action: 'Allow codes',
    });
    if (confirmed) allow.mutate({ params: { id: stop.id } });
  };
  const columns: Column<CodeStop>[] = [
    {
      key: 'place',
      title: 'Range or country',
      fixed: true,
      width: '100%',
      render: (row) => <span className={styles.name}>{stopPlace(row)}</span>,
    },
    {
      key: 'sends',
      title: 'Unused per hour',
      align: 'end',
      narrow: false,
      render: (row) => formatNumber(row.sends),
    },
    {
      key: 'usual',
      title: 'Previous peak per hour',
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
    <section id="code-stops" className={health_styles.block} aria-label="Code stops">
      <h2>Code stops</h2>
      <p className={health_styles.lead}>
        {formatCount(stops.length, 'range or country', 'ranges or countries')} can no longer receive verification codes,
        because too many codes sent there were never used. People there cannot verify their phone numbers until you
        allow codes again.
      </p>
      <DataTable
        grow
        id="code_stops"
        label="Code stops"
        columns={columns}
        rows={stops}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
