import { Tooltip } from '../feedback/Tooltip.tsx';
import { formatDate, formatDateTime, formatExact, formatTime, instant, type TimeInput } from './format.ts';
import { useZone } from './zone.ts';

interface DateTimeProps {
  value: TimeInput | null | undefined;
  zone?: string;
  show?: 'both' | 'date' | 'time';
}

const FORMATS = { both: formatDateTime, date: formatDate, time: formatTime };

/** DD-MM-YYYY HH:mm in the account's zone; the exact time is shown on hover or focus. */
export function DateTime({ value, zone, show = 'both' }: DateTimeProps) {
  const accountZone = useZone();
  const shownZone = zone ?? accountZone;
  const text = FORMATS[show](value, shownZone);
  if (value === null || value === undefined || text === '–') return <span className="tabular">–</span>;
  return (
    <Tooltip label={formatExact(value, shownZone)}>
      <time className="tabular" dateTime={instant(value).toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {withNarrowHyphens(text)}
      </time>
    </Tooltip>
  );
}

/** Tabular figures also widen the hyphen; this keeps the hyphens in a date narrow. */
const withNarrowHyphens = (text: string) =>
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
