import { Button } from '@mantine/core';
import {
  listVerificationStops,
  removeVerificationStop,
  SIGNAL_WORDS,
  type VerificationStop,
} from '@parley/contract/verifications/stops.ts';
import { StopFigures } from '../guard/stops/StopFigures.tsx';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Verifications.module.css';

/** "+447400…, United Kingdom" for a number range; otherwise just the country. */
const stopPlace = ({ kind, place, country }: VerificationStop): string =>
  `${kind === 'range' ? `+${place}…, ` : ''}${countryName(country)}`;

const COLUMNS: Column<VerificationStop>[] = [
  { key: 'place', title: 'Range or country', fixed: true, card: 'title', render: stopPlace },
  {
    key: 'reason',
    title: 'Sign of fraud',
    width: '100%',
    card: 'subtitle',
    render: (row) => (
      <span className={styles.evidence}>
        <span>{SIGNAL_WORDS[row.signal].label}</span>
        <span className={styles.lead}>{row.reason}</span>
        <StopFigures figures={row.figures} />
      </span>
    ),
  },
  {
    key: 'state',
    title: 'Codes',
    card: 'corner',
    render: (row) => (
      <StatusBadge
        tone={row.refuses ? 'fail' : 'wait'}
        label={row.refuses ? 'Stopped' : 'Still sent'}
        icon={row.refuses ? 'ban' : 'alert'}
      />
    ),
  },
  { key: 'date', title: 'Since', narrow: false, render: (row) => <DateTime value={row.stop_date} /> },
  {
    key: 'until',
    title: 'Until',
    narrow: false,
    render: (row) => (row.expire_date ? <DateTime value={row.expire_date} /> : 'Until allowed'),
  },
];

const allowColumn = (
  sending: string | undefined,
  onAllow: (stop: VerificationStop) => Promise<void>,
): Column<VerificationStop> => ({
  key: 'allow',
  title: '',
  fixed: true,
  align: 'end',
  render: (row) =>
    row.refuses && (
      <Allow needs={removeVerificationStop.needs}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Allow codes to ${stopPlace(row)}`}
          loading={sending === row.id}
          onClick={() => void onAllow(row)}
        >
          Allow codes
        </Button>
      </Allow>
    ),
});

/** The number ranges and countries whose codes show signs of fraud. Hidden when there are none. */
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
  const columns = [...COLUMNS, allowColumn(allow.isPending ? allow.variables?.params?.id : undefined, confirmAllow)];
  return (
    <section className={styles.section} aria-label="Suspicious destinations">
      <h2 className={styles.heading}>Suspicious destinations</h2>
      <p className={styles.lead}>
        Codes to these numbers show signs of fraud. If codes are stopped, requests for more are refused at no charge. A
        stop ends at the time shown, or when you allow codes again.
      </p>
      <DataTable
        grow
        id="verifications.stops"
        label="Suspicious destinations"
        columns={columns}
        rows={stops}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
