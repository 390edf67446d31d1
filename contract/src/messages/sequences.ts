/**
 * Defines which status of a message can follow which, and how its charge changes. The server folds every change with
 * these tables. A change that cannot follow is kept in the timeline as late.
 */
import type { Status } from './statuses.ts';

const ENDED: readonly Status[] = ['failed', 'rejected', 'expired', 'blocked', 'unsubscribed'];
const ARRIVED: readonly Status[] = ['delivered', 'read'];

/**
 * The statuses that replace each status. Proof of delivery replaces every failure. Nothing replaces a cancellation,
 * because only a message that no carrier has can be canceled.
 */
export const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  scheduled: ['enroute', 'sent', ...ENDED, ...ARRIVED, 'canceled', 'received'],
  enroute: ['sent', ...ENDED, ...ARRIVED, 'canceled', 'received'],
  sent: [...ENDED, ...ARRIVED, 'canceled', 'received'],
  failed: [...ARRIVED, 'canceled', 'received'],
  rejected: [...ARRIVED, 'canceled', 'received'],
  expired: [...ARRIVED, 'canceled', 'received'],
  blocked: [...ARRIVED, 'canceled', 'received'],
  unsubscribed: [...ARRIVED, 'canceled', 'received'],
  delivered: ['read', 'canceled', 'received'],
  read: ['canceled', 'received'],
  canceled: [],
  received: [],
};

/**
 * The only statuses that can move a message backward. They require a carrier's report about a message that was given up
 * because its outcome was unknown (`failure: unknown`).
 */
export const REOPENS: readonly Status[] = ['sent', 'failed', 'rejected', 'expired', 'unsubscribed'];

interface Outcome {
  readonly status: Status;
  readonly failure?: string | null | undefined;
}

/** True if `now` reports the outcome of a message whose outcome was unknown. */
export const isReopening = (was: Outcome, now: Outcome): boolean =>
  was.failure === 'unknown' && ENDED.includes(was.status) && now.failure !== 'unknown' && REOPENS.includes(now.status);

/** True if a newer version of a message replaces an older one. */
export const isNewer = (was: Outcome, now: Outcome): boolean =>
  NEXT[was.status].includes(now.status) || isReopening(was, now);

type Charge = 'none' | 'held' | 'settled' | 'released';

/**
 * The charges that replace each charge. A hold is closed once. A released charge is settled again if the event for
 * which the channel charges is proven later; nothing reverses a settled charge.
 */
export const NEXT_CHARGE: Readonly<Record<Charge, readonly Charge[]>> = {
  none: [],
  held: ['settled', 'released'],
  settled: [],
  released: ['settled'],
};
