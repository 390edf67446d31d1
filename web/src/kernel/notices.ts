/**
 * This tab's notifications, such as finished imports and completed campaigns. Modules add them, and the bell shows
 * them.
 */
import { useSyncExternalStore } from 'react';
import type { Tone } from '../ui/data/status.ts';

export interface Notice {
  /** A notice replaces any earlier notice with the same ID. */
  id: string;
  title: string;
  text?: string;
  path?: string;
  tone: Tone;
  at: number;
}

const MAX_NOTICES = 30;
let notices: readonly Notice[] = [];
let lastSeenAt = Date.now();
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function addNotice(notice: Omit<Notice, 'at'>): void {
  notices = [{ ...notice, at: Date.now() }, ...notices.filter((other) => other.id !== notice.id)].slice(0, MAX_NOTICES);
  notify();
}

export function markNoticesSeen(): void {
  lastSeenAt = Date.now();
  notices = [...notices];
  notify();
}

export const useNotices = (): readonly Notice[] => useSyncExternalStore(subscribe, () => notices);
export const countUnseen = (list: readonly Notice[]): number => list.filter((notice) => notice.at > lastSeenAt).length;
