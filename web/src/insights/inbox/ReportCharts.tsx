/** The charts of a report: one figure by day, and the groups as a chart and as a table. */
import type { InboxReport, ReportDimension } from '@parley/contract/insights/inbox_reports.ts';
import type { ReportEvent } from '@parley/contract/insights/reported_conversations.ts';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import { Chart } from '../../ui/data/chart/Chart.tsx';
import type { ChartSeries } from '../../ui/data/chart/chart_props.ts';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatDayMonth, formatNumber } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/columns.ts';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { formatSeconds } from '../durations.ts';
import { formatChange } from '../figures.ts';
import styles from '../Insights.module.css';
import { reportedPath } from './ReportedList.tsx';
import { DIMENSION_LABELS, groupFilter, groupName, type ReportState } from './report_state.ts';
import { targetShare } from './target_share.ts';

const VOLUME: readonly ChartSeries[] = [
  { key: 'opened', label: 'Opened', color: 'var(--flight-mark)' },
  { key: 'answered', label: 'First replies', color: 'var(--accent)' },
  { key: 'closed', label: 'Closed', color: 'var(--ok-mark)' },
];
const QUESTIONS = {
  volume: { label: 'Volume', title: 'Conversations by day', kind: 'bar', series: VOLUME },
  response: {
    label: 'First response',
    title: 'Median first response time by day',
    kind: 'bar',
    series: [{ key: 'response_seconds', label: 'First response', color: 'var(--accent)' }],
  },
  resolution: {
    label: 'Resolution',
    title: 'Median resolution time by day',
    kind: 'bar',
    series: [{ key: 'resolution_seconds', label: 'Resolution', color: 'var(--accent)' }],
  },
  backlog: {
    label: 'Backlog',
    title: 'Open conversations at the end of each day',
    kind: 'line',
    series: [{ key: 'backlog', label: 'Backlog', color: 'var(--accent)' }],
  },
} as const satisfies Record<string, { label: string; title: string; kind: string; series: readonly ChartSeries[] }>;
type Question = keyof typeof QUESTIONS;

/** The largest groups are in the chart, and all of them are in the table. */
const CHARTED = 10;
const EMPTY = <EmptyState title="No conversations in this period">Choose another period or clear a filter.</EmptyState>;

/** A day without a time has no bar in the chart and a dash in the table. */
const formatTime = (seconds: number): string => (seconds === 0 ? '–' : formatSeconds(seconds));
const isCounted = (key: string): key is ReportEvent => key === 'opened' || key === 'answered' || key === 'closed';

interface ReportChartsProps {
  /** Undefined while it loads. */
  report: InboxReport | undefined;
  state: ReportState;
}

export function ReportCharts({ report, state }: ReportChartsProps) {
  return (
    <>
      <DayChart report={report} scope={state.scope} />
      <GroupChart report={report} state={state} />
      <GroupTable report={report} state={state} />
    </>
  );
}

function DayChart({ report, scope }: { report: InboxReport | undefined; scope: Record<string, string> }) {
  const [question, setQuestion] = useState<Question>('volume');
  const { title, kind, series } = QUESTIONS[question];
  const isTime = question === 'response' || question === 'resolution';
  return (
    <Chart
      key={question}
      title={title}
      kind={kind}
      control={
        <Segments
          aria-label="Chart"
          value={question}
          onChange={(value) => setQuestion(value as Question)}
          data={Object.entries(QUESTIONS).map(([value, { label }]) => ({ value, label }))}
        />
      }
      rows={report?.days.map((row) => ({ ...row, day: formatDayMonth(row.date) }))}
      x={{ key: 'day', label: 'Day' }}
      series={series}
      format={isTime ? formatTime : formatNumber}
      href={({ date }, key) =>
        isCounted(key) ? reportedPath({ ...scope, event: key, from: String(date), to: String(date) }) : undefined
      }
      file={`inbox-${question}-${report ? `${report.period.from}-${report.period.to}` : 'period'}`}
      empty={EMPTY}
    />
  );
}

