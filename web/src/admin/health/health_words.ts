import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const HEALTH_WORDS: Readonly<Record<string, StatusStyle>> = {
  good: { label: 'All well', tone: 'ok', icon: IconCheck },
  warning: { label: 'Look at this', tone: 'wait', icon: IconAlertTriangle },
  bad: { label: 'Trouble', tone: 'fail', icon: IconX },
  alive: { label: 'Alive', tone: 'ok', icon: IconCheck },
  silent: { label: 'Silent', tone: 'fail', icon: IconX },
};

/** "12 s", "5 min", "3 h"; a dash where nothing waits. */
export function waited(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${Math.max(0, seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
