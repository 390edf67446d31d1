/** Response and resolution times, volume, and backlog of the inbox. A default export, loaded with its tab. */
import { listInboxUsers } from '@parley/contract/inbox/assignments.ts';
import { canViewBucket } from '@parley/contract/inbox/inbox.ts';
import { listLabels } from '@parley/contract/inbox/labels.ts';
import { listTeams } from '@parley/contract/inbox/teams.ts';
import { getInboxReport, type InboxReport } from '@parley/contract/insights/inbox_reports.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import { HeatMap } from '../../ui/data/chart/HeatMap.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ChartsError } from '../ChartsError.tsx';
import { formatSeconds } from '../durations.ts';
import { formatChange } from '../figures.ts';
import styles from '../Insights.module.css';
import { PeriodBar } from '../PeriodBar.tsx';
import { REFRESH_MS } from '../period.ts';
import { ReportCharts } from './ReportCharts.tsx';
import { ReportedList, reportedPath } from './ReportedList.tsx';
import { type ReportState, useReportState } from './report_state.ts';
import { targetShare } from './target_share.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

export default function InboxTab() {
  const state = useReportState();
  const query = useEndpoint(
    getInboxReport,
    {
      query: {
        ...state.chart.query,
        by: state.by,
        ...(Object.keys(state.filter).length > 0 ? { filter: state.filter } : {}),
      } as never,
    },
    { keepPrevious: true, refetchInterval: REFRESH_MS },
  );
  const report = query.data?.data;
  if (query.error && !report) return <ChartsError query={query} />;
  return (
    <div className={styles.charts}>
      <PeriodBar state={state.chart}>
        <ReportFilters state={state} />
      </PeriodBar>
      <OwnHint />
      <ReportChips report={report} scope={state.scope} />
      <ReportCharts report={report} state={state} />
      <HourMap report={report} />
      <ReportedList report={report} filter={state.filter} />
    </div>
  );
}

/** States whose conversations count for a user who may not view all of them. */
function OwnHint() {
  const { user, permissions } = useSession();
  const viewer = { user_id: user.id, permissions };
  if (canViewBucket('others', viewer)) return null;
  return (
    <p className={styles.hint}>
      {canViewBucket('none', viewer)
        ? 'These figures include only your conversations and those without an agent.'
        : 'These figures include only your conversations.'}
    </p>
  );
}

function ReportFilters({ state: { chosen, change } }: { state: ReportState }) {
  const { user, permissions } = useSession();
  const viewer = { user_id: user.id, permissions };
  const users = useEndpoint(listInboxUsers).data?.data ?? [];
  const labels = useEndpoint(listLabels).data?.data ?? [];
  const teams = useEndpoint(listTeams).data?.data ?? [];
  const none = { value: 'none', label: 'No agent' };
  const agents = canViewBucket('others', viewer) ? users : users.filter(({ id }) => id === user.id);
  return (
    <>
      {canViewBucket('none', viewer) && (
        <SmallSelect
          aria-label="Agent"
          isTall
          value={chosen.agent}
          onChange={(agent) => change({ agent })}
          data={[
            { value: '', label: 'All agents' },
            ...agents.map(({ id, full_name }) => ({ value: id, label: full_name })),
            none,
          ]}
        />
      )}
      {labels.length > 0 && (
        <SmallSelect
          aria-label="Label"
          isTall
          value={chosen.label}
          onChange={(label) => change({ label })}
          data={[{ value: '', label: 'All labels' }, ...labels.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      {teams.length > 0 && (
        <SmallSelect
          aria-label="Team"
          isTall
          value={chosen.team}
          onChange={(team) => change({ team })}
          data={[{ value: '', label: 'All teams' }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
    </>
  );
}

function ReportChips({ report, scope }: { report: InboxReport | undefined; scope: Record<string, string> }) {
  const { total, before, period } = report ?? {};
  const count = (key: 'opened' | 'answered' | 'closed', label: string): Stat => ({
    key,
    label,
    value: total && formatNumber(total[key]),
    href: period && reportedPath({ ...scope, event: key, ...period }),
    note: total && before && formatChange(total[key], before[key]),
  });
  const target = (key: 'response' | 'resolution', label: string, hint: string): Stat[] => {
    const share = total && targetShare(total, key);
    const previous = before && targetShare(before, key);
    if (share == null) return [];
    const note = previous == null ? undefined : `${previous} previously`;
    return [{ key: `${key}_target`, label, hint, value: share, note }];
  };
  const time = (key: 'response' | 'resolution', label: string, hint: string): Stat => {
    const now = total?.[`${key}_seconds`];
    const previous = before?.[`${key}_seconds`];
    const p90 = total?.[`${key}_p90_seconds`];
    return {
      key,
      label,
      hint,
      value: total && <span className={styles.count}>{now == null ? '–' : formatSeconds(now)}</span>,
      note: [
        p90 != null && `90% within ${formatSeconds(p90)}`,
        previous != null && `${formatSeconds(previous)} previously`,
      ]
        .filter(Boolean)
        .join(' · '),
    };
  };
  return (
    <StatChips
      label="Inbox in this period"
      stats={[
        count('opened', 'Opened'),
        count('answered', 'First replies'),
        count('closed', 'Closed'),
        time('response', 'First response', 'Median time from the first message to a user’s first reply'),
        time('resolution', 'Resolution', 'Median time from opening to closing'),
        ...target('response', 'Responses on time', 'First replies within their target'),
        ...target('resolution', 'Resolutions on time', 'Closed conversations within their target'),
        {
          key: 'backlog',
          label: 'Backlog',
          hint: 'Conversations that were open at the end of the period',
          value: total && formatNumber(total.backlog),
          note: total && before && formatChange(total.backlog, before.backlog),
        },
      ]}
    />
  );
}

function HourMap({ report }: { report: InboxReport | undefined }) {
  const most = Math.max(1, ...(report?.hours ?? []).map(({ opened }) => opened));
  return (
    <HeatMap
      title="Conversations opened by hour"
      description={report ? `Hours in ${report.time_zone}. A stronger color means more conversations.` : ''}
      corner="Day"
      rows={WEEKDAYS}
      columns={HOURS}
      isLoading={report === undefined}
      cell={(row, column) => {
        const hour = report?.hours.find((one) => one.weekday === row + 1 && one.hour === column);
        if (!hour || hour.opened === 0) return null;
        return {
          share: hour.opened / most,
          text: formatNumber(hour.opened),
          hint: `${formatCount(hour.opened, 'conversation')} opened, ${hour.answered} answered, ${hour.closed} closed`,
        };
      }}
      empty={<EmptyState title="No conversations in this period">Choose another period or clear a filter.</EmptyState>}
    />
  );
}
