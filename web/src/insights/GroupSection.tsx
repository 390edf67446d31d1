import { CHART_DIMENSIONS, type ChartDimension, type Charts } from '@parley/contract/insights/charts.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { messagesPath } from '../paths.ts';
import { SmallSelect } from '../ui/controls/SmallSelect.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import type { ChartSeries } from '../ui/data/chart/chart_props.ts';
import { formatMoney, formatNumber } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { SERIES, SERIES_FIGURES } from './figures.ts';
import { GroupTable } from './GroupTable.tsx';
import { DIMENSION_LABELS, type Group, groupName, groupScope, shownGroups } from './groups.ts';
import styles from './Insights.module.css';
import { type ChartState, chartScope } from './period.ts';

/** The largest groups as a chart, and all of them as a table. */
const CHARTED = 10;

interface GroupSectionProps {
  /** Undefined while they load. */
  charts: Charts | undefined;
  state: ChartState;
  view: 'messages' | 'costs';
  withSpend: boolean;
  currency: string;
}

export function GroupSection({ charts, state, view, withSpend, currency }: GroupSectionProps) {
  const by = charts?.by ?? state.by;
  const groups = charts && sortGroups(shownGroups(charts), view);
  const scope = charts ? chartScope(charts.period, state.channel) : {};
  const { title, series, figures } = buildSeries(by, view);
  return (
    <>
      <Chart
        title={`${title} by ${DIMENSION_LABELS[by].toLowerCase()}`}
        kind="bar"
        stacked
        control={<DimensionSelect state={state} />}
        rows={groups?.slice(0, CHARTED).map((row) => toChartRow(by, row))}
        x={{ key: 'name', label: DIMENSION_LABELS[by] }}
        series={series}
        format={view === 'costs' ? (micros) => formatMoney(micros, currency) : formatNumber}
        href={({ value }, key) => {
          const filter = groupScope(by, String(value));
          return filter ? messagesPath({ ...figures[key], ...scope, ...filter }) : undefined;
        }}
        file={`${view}-by-${by}`}
        empty={<EmptyState title="No data for this period">Choose another period or channel.</EmptyState>}
      />
      <GroupTable by={by} rows={groups} scope={scope} currency={currency} view={view} withSpend={withSpend} />
      {charts && charts.groups_total > charts.groups.length && (
        <p className={styles.hint}>
          Showing the {formatNumber(charts.groups.length)} largest of {formatNumber(charts.groups_total)}. You can
          filter the log by any of them.
        </p>
      )}
    </>
  );
}

const sortGroups = (groups: Group[], view: GroupSectionProps['view']): Group[] =>
  view === 'costs' ? groups.toSorted((a, b) => (b.spend_micros ?? 0) - (a.spend_micros ?? 0)) : groups;

const toChartRow = (by: ChartDimension, row: Group) => ({
  name: groupName(by, row),
  value: row.value,
  delivered: row.delivered,
  failed: row.failed,
  open: Math.max(0, row.sent - row.delivered - row.failed),
  received: row.received,
  messages: row.messages,
  spend_micros: row.spend_micros ?? 0,
});

const RECEIVED = SERIES.incoming[0] as ChartSeries;

/** The series of the chart, and the messages that each counts. */
function buildSeries(by: ChartDimension, view: GroupSectionProps['view']) {
  if (view === 'costs')
    return {
      title: 'Spend',
      series: SERIES.spend,
      // A group by price is the filter itself.
      figures: { spend_micros: by === 'price' ? {} : FIGURES.spend } as Record<string, object>,
    };
  // Messages of one status are not split by status again.
  if (by === 'status')
    return {
      title: 'Messages',
      series: [{ key: 'messages', label: 'Messages', color: 'var(--accent)' }],
      figures: { messages: {} } as Record<string, object>,
    };
  return {
    title: 'Messages',
    series: [...SERIES.outgoing, RECEIVED],
    figures: SERIES_FIGURES as Record<string, object>,
  };
}

function DimensionSelect({ state }: { state: ChartState }) {
  return (
    <SmallSelect
      aria-label="Split by"
      value={state.by}
      onChange={(value) => state.change({ by: value as ChartDimension })}
      data={CHART_DIMENSIONS.map((value) => ({ value, label: `By ${DIMENSION_LABELS[value].toLowerCase()}` }))}
    />
  );
}
