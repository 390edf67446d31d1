import { Tooltip } from '@mantine/core';
import { formatDate, formatDateTime, formatExact, formatTime, instant, type TimeInput } from './format.ts';
import { useZone } from './zone.ts';

export interface DateTimeProps {
  value: TimeInput | null | undefined;
  zone?: string;
  show?: 'both' | 'date' | 'time';
}

const WRITE = { both: formatDateTime, date: formatDate, time: formatTime };

/** DD-MM-YYYY HH:mm in the account's zone; hover or focus tells the exact moment. */
export function DateTime({ value, zone, show = 'both' }: DateTimeProps) {
  const accountZone = useZone();
  const used = zone ?? accountZone;
  const text = WRITE[show](value, used);
  if (value === null || value === undefined || text === '–') return <span className="tabular">–</span>;
  return (
    <Tooltip label={formatExact(value, used)}>
      <time className="tabular" dateTime={instant(value).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {tightened(text)}
      </time>
    </Tooltip>
  );
}

/** Tabular figures widen the hyphen too; between the parts of a date it stays narrow. */
const tightened = (text: string) =>
  text.split(/(-)/).map((part, index) =>
    part === '-' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <span key={index} style={{ fontVariantNumeric: 'normal' }}>
        -
      </span>
    ) : (
      part
    ),
  );
