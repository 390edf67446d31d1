import type { ReactNode } from 'react';
import { channelLabel } from '../channels/index.ts';
import { useSession } from '../kernel/session/session.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { SmallSelect } from '../ui/controls/SmallSelect.tsx';
import { DateRangeChip } from '../ui/data/filter/DateRangeChip.tsx';
import { PERIODS, type Period } from './figures.ts';
import styles from './Insights.module.css';
import type { ChartState } from './period.ts';

/** Chooses the period and the channel of the charts, and the filters of the tab. */
export function PeriodBar({ state, children }: { state: ChartState; children?: ReactNode }) {
  const { account } = useSession();
  const { days, from, to, channel, change } = state;
  return (
    <search className={styles.bar} aria-label="Period">
      <Segments
        aria-label="Period"
        value={from === null ? String(days) : ''}
        onChange={(value) => change({ days: Number(value) as Period, from: null, to: null })}
        data={PERIODS.map((one) => ({ value: String(one), label: `${one} days` }))}
      />
      <DateRangeChip label="Custom period" value={{ from, to }} onChange={(range) => change(withBothDays(range))} />
      {account.channels.length > 1 && (
        <SmallSelect
          aria-label="Channel"
          isTall
          value={channel ?? ''}
          onChange={(value) => change({ channel: value || null })}
          data={[
            { value: '', label: 'All channels' },
            ...account.channels.map((value) => ({ value, label: channelLabel(value) })),
          ]}
        />
      )}
      {children}
    </search>
  );
}

/** A range with one end is that day. */
const withBothDays = ({ from, to }: { from: string | null; to: string | null }) => ({
  from: from ?? to,
  to: to ?? from,
});
