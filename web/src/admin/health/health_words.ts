import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const HEALTH_WORDS: Readonly<Record<string, StatusStyle>> = {
  good: { label: 'Healthy', tone: 'ok', icon: IconCheck },
  warning: { label: 'Warning', tone: 'wait', icon: IconAlertTriangle },
  bad: { label: 'Critical', tone: 'fail', icon: IconX },
  alive: { label: 'Online', tone: 'ok', icon: IconCheck },
  silent: { label: 'Offline', tone: 'fail', icon: IconX },
};

/** "12 s", "5 min", "3 h"; a dash for an empty queue. */
export function formatWait(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${Math.max(0, seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
