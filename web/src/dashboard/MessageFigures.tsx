import { SegmentedControl } from '@mantine/core';
import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { formatMoney, formatNumber, formatPercent } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { type Stat, StatChips } from '../ui/data/StatChips.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import styles from './Dashboard.module.css';
import { changeWords, PERIODS, type Period, type Question, SERIES, shares, toChartRows } from './figures.ts';

const TITLES: Readonly<Record<Question, string>> = {
  outgoing: 'What became of messages, by day',
  incoming: 'Messages received, by day',
  spend: 'Spend, by day',
};
const QUESTIONS: Readonly<Record<Question, string>> = { outgoing: 'Sent', incoming: 'Received', spend: 'Spend' };

/** Undefined while it is loading. */
export function MessageFigures({ figures, period }: { figures: Dashboard | undefined; period: Period }) {
  const { account } = useSession();
  const navigate = useNavigate();
  const mayMessages = useReason('MESSAGES:view') === null;
  const mayMoney = useReason('PAYMENTS:view') === null;
  const questions = (Object.keys(QUESTIONS) as Question[]).filter((one) => (one === 'spend' ? mayMoney : mayMessages));
  const [chosen, setChosen] = useState<Question>('outgoing');
  const question = questions.includes(chosen) ? chosen : questions[0];
  if (!question) return null;
  const split = figures ? shares(figures.channels) : [];
  const money = (micros: number) => formatMoney(micros, account.currency);
  return (
    <section className={styles.figures} aria-label="Messages">
      <div className={styles.figuresHead}>
        <div>
          <h2 className={styles.cardTitle}>Last {period} days</h2>
          <p className={styles.dim}>Compared with the {period} days before</p>
        </div>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={String(period)}
          onChange={(days) =>
            void navigate({
              to: '.',
              search: (days === '7' ? {} : { days }) as never,
              replace: true,
              resetScroll: false,
            })
          }
          data={PERIODS.map((days) => ({ value: String(days), label: `${days} days` }))}
        />
      </div>
      <StatChips
        label={`Last ${period} days`}
        stats={statsOf(figures, { mayMessages, mayMoney, currency: account.currency })}
      />
      <div className={styles.chartRow} data-alone={split.length < 2 || undefined}>
        <div className={styles.chartBox}>
          {questions.length > 1 && (
            <SegmentedControl
              className={styles.question}
              size="xs"
              aria-label="What the chart shows"
              value={question}
              onChange={(next) => setChosen(next as Question)}
              data={questions.map((one) => ({ value: one, label: QUESTIONS[one] }))}
            />
          )}
          <Chart
            key={question}
            title={TITLES[question]}
            kind="bar"
            stacked
            rows={figures && toChartRows(figures.days)}
            x={{ key: 'day', label: 'Day' }}
            series={SERIES[question]}
            format={question === 'spend' ? money : formatNumber}
            file={`${question}-${period}-days`}
            empty={
              <EmptyState title="Nothing in these days">
                {question === 'incoming'
                  ? 'What people write to your numbers is counted here.'
                  : 'Campaigns, replies and messages of the API are counted here as they go out.'}
              </EmptyState>
            }
          />
        </div>
        {split.length > 1 && (
          <div>
            <h3 className={styles.splitTitle}>By channel</h3>
            <ul className={styles.split} aria-label="Messages by channel">
              {split.map(({ channel, count, part }) => (
                <li key={channel} className={styles.share}>
                  <ChannelMark channel={channel} />
                  <span className={styles.splitFigures}>
                    <b>{formatPercent(part, 1)}</b> <span className={styles.dim}>{formatNumber(count)}</span>
                  </span>
                  <span className={styles.bar} aria-hidden>
                    <span
                      className={styles.fill}
                      style={{ width: `${part * 100}%`, background: `var(--${channel.toLowerCase()}-mark)` }}
                    />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}

function statsOf(
  figures: Dashboard | undefined,
  { mayMessages, mayMoney, currency }: { mayMessages: boolean; mayMoney: boolean; currency: string },
): Stat[] {
  const { total, before } = figures ?? {};
  const count = (key: 'sent' | 'delivered' | 'failed' | 'received', label: string, tone?: Stat['tone']): Stat => ({
    key,
    label,
    value: total && formatNumber(total[key]),
    ...(tone ? { tone } : {}),
    note:
      total && before
        ? [
            key === 'delivered' || key === 'failed' ? total.sent > 0 && formatPercent(total[key], total.sent) : null,
            changeWords(total[key], before[key]),
          ]
            .filter(Boolean)
            .join(' · ')
        : null,
  });
  return [
    ...(mayMessages
      ? [
          count('sent', 'Sent'),
          count('delivered', 'Delivered', 'ok'),
          count('failed', 'Failed', 'fail'),
          count('received', 'Received'),
        ]
      : []),
    ...(mayMoney
      ? [
          {
            key: 'spend',
            label: 'Spend',
            value: total && <Money micros={total.spend_micros} currency={currency} />,
            note: total && before ? changeWords(total.spend_micros, before.spend_micros) : null,
          },
        ]
      : []),
  ];
}
