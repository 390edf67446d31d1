import { formatNumber } from '../ui/data/format.ts';
import { isCountedInSegments } from './counter.ts';

interface Position {
  month: string;
  first_unit: number;
  last_unit: number;
}

/** "Segments 9,999 to 10,001 of 2027-03" */
export function volumeText({ month, first_unit, last_unit }: Position, channel: string): string {
  const noun = isCountedInSegments(channel) ? 'Segment' : 'Message';
  const units =
    first_unit === last_unit
      ? `${noun} ${formatNumber(first_unit)}`
      : `${noun}s ${formatNumber(first_unit)} to ${formatNumber(last_unit)}`;
  return `${units} of ${month}`;
}
