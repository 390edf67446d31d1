/** The period, the filters, and the groups of an inbox report, in the URL. */
import type { ReportDimension } from '@parley/contract/insights/inbox_reports.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ChartState, useChartState } from '../period.ts';

const FILTERS = ['agent', 'label', 'team'] as const;
type FilterName = (typeof FILTERS)[number];
type Search = Readonly<Record<string, string | undefined>>;

const DIMENSIONS = ['agent', 'label', 'team', 'channel'] as const satisfies readonly ReportDimension[];

export interface ReportState {
  chart: ChartState;
  /** Empty strings: no filter. */
  chosen: Readonly<Record<FilterName, string>>;
  by: ReportDimension;
  /** The filters of the endpoints, and the same filters in the URL. */
  filter: Record<string, string>;
  scope: Record<string, string>;
  change: (changes: Partial<Record<FilterName | 'split', string>>) => void;
}

export function useReportState(): ReportState {
  const chart = useChartState();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const chosen = { agent: search.agent ?? '', label: search.label ?? '', team: search.team ?? '' };
  const channel: Record<string, string> = chart.channel === null ? {} : { channel: chart.channel };
  return {
    chart,
    chosen,
    scope: { ...channel, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)) },
    by: DIMENSIONS.find((one) => one === search.split) ?? 'agent',
    filter: {
      ...channel,
      ...Object.fromEntries(FILTERS.flatMap((name) => (chosen[name] ? [[`${name}_id`, chosen[name]]] : []))),
    },
    change: (changes) => {
      void navigate({
        to: '.',
        search: ((old: Search) =>
          Object.fromEntries(
            Object.entries({ ...old, page: undefined, ...changes }).filter(([, value]) => value),
          )) as never,
        replace: true,
        resetScroll: false,
      });
    },
  };
}

export const DIMENSION_LABELS: Readonly<Record<ReportDimension, string>> = {
  agent: 'Agent',
  label: 'Label',
  team: 'Team',
  channel: 'Channel',
};
const NONE: Readonly<Record<ReportDimension, string>> = {
  agent: 'No agent',
  label: 'No label',
  team: 'No team',
  channel: 'Unknown channel',
};

/** The name of a group. `label` is its value if the record was deleted. */
export function groupName(by: ReportDimension, { value, label }: { value: string; label: string }): string {
  if (value === '') return NONE[by];
  return label === value ? `Deleted ${DIMENSION_LABELS[by].toLowerCase()}` : label;
}

/** The filter in the URL for a group; null if there is none. */
export function groupFilter(by: ReportDimension, value: string): Record<string, string> | null {
  if (value !== '') return { [by]: value };
  return by === 'agent' ? { agent: 'none' } : null;
}
