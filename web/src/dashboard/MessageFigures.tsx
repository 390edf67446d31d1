import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { channelLabel } from '../channels/index.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { messagesPath } from '../paths.ts';
import { Segments } from '../ui/controls/Segments.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatMoney, formatNumber, formatPercent } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { type Stat, StatChips } from '../ui/data/StatChips.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import styles from './Dashboard.module.css';
import { channelShares, formatChange, PERIODS, type Period, type Question, SERIES, toChartRows } from './figures.ts';

const TITLES: Readonly<Record<Question, string>> = {
  outgoing: 'Delivery by day',
  incoming: 'Messages received by day',
  spend: 'Spend by day',
};
const QUESTIONS: Readonly<Record<Question, string>> = { outgoing: 'Delivery', incoming: 'Received', spend: 'Spend' };

/** Message counts, a chart by day, and the split by channel. `figures` is undefined while loading. */
export function MessageFigures({ figures, period }: { figures: Dashboard | undefined; period: Period }) {
  const { account } = useSession();
  const mayMessages = useReason('MESSAGES:view') === null;
  const mayMoney = useReason('PAYMENTS:view') === null;
  const questions = (Object.keys(QUESTIONS) as Question[]).filter((one) => (one === 'spend' ? mayMoney : mayMessages));
  if (questions.length === 0) return null;
  const shares = figures ? channelShares(figures.channels) : [];
  return (
    <section className={styles.figures} aria-label="Messages">
      <div className={styles.figuresHead}>
        <div>
          <h2 className={styles.cardTitle}>Last {period} days</h2>
          <p className={styles.dim}>Compared with the previous {period} days</p>
        </div>
        <PeriodControl period={period} />
      </div>
      <StatChips
        label={`Last ${period} days`}
        stats={buildStats(figures, { mayMessages, mayMoney, currency: account.currency })}
      />
      <div className={styles.chartRow} data-alone={shares.length < 2 || undefined}>
        <DailyChart figures={figures} period={period} questions={questions} currency={account.currency} />
        {shares.length > 1 && <ChannelShares shares={shares} period={daysShown(figures)} />}
      </div>
    </section>
  );
}

function PeriodControl({ period }: { period: Period }) {
  const navigate = useNavigate();
  return (
    <Segments
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
  );
}

interface DailyChartProps {
  figures: Dashboard | undefined;
  period: Period;
  questions: readonly Question[];
  currency: string;
}

/** A chart that answers one question at a time: sent, received, or spend. */
function DailyChart({ figures, period, questions, currency }: DailyChartProps) {
  const [selected, setSelected] = useState<Question>('outgoing');
  const question = questions.includes(selected) ? selected : (questions[0] as Question);
  return (
    <div className={styles.chartBox}>
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
        rows={figures && toChartRows(figures.days)}
        x={{ key: 'day', label: 'Day' }}
        series={SERIES[question]}
        format={question === 'spend' ? (micros) => formatMoney(micros, currency) : formatNumber}
        file={`${question}-${period}-days`}
        empty={
          <EmptyState title="No data for this period">
            {question === 'incoming'
              ? 'Messages that people send to your numbers are counted here.'
              : 'Campaigns, replies, and API messages are counted here as they are sent.'}
          </EmptyState>
        }
      />
    </div>
  );
}

interface ChannelSharesProps {
  shares: ReturnType<typeof channelShares>;
  period: { from: string; to: string };
}

function ChannelShares({ shares, period }: ChannelSharesProps) {
  return (
    <section className={styles.splitBox}>
      <h3 className={styles.splitTitle}>By channel</h3>
      <ul className={styles.split} aria-label="Messages by channel">
        {shares.map(({ channel, count, part }) => (
          <li key={channel} className={styles.share}>
            <ChannelMark channel={channel} />
            <span className={styles.splitFigures}>
              <b>{formatPercent(part, 1)}</b>{' '}
              <span className={styles.dim}>
                <Figure
                  href={messagesPath({ ...FIGURES.traffic, channel, ...period })}
                  label={`${formatNumber(count)} ${channelLabel(channel)} messages`}
                >
                  {formatNumber(count)}
                </Figure>
              </span>
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
    </section>
  );
}

/** The first and the last day of the figures. */
const daysShown = (figures: Dashboard | undefined) => ({
  from: figures?.days[0]?.date ?? '',
  to: figures?.days.at(-1)?.date ?? '',
});

function buildStats(
  figures: Dashboard | undefined,
  { mayMessages, mayMoney, currency }: { mayMessages: boolean; mayMoney: boolean; currency: string },
): Stat[] {
  const { total, before, days } = figures ?? {};
  const period = daysShown(figures);
  const count = (key: 'sent' | 'delivered' | 'failed' | 'received', label: string, tone?: Stat['tone']): Stat => ({
    key,
    label,
    value: total && formatNumber(total[key]),
    href: days && messagesPath({ ...FIGURES[key], ...period }),
    ...(tone ? { tone } : {}),
    note:
      total && before
        ? [
            key === 'delivered' || key === 'failed' ? total.sent > 0 && formatPercent(total[key], total.sent) : null,
            formatChange(total[key], before[key]),
          ]
            .filter(Boolean)
            .join(' · ')
        : null,
  });
  return [
    ...(mayMessages
      ? [
          count('sent', 'Messages sent'),
          count('delivered', MESSAGE_GROUPS.delivered.label, 'ok'),
          count('failed', MESSAGE_GROUPS.undelivered.label, 'fail'),
          count('received', 'Messages received'),
        ]
      : []),
    ...(mayMoney
      ? [
          {
            key: 'spend',
            label: 'Spend',
            value: total && <Money micros={total.spend_micros} currency={currency} />,
            href: days && mayMessages ? messagesPath({ ...FIGURES.spend, ...period }) : undefined,
            note: total && before ? formatChange(total.spend_micros, before.spend_micros) : null,
          },
        ]
      : []),
  ];
}
