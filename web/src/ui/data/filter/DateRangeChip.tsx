import { Button, Popover } from '@mantine/core';
import { IconCalendar, IconX } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import { dayKey } from '../format.ts';
import { useZone } from '../zone.ts';
import type { DateRange } from './date_range.ts';
import styles from './FilterBar.module.css';

// The calendar (30 KiB) is loaded when the user opens it.
const RangeCalendar = lazyPart(() => import('./RangeCalendar.tsx'));

const displayDay = (day: string | null): string => (day ? day.split('-').reverse().join('-') : '');

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
  const [open, setOpen] = useState(false);
  const zone = useZone();
  const isOn = value.from !== null || value.to !== null;
  const text = value.from === value.to ? displayDay(value.from) : `${displayDay(value.from)} – ${displayDay(value.to)}`;
  const choose = (range: DateRange) => {
    onChange(range);
    setOpen(false);
  };
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus withRoles>
      <span className={styles.chip} data-on={isOn || undefined}>
        <Popover.Target>
          <button type="button" className={styles.chipButton} onClick={() => setOpen(!open)}>
            <IconCalendar size={14} aria-hidden />
            {label}
            {isOn && <b className={styles.chipValue}>{text}</b>}
          </button>
        </Popover.Target>
        {isOn && (
          <button
            type="button"
            className={styles.chipClear}
            aria-label={`Clear ${label}`}
            onClick={() => choose({ from: null, to: null })}
          >
            <IconX size={13} aria-hidden />
          </button>
        )}
      </span>
      <Popover.Dropdown className={styles.calendar} aria-label={label}>
        <div className={styles.presets}>
          {PRESETS.map((preset) => (
            <Button
              key={preset.label}
              variant="subtle"
              size="xs"
              onClick={() =>
                choose({
                  from: dayKey(Date.now() - (preset.days - 1) * DAY_MS, zone),
                  to: dayKey(Date.now(), zone),
                })
              }
            >
              {preset.label}
            </Button>
          ))}
        </div>
        <Suspense fallback={<Skeleton width={252} height={270} />}>
          <RangeCalendar value={value} onChange={choose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
