/** The messages that each figure counts, as filters of the message log. A figure links to its messages. */
import { SENT_GROUPS } from '../messages/statuses.ts';

/** Statuses are words of the log's filter (`LOG_WORDS`). */
interface FigureFilter {
  readonly direction?: 'MT' | 'MO';
  readonly statuses?: readonly string[];
  readonly charge?: 'held' | 'settled';
}

export const FIGURES = {
  sent: { direction: 'MT', statuses: SENT_GROUPS },
  delivered: { direction: 'MT', statuses: ['delivered'] },
  failed: { direction: 'MT', statuses: ['undelivered'] },
  received: { direction: 'MO' },
  /** Messages sent and received. */
  traffic: { statuses: [...SENT_GROUPS, 'answered'] },
  spend: { charge: 'settled' },
  /** The amount reserved for messages on their way. */
  reserved: { charge: 'held' },
} as const satisfies Record<string, FigureFilter>;
