/** An anomaly with the numbers that triggered it. */
import {
  ANOMALY_STATUS,
  type Anomaly,
  anomalyTitle,
  formatExpected,
  formatObserved,
  getAnomaly,
} from '@parley/contract/insights/anomalies.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { linkToAddress } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/columns.ts';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Insights.module.css';
import { anomalyAddress } from './anomaly_words.ts';

/** The figures that do not include campaigns. */
const NO_CAMPAIGNS: ReadonlySet<string> = new Set(['volume', 'spend', 'latency']);

type Compared = Anomaly['compared'][number];

export const anomalyStatus = ({ end_date, end_reason }: Anomaly) => {
  if (end_date === null) return ANOMALY_STATUS.active;
  const reasons = { normal: 'Back to normal', quiet: 'Too few messages', off: 'Turned off' };
  return { ...ANOMALY_STATUS.ended, label: reasons[end_reason ?? 'normal'] };
};

/** A default export, because it is loaded when an anomaly is opened. */
export default function AnomalyPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getAnomaly, { params: { id: id ?? '' } }, { enabled: id !== null });
  const anomaly = query.data?.data;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={anomaly ? anomalyTitle(anomaly) : 'Anomaly'}
      recordId={id ?? undefined}
    >
      <RecordPage query={query} noun="anomaly">
        {(found) => <Facts anomaly={found} />}
      </RecordPage>
    </SidePanel>
  );
}

function Facts({ anomaly }: { anomaly: Anomaly }) {
  const { account } = useSession();
  const zone = useZone();
  const { metric, scope, hour, observed, expected, sample, compared, latest, latest_hour, end_date } = anomaly;
  const format = (value: number) => formatObserved(metric, value, account.currency);
  const columns: Column<Compared>[] = [
    {
      key: 'hour',
      title: 'Hour starting',
      card: 'title',
      fixed: true,
      width: '100%',
      render: (row) => <DateTime value={row.hour} />,
    },
    {
      key: 'figure',
      title: 'Figure',
      align: 'end',
      fixed: true,
      render: (row) =>
        scope === 'country' ? (
          <Figure href={anomalyAddress(anomaly, row.hour, zone)}>{format(row.observed)}</Figure>
        ) : (
          format(row.observed)
        ),
    },
    { key: 'sample', title: 'Messages', align: 'end', fixed: true, render: (row) => formatNumber(row.sample) },
  ];
  return (
    <div className={styles.charts}>
      <Fields
        fields={[
          { label: 'Status', value: <StatusBadge {...anomalyStatus(anomaly)} /> },
          { label: 'Hour starting', value: <DateTime value={hour} /> },
          { label: 'Observed', value: format(observed) },
          { label: 'Expected', value: formatExpected(anomaly, account.currency) },
          { label: 'Median', value: format(expected) },
          ...(metric === 'volume' ? [] : [{ label: 'Messages', value: formatNumber(sample) }]),
          ...(latest_hour === hour
            ? []
            : [{ label: 'Latest', value: <Latest text={format(latest)} hour={latest_hour} /> }]),
          ...(end_date === null ? [] : [{ label: 'Ended', value: <DateTime value={end_date} /> }]),
        ]}
      />
      <p className={styles.hint}>
        <Link {...linkToAddress(anomalyAddress(anomaly, hour, zone))}>
          {scope === 'country' ? 'Messages in this hour' : 'Open connection'}
        </Link>
        {scope === 'country' &&
          NO_CAMPAIGNS.has(metric) &&
          '. The log also lists campaign messages, which do not count.'}
      </p>
      <section aria-label="Compared hours" className={styles.section}>
        <h3 className={styles.heading}>The same hour of previous weeks</h3>
        <p className={styles.hint}>Receipts count if they arrived within 12 minutes after the hour.</p>
        <DataTable
          id="anomaly_weeks"
          label="The same hour of previous weeks"
          columns={columns}
          rows={compared}
          rowKey={(row) => row.hour}
          grow
          empty={null}
        />
      </section>
    </div>
  );
}

const Latest = ({ text, hour }: { text: string; hour: string }) => (
  <>
    {text}, hour starting <DateTime value={hour} />
  </>
);
