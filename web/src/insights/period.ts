/** The period, channel, and dimension of the charts, in the URL. The company's last choice is kept as its default. */
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { CHART_DIMENSIONS, type ChartDimension } from '@parley/contract/insights/charts.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { PERIODS, type Period } from './figures.ts';

interface ChartChoice {
  days: Period;
  /** A chosen period, instead of `days`. */
  from: string | null;
  to: string | null;
  channel: string | null;
  by: ChartDimension;
}

type Search = Readonly<Record<string, string | undefined>>;

export interface ChartState extends ChartChoice {
  /** The query of the charts' endpoints. */
  query: { days?: Period; from?: string; to?: string; filter?: { channel: string } };
  change: (changes: Partial<ChartChoice>) => void;
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');

export function useChartState(): ChartState {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { account } = useSession();
  const canKeep = useReason(updatePreference) === null;
  const keep = useAction(updatePreference, { onError: () => {} });
  const kept = account.preference.insights ?? {};
  const isChosen = isDay(search.from) && isDay(search.to);
  const days = PERIODS.find((one) => String(one) === String(search.days ?? kept.days)) ?? 7;
  const by = CHART_DIMENSIONS.find((one) => one === (search.by ?? kept.by)) ?? 'channel';
  const channel = search.channel || null;
  return {
    ...{ days, by, channel },
    from: isChosen ? search.from! : null,
    to: isChosen ? search.to! : null,
    query: {
      ...(isChosen ? { from: search.from!, to: search.to! } : { days }),
      ...(channel === null ? {} : { filter: { channel } }),
    },
    change: (changes) => {
      void navigate({
        to: '.',
        search: ((old: Search) => {
          const next = { ...old, page: undefined, ...toSearch(changes) };
          return Object.fromEntries(Object.entries(next).filter(([, value]) => value));
        }) as never,
        replace: true,
        resetScroll: false,
      });
      const { days: newDays, by: newBy } = changes;
      if (canKeep && (newDays !== undefined || newBy !== undefined))
        keep.mutate({
          body: { insights: { ...(newDays ? { days: newDays } : {}), ...(newBy ? { by: newBy } : {}) } },
        });
    },
  };
}

const toSearch = (changes: Partial<ChartChoice>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? undefined : String(value)]),
  );

/** There are too many messages to send live events for the figures. Instead, they are polled while the page is open. */
export const REFRESH_MS = 20_000;

/** The filters of the log for the messages of a chart. */
export const chartScope = (period: { from: string; to: string }, channel: string | null): Record<string, string> => ({
  from: period.from,
  to: period.to,
  ...(channel === null ? {} : { channel }),
});
