import { getCharts } from '@parley/contract/insights/charts.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { messagesPath } from '../paths.ts';
import { formatMoney, formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { StatChips } from '../ui/data/StatChips.tsx';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';
import { ChartsError } from './ChartsError.tsx';
import { DailyChart } from './DailyChart.tsx';
import { formatChange } from './figures.ts';
import { GroupSection } from './GroupSection.tsx';
import styles from './Insights.module.css';
import { PeriodBar } from './PeriodBar.tsx';
import { chartScope, REFRESH_MS, useChartState } from './period.ts';

/** A default export, because it is loaded with its tab. */
export default function CostsTab() {
  const { account, permissions } = useSession();
  const state = useChartState();
  const query = useEndpoint(
    getCharts,
    { query: { ...state.query, by: state.by } },
    { keepPrevious: true, refetchInterval: REFRESH_MS },
  );
  const charts = query.data?.data;
  const { currency } = account;
  if (!seesSpend(permissions))
    return <NotAllowed title="Costs" reason="You do not have permission to view payments or rates." />;
  if (query.error && !charts) return <ChartsError query={query} />;
  const { total, before } = charts ?? {};
  const scope = charts && chartScope(charts.period, state.channel);
  const unit = (figures: typeof total) =>
    figures && figures.delivered > 0 ? (figures.spend_micros ?? 0) / figures.delivered : 0;
  return (
    <div className={styles.charts}>
      <PeriodBar state={state} />
      <StatChips
        label="Costs in this period"
        stats={[
          {
            key: 'spend',
            label: 'Spend',
            value: total && <Money micros={total.spend_micros} currency={currency} />,
            href: scope && messagesPath({ ...FIGURES.spend, ...scope }),
            note: total && before && formatChange(total.spend_micros ?? 0, before.spend_micros ?? 0),
          },
          {
            key: 'unit',
            label: 'Per delivered message',
            value: total && formatMoney(unit(total), currency, { exact: true }),
            note: formatChange(unit(total), unit(before)),
            href: scope && messagesPath({ ...FIGURES.delivered, ...scope }),
          },
          {
            key: 'segments',
            label: 'Segments',
            value: total && formatNumber(total.segments),
            note: total && before && formatChange(total.segments, before.segments),
            href: scope && messagesPath(scope),
          },
        ]}
      />
      <DailyChart
        days={charts?.days}
        questions={['spend']}
        currency={currency}
        file={charts ? `${charts.period.from}-${charts.period.to}` : 'period'}
        scope={state.channel === null ? {} : { channel: state.channel }}
      />
      <GroupSection charts={charts} state={state} view="costs" withSpend currency={currency} />
    </div>
  );
}
