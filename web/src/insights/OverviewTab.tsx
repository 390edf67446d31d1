import { getCharts } from '@parley/contract/insights/charts.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { ChartsError } from './ChartsError.tsx';
import { allowedQuestions, DailyChart } from './DailyChart.tsx';
import { FigureChips } from './FigureChips.tsx';
import { GroupSection } from './GroupSection.tsx';
import styles from './Insights.module.css';
import { PeriodBar } from './PeriodBar.tsx';
import { chartScope, REFRESH_MS, useChartState } from './period.ts';

/** A default export, because it is loaded with its tab. */
export default function OverviewTab() {
  const { account, permissions } = useSession();
  const state = useChartState();
  const query = useEndpoint(
    getCharts,
    { query: { ...state.query, by: state.by } },
    { keepPrevious: true, refetchInterval: REFRESH_MS },
  );
  const charts = query.data?.data;
  const mayMoney = seesSpend(permissions);
  const scope = charts && chartScope(charts.period, state.channel);
  if (query.error && !charts) return <ChartsError query={query} />;
  return (
    <div className={styles.charts}>
      <PeriodBar state={state} />
      <FigureChips
        label="Figures for this period"
        total={charts?.total}
        before={charts?.before}
        optOuts={charts ? charts.opt_outs : null}
        scope={scope}
        mayMessages
        mayMoney={mayMoney}
        currency={account.currency}
      />
      <DailyChart
        days={charts?.days}
        questions={allowedQuestions(true, mayMoney)}
        currency={account.currency}
        file={charts ? `${charts.period.from}-${charts.period.to}` : 'period'}
        scope={state.channel === null ? {} : { channel: state.channel }}
      />
      <GroupSection charts={charts} state={state} view="messages" withSpend={mayMoney} currency={account.currency} />
    </div>
  );
}
