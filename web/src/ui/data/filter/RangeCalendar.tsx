import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import type { DateRange } from './date_range.ts';
import '@mantine/dates/styles.layer.css';

/** The calendar of a date range. A default export, because it is loaded lazily. */
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
