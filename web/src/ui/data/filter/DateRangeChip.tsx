import { Button } from '@mantine/core';
import { IconCalendar, IconX } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import { Popup } from '../../layout/Popup.tsx';
import { dayKey } from '../format.ts';
import { useZone } from '../zone.ts';
import type { DateRange } from './date_range.ts';
import styles from './FilterBar.module.css';

// The calendar (30 KiB) is loaded when the user opens it.
const RangeCalendar = lazyPart(() => import('./RangeCalendar.tsx'));

const displayDay = (day: string | null): string =>
  day ? `${day.slice(0, 10).split('-').reverse().join('-')} ${day.slice(11)}`.trim() : '';

const DAY_MS = 86_400_000;
const PRESETS = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 90 days', days: 90 },
];

interface DateRangeChipProps {
  label: string;
  value: DateRange;
  onChange: (range: DateRange) => void;
}

export function DateRangeChip({ label, value, onChange }: DateRangeChipProps) {
  const zone = useZone();
  const isOn = value.from !== null || value.to !== null;
  const text = value.from === value.to ? displayDay(value.from) : `${displayDay(value.from)} – ${displayDay(value.to)}`;
  return (
    <Popup
      label={label}
      align="start"
      takesFocus
      className={styles.calendar}
      target={(target) => (
        <span className={styles.chip} data-on={isOn || undefined}>
          <button {...target} className={styles.chipButton}>
            <IconCalendar size={14} aria-hidden />
            {label}
            {isOn && <b className={styles.chipValue}>{text}</b>}
          </button>
          {isOn && (
            <button
              type="button"
              className={styles.chipClear}
              aria-label={`Clear ${label}`}
              onClick={() => onChange({ from: null, to: null })}
            >
              <IconX size={13} aria-hidden />
            </button>
          )}
        </span>
      )}
    >
      {(close) => {
        const choose = (range: DateRange) => {
          onChange(range);
          close();
        };
        return (
          <>
            <div className={styles.presets}>
              {PRESETS.map(({ label: name, days }) => (
                <Button
                  key={name}
                  variant="subtle"
                  size="xs"
                  onClick={() => {
                    const now = Date.now();
                    choose({ from: dayKey(now - (days - 1) * DAY_MS, zone), to: dayKey(now, zone) });
                  }}
                >
                  {name}
                </Button>
              ))}
            </div>
            <Suspense fallback={<Skeleton width={252} height={270} />}>
              <RangeCalendar value={value} onChange={choose} />
            </Suspense>
          </>
        );
      }}
    </Popup>
  );
}
