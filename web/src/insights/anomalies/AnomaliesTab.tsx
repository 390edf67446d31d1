/** The account's anomalies, newest first. A default export, because it is loaded with its tab. */
import {
  ANOMALY_METRICS,
  type Anomaly,
  formatExpected,
  formatObserved,
  getAnomalyAlerts,
  listAnomalies,
  METRIC_WORDS,
} from '@parley/contract/insights/anomalies.ts';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { ALERTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/columns.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { OnceOpen } from '../../ui/feedback/OnceOpen.tsx';
import styles from './AnomaliesTab.module.css';
import { anomalyStatus } from './AnomalyPanel.tsx';

const AnomalyPanel = lazyPart(() => import('./AnomalyPanel.tsx'));
const FILTERS = ['active', 'metric'] as const;
const FACETS = [
  {
    key: 'active',
    label: 'Status',
    options: [
      { value: 'true', label: 'Active' },
      { value: 'false', label: 'Ended' },
    ],
  },
  {
    key: 'metric',
    label: 'Figure',
    options: ANOMALY_METRICS.map((metric) => ({ value: metric, label: METRIC_WORDS[metric].label })),
  },
];

const toColumns = (currency: string): Column<Anomaly>[] => [
  { key: 'date', title: 'Hour starting', card: 'subtitle', render: (row) => <DateTime value={row.hour} /> },
  {
    key: 'metric',
    title: 'Figure',
    card: 'title',
    fixed: true,
    render: (row) => METRIC_WORDS[row.metric].label,
  },
  { key: 'place', title: 'Country or route', fixed: true, width: '100%', render: (row) => <bdi>{row.label}</bdi> },
  {
    key: 'observed',
    title: 'Observed',
    align: 'end',
    fixed: true,
    render: (row) => formatObserved(row.metric, row.observed, currency),
  },
  {
    key: 'expected',
    title: 'Expected',
    align: 'end',
    narrow: false,
    render: (row) => formatExpected(row, currency),
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...anomalyStatus(row)} />,
  },
];

export default function AnomaliesTab() {
  return (
    <>
      <OffNotice />
      <AnomalyList />
    </>
  );
}

/** Also shown on the operators' Health page. */
export function AnomalyList() {
  const { account } = useSession();
  const panel = usePanel('anomaly');
  const shownId = useDeferredValue(panel.id);
  const list = useList(listAnomalies, { filters: FILTERS, subject: 'The anomalies' });
  return (
    <>
      <ListTable
        id="insights.anomalies"
        label="Anomalies"
        noun="anomalies"
        list={list}
        facets={FACETS}
        columns={toColumns(account.currency)}
        rowKey={(row) => row.id}
        rowName={(row) => `${METRIC_WORDS[row.metric].label}, ${row.label}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconActivityHeartbeat} title="No anomalies yet">
            Each hour is compared with the same hour of the previous six weeks. Alerts need three weeks of traffic.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconActivityHeartbeat} title="No anomalies match these filters">
            Clear a filter.
          </EmptyState>
        }
      />
      <OnceOpen open={panel.id !== null} onClose={panel.close}>
        <AnomalyPanel id={shownId} onClose={panel.close} />
      </OnceOpen>
    </>
  );
}

function OffNotice() {
  const reason = useReason(getAnomalyAlerts.needs);
  const query = useEndpoint(getAnomalyAlerts, {}, { enabled: reason === null });
  if (query.data?.data.enabled !== false) return null;
  return (
    <Notice tone="info" className={styles.off}>
      Anomaly alerts are off. <Link to={ALERTS}>Turn them on</Link> to compare each hour with previous weeks.
    </Notice>
  );
}
