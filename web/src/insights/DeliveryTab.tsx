import { type DeliveryCharts, getDeliveryCharts } from '@parley/contract/insights/charts.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { messagesPath } from '../paths.ts';
import { HeatMap } from '../ui/data/chart/HeatMap.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import type { Column } from '../ui/data/table/columns.ts';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ChartsError } from './ChartsError.tsx';
import { formatSeconds } from './durations.ts';
import { formatChange } from './figures.ts';
import { groupName, groupScope } from './groups.ts';
import styles from './Insights.module.css';
import { PeriodBar } from './PeriodBar.tsx';
import { chartScope, REFRESH_MS, useChartState } from './period.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const NO_DATA = <EmptyState title="No data for this period">Choose another period or channel.</EmptyState>;

/** A default export, because it is loaded with its tab. */
export default function DeliveryTab() {
  const state = useChartState();
  const query = useEndpoint(
    getDeliveryCharts,
    { query: state.query },
    { keepPrevious: true, refetchInterval: REFRESH_MS },
  );
  const charts = query.data?.data;
  if (query.error && !charts) return <ChartsError query={query} />;
  const scope = charts ? chartScope(charts.period, state.channel) : {};
  return (
    <div className={styles.charts}>
      <PeriodBar state={state} />
      <DeliveryChips charts={charts} scope={scope} />
      <HeatMap
        title="Delivery rate by hour"
        description={charts ? `Hours in ${charts.time_zone}. A stronger color means a higher rate.` : ''}
        corner="Day"
        rows={WEEKDAYS}
        columns={HOURS}
        isLoading={charts === undefined}
        cell={(row, column) => hourCell(charts, row, column)}
        empty={NO_DATA}
      />
      <section aria-label="Failure reasons" className={styles.section}>
        <h2 className={styles.heading}>Why messages failed</h2>
        <Reasons charts={charts} scope={scope} />
      </section>
      <div className={styles.pair}>
        <DelayTable title="Time to delivery by route" name="Route" rows={charts?.routes} />
        <DelayTable title="Time to delivery by network" name="Network" rows={charts?.networks} />
      </div>
    </div>
  );
}

function DeliveryChips({ charts, scope }: { charts: DeliveryCharts | undefined; scope: Record<string, string> }) {
  const { total, before } = charts ?? {};
  const chip = (key: 'delivered' | 'failed', label: string, tone: 'ok' | 'fail') => ({
    key,
    label,
    tone,
    value: total && formatPercent(total[key], total.sent),
    href: charts && messagesPath({ ...FIGURES[key], ...scope }),
    note: total && before && before.sent > 0 ? `${formatPercent(before[key], before.sent)} previously` : null,
  });
  return (
    <StatChips
      label="Delivery in this period"
      stats={[
        chip('delivered', MESSAGE_GROUPS.delivered.label, 'ok'),
        chip('failed', MESSAGE_GROUPS.undelivered.label, 'fail'),
        {
          key: 'sent',
          label: 'Messages sent',
          value: total && formatNumber(total.sent),
          href: charts && messagesPath({ ...FIGURES.sent, ...scope }),
          note: total && before && formatChange(total.sent, before.sent),
        },
      ]}
    />
  );
}

function hourCell(charts: DeliveryCharts | undefined, row: number, column: number) {
  const hour = charts?.hours.find((one) => one.weekday === row + 1 && one.hour === column);
  if (!hour) return null;
  const rate = formatPercent(hour.delivered, hour.sent);
  return {
    share: hour.delivered / hour.sent,
    // Whole percentages, so that 24 hours fit beside each other. 100% means that every message was delivered.
    text: `${Math.floor((100 * hour.delivered) / hour.sent)}%`,
    hint: `${rate} of ${formatNumber(hour.sent)} messages delivered, ${formatNumber(hour.failed)} undelivered`,
  };
}

type Reason = DeliveryCharts['reasons'][number];

function Reasons({ charts, scope }: { charts: DeliveryCharts | undefined; scope: Record<string, string> }) {
  const failed = charts?.total.failed ?? 0;
  const columns: Column<Reason>[] = [
    {
      key: 'reason',
      title: 'Reason',
      card: 'title',
      fixed: true,
      width: '100%',
      render: ({ value }) => (value === '' ? 'No reason given' : groupName('failure', { value, label: value })),
    },
    {
      key: 'failed',
      title: 'Messages',
      align: 'end',
      render: (row) => {
        const filter = groupScope('failure', row.value);
        return (
          <Figure href={filter ? messagesPath({ ...FIGURES.failed, ...scope, ...filter }) : undefined}>
            {formatNumber(row.failed)}
          </Figure>
        );
      },
    },
    { key: 'share', title: 'Share', align: 'end', render: (row) => formatPercent(row.failed, failed) },
    { key: 'change', title: 'Change', align: 'end', render: (row) => formatChange(row.failed, row.before) ?? 'New' },
  ];
  return (
    <DataTable
      id="insights.reasons"
      label="Why messages failed"
      columns={columns}
      rows={charts?.reasons}
      rowKey={(row) => row.value}
      grow
      empty={<EmptyState title="No undelivered messages">Failure reasons appear here.</EmptyState>}
    />
  );
}

type Delays = DeliveryCharts['routes'][number];

function DelayTable({ title, name, rows }: { title: string; name: string; rows: readonly Delays[] | undefined }) {
  const delay = (key: 'p50' | 'p95' | 'p99', label: string): Column<Delays> => ({
    key,
    title: label,
    align: 'end',
    render: (row) => formatSeconds(row[key]),
  });
  return (
    <section aria-label={title} className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      <DataTable
        id={`insights.${name.toLowerCase()}`}
        label={title}
        columns={[
          {
            key: 'name',
            title: name,
            card: 'title',
            fixed: true,
            render: (row) => row.label || `Unknown ${name.toLowerCase()}`,
          },
          { key: 'delivered', title: 'Delivered', align: 'end', render: (row) => formatNumber(row.delivered) },
          delay('p50', 'Median'),
          delay('p95', '95% within'),
          delay('p99', '99% within'),
        ]}
        rows={rows}
        rowKey={(row) => row.value}
        grow
        empty={NO_DATA}
      />
    </section>
  );
}
