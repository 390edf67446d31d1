import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { useState } from 'react';
import { messagesPath } from '../paths.ts';
import { Segments } from '../ui/controls/Segments.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { formatMoney, formatNumber } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { type Question, SERIES, SERIES_FIGURES, toChartRows } from './figures.ts';

const TITLES: Readonly<Record<Question, string>> = {
  outgoing: 'Delivery by day',
  incoming: 'Messages received by day',
  spend: 'Spend by day',
};
const QUESTIONS: Readonly<Record<Question, string>> = { outgoing: 'Delivery', incoming: 'Received', spend: 'Spend' };

/** The charts that the user may view. */
export const allowedQuestions = (mayMessages: boolean, mayMoney: boolean): Question[] =>
  (Object.keys(QUESTIONS) as Question[]).filter((one) => (one === 'spend' ? mayMoney : mayMessages));

interface DailyChartProps {
  /** Undefined while they load. */
  days: Parameters<typeof toChartRows>[0] | Dashboard['days'] | undefined;
  questions: readonly Question[];
  currency: string;
  /** The name of the CSV file without its question. */
  file: string;
  /** Filters of the log in addition to the day; null if the user may not open the log. */
  scope: Record<string, string> | null;
}

/** A chart that answers one question at a time: sent, received, or spend. */
export function DailyChart({ days, questions, currency, file, scope }: DailyChartProps) {
  const [selected, setSelected] = useState<Question>('outgoing');
  const question = questions.includes(selected) ? selected : (questions[0] as Question);
  return (
    <Chart
      key={question}
      control={
        questions.length > 1 && (
          <Segments
            aria-label="Chart"
            value={question}
            onChange={(next) => setSelected(next as Question)}
            data={questions.map((one) => ({ value: one, label: QUESTIONS[one] }))}
          />
        )
      }
      title={TITLES[question]}
      kind="bar"
      stacked
      rows={days && toChartRows(days)}
      x={{ key: 'day', label: 'Day' }}
      series={SERIES[question]}
      format={question === 'spend' ? (micros) => formatMoney(micros, currency) : formatNumber}
      file={`${question}-${file}`}
      href={
        scope === null
          ? undefined
          : ({ date }, key) => messagesPath({ ...SERIES_FIGURES[key], ...scope, from: String(date), to: String(date) })
      }
      empty={
        <EmptyState title="No data for this period">
          {question === 'incoming'
            ? 'Messages that people send to your numbers are counted here.'
            : 'Campaigns, replies, and API messages are counted here as they are sent.'}
        </EmptyState>
      }
    />
  );
}