type Group = InboxReport['groups'][number];

const nameGroup = (by: ReportDimension, row: Pick<Group, 'value' | 'label'>): string =>
  by === 'channel' ? channelLabel(row.value) : groupName(by, row);

/** There is no list without a report, or for a group that cannot be filtered. */
function groupPath({ report, state }: ReportChartsProps, value: string, event: ReportEvent): string | undefined {
  const filter = report && groupFilter(report.by, value);
  return filter ? reportedPath({ ...state.scope, event, ...report.period, ...filter }) : undefined;
}

function GroupChart({ report, state }: ReportChartsProps) {
  const by = report?.by ?? state.by;
  return (
    <Chart
      title={`Conversations by ${DIMENSION_LABELS[by].toLowerCase()}`}
      kind="bar"
      control={
        <SmallSelect
          aria-label="Split by"
          value={state.by}
          onChange={(split) => state.change({ split })}
          data={Object.entries(DIMENSION_LABELS).map(([value, label]) => ({
            value,
            label: `By ${label.toLowerCase()}`,
          }))}
        />
      }
      rows={report?.groups.slice(0, CHARTED).map(({ value, label, opened, answered, closed }) => ({
        ...{ value, name: nameGroup(by, { value, label }), opened, answered, closed },
      }))}
      x={{ key: 'name', label: DIMENSION_LABELS[by] }}
      series={VOLUME}
      href={({ value }, key) => (isCounted(key) ? groupPath({ report, state }, String(value), key) : undefined)}
      file={`inbox-by-${by}`}
      empty={EMPTY}
    />
  );
}

function GroupTable({ report, state }: ReportChartsProps) {
  const by = report?.by ?? state.by;
  const count = (key: ReportEvent, title: string): Column<Group> => ({
    key,
    title,
    align: 'end',
    render: (row) => <Figure href={groupPath({ report, state }, row.value, key)}>{formatNumber(row[key])}</Figure>,
  });
  const time = (key: 'response_seconds' | 'resolution_seconds', title: string): Column<Group> => ({
    key,
    title,
    align: 'end',
    render: (row) => (row[key] === null ? '–' : formatSeconds(row[key])),
  });
  const inTime = (key: 'response' | 'resolution', title: string): Column<Group> => ({
    ...{ key: `${key}_in_time`, title, align: 'end', narrow: false },
    render: (row) => targetShare(row, key) ?? '–',
  });
  return (
    <>
      <DataTable
        id="insights.inbox_groups"
        label={`By ${DIMENSION_LABELS[by].toLowerCase()}`}
        columns={[
          {
            ...{ key: 'name', title: DIMENSION_LABELS[by], card: 'title', fixed: true, width: '100%' },
            render: (row) => <bdi>{nameGroup(by, row)}</bdi>,
          },
          count('opened', 'Opened'),
          {
            ...{ key: 'change', title: 'Change', align: 'end', narrow: false },
            render: (row) => formatChange(row.opened, row.before.opened) ?? (row.opened > 0 ? 'New' : '–'),
          },
          count('answered', 'First replies'),
          count('closed', 'Closed'),
          time('response_seconds', 'First response'),
          time('resolution_seconds', 'Resolution'),
          ...(report && report.total.response_targets > 0 ? [inTime('response', 'Responses on time')] : []),
          ...(report && report.total.resolution_targets > 0 ? [inTime('resolution', 'Resolutions on time')] : []),
        ]}
        rows={report?.groups}
        rowKey={(row) => row.value}
        rowName={(row) => nameGroup(by, row)}
        grow
        empty={EMPTY}
      />
      {report && report.groups_total > report.groups.length && (
        <p className={styles.hint}>
          Showing the {formatNumber(report.groups.length)} largest of {formatNumber(report.groups_total)}.
        </p>
      )}
    </>
  );
}
