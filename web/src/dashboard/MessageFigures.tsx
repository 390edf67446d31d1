import type { Dashboard } from '@parley/contract/insights/dashboard.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { useNavigate } from '@tanstack/react-router';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { channelLabel } from '../channels/index.ts';
import { allowedQuestions, DailyChart } from '../insights/DailyChart.tsx';
import { FigureChips } from '../insights/FigureChips.tsx';
import { channelShares, PERIODS, type Period } from '../insights/figures.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { messagesPath } from '../paths.ts';
import { Segments } from '../ui/controls/Segments.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import styles from './Dashboard.module.css';

/** Message counts, a chart by day, and the split by channel. `figures` is undefined while loading. */
export function MessageFigures({ figures, period }: { figures: Dashboard | undefined; period: Period }) {
  const { account } = useSession();
  const mayMessages = useReason('MESSAGES:view') === null;
  const mayMoney = useReason('PAYMENTS:view') === null;
  const questions = allowedQuestions(mayMessages, mayMoney);
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
      <FigureChips
        label={`Last ${period} days`}
        total={figures?.total}
        before={figures?.before}
        scope={figures && daysShown(figures)}
        mayMessages={mayMessages}
        mayMoney={mayMoney}
        currency={account.currency}
      />
      <div className={styles.chartRow} data-alone={shares.length < 2 || undefined}>
        <div className={styles.chartBox}>
          <DailyChart
            days={figures?.days}
            questions={questions}
            currency={account.currency}
            file={`${period}-days`}
            scope={mayMessages ? {} : null}
          />
        </div>
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
