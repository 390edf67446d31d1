/** What happened while one was elsewhere in the app: finished imports, completed campaigns. Kept for this tab; modules add, the bell shows. */
import { useSyncExternalStore } from 'react';
import type { Tone } from '../ui/data/status.ts';

export interface Notice {
  /** The same id replaces the earlier notice. */
  id: string;
  title: string;
  text?: string;
  path?: string;
  tone: Tone;
  at: number;
}

const MOST = 30;
let notices: readonly Notice[] = [];
let seenAt = Date.now();
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function addNotice(notice: Omit<Notice, 'at'>): void {
  notices = [{ ...notice, at: Date.now() }, ...notices.filter((other) => other.id !== notice.id)].slice(0, MOST);
  changed();
}

export function clearNotices(): void {
  notices = [];
  changed();
}

export function markNoticesSeen(): void {
  seenAt = Date.now();
  notices = [...notices];
  changed();
}

export const useNotices = (): readonly Notice[] => useSyncExternalStore(subscribe, () => notices);
export const unseen = (list: readonly Notice[]): number => list.filter((notice) => notice.at > seenAt).length;
