/** Describes a conversation's clocks: which target is due next, and when. */
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { DUE_SOON_MINUTES, type Target } from '@parley/contract/inbox/targets.ts';
import { instant } from '../../ui/data/format.ts';
import { waitingText } from '../status/Waiting.tsx';

export const TARGET_LABELS: Readonly<Record<Target, string>> = {
  response: 'First response',
  resolution: 'Resolution',
};

export interface Due {
  target: Target;
  due: string;
  /** Seconds until then; negative: the target was missed. */
  seconds: number;
}

type Clocked = Pick<Conversation, 'clocks'>;

/** The targets with a running clock, those due first. */
export function listDue({ clocks }: Clocked, now: number): Due[] {
  const { response_due = null, resolution_due = null } = clocks ?? {};
  const rows = [
    { target: 'response' as const, due: response_due },
    { target: 'resolution' as const, due: resolution_due },
  ];
  return rows
    .flatMap(({ target, due }) =>
      due === null ? [] : [{ target, due, seconds: (instant(due).getTime() - now) / 1000 }],
    )
    .sort((a, b) => a.seconds - b.seconds);
}

export const isSoon = ({ seconds }: Due): boolean => seconds <= DUE_SOON_MINUTES * 60;

/** "First response due in 12 min", or "Due 12 min" if `brief`. */
export function dueText({ target, seconds }: Due, brief: boolean): string {
  const time = waitingText(Math.abs(seconds));
  if (brief) return seconds < 0 ? 'Overdue' : `Due ${time}`;
  return `${TARGET_LABELS[target]} ${seconds < 0 ? 'overdue by' : 'due in'} ${time}`;
}
