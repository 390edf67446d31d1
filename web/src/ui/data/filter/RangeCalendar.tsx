import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import type { DateRange } from './DateRangeChip.tsx';
import '@mantine/dates/styles.layer.css';

/** A default export because it is loaded lazily. */
export default function RangeCalendar({ value, onChange }: { value: DateRange; onChange: (range: DateRange) => void }) {
  const [range, setRange] = useState<[string | null, string | null]>([value.from, value.to]);
  return (
    <DatePicker
      type="range"
      allowSingleDateInRange
      value={range}
      defaultDate={value.from ?? undefined}
      onChange={([from, to]) => {
        setRange([from, to]);
        if (from && to) onChange({ from, to });
      }}
    />
  );
}
