/**
 * Folds a sequence of changes into a message's state. The function is pure, so that tests can try every order.
 * `contract/src/messages/sequences.ts` defines which status and which charge may follow which; any other change is only
 * added to the timeline. The hold is closed once. A released charge is settled again if proof arrives later.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { TimelineEntry } from '@parley/contract/messages/details.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { isNewer, isReopening, NEXT_CHARGE } from '@parley/contract/messages/sequences.ts';
import { isFinal, RANK, type Status } from '@parley/contract/messages/statuses.ts';
import type { Change } from './change.ts';
import { reportedTime } from './reported_time.ts';

export interface MessageState {
  readonly channel: ChannelName;
  readonly status: Status;
  readonly charge: Message['charge'];
  readonly failure: string | null;
  readonly carrier_code: string | null;
  readonly status_details: string | null;
  readonly connection_id: string | null;
  readonly possible_duplicate: boolean;
  /** The number of timeline entries so far. */
  readonly timeline_length: number;
}

export interface Folded extends MessageState {
  readonly changed: boolean;
  /** The entries to append to the timeline. */
  readonly entries: readonly TimelineEntry[];
}

/**
 * Limits how far a message's timeline grows when its carrier keeps repeating reports. A change that raises the status
 * is always recorded.
 */
export const MAX_TIMELINE_ENTRIES = 60;
export const ACCEPTED: readonly Status[] = ['sent', 'delivered', 'read'];
const DELIVERED: readonly Status[] = ['delivered', 'read'];

export function fold(state: MessageState, changes: readonly Change[], now: Date): Folded {
  let folded: Folded = { ...state, changed: false, entries: [] };
  for (const change of changes) folded = applyChange(folded, change, now);
  return folded;
}

function applyChange(before: Folded, change: Change, now: Date): Folded {
  const rises = canReplace(before, change);
  const length = before.timeline_length + before.entries.length;
  const entries =
    rises || length < MAX_TIMELINE_ENTRIES
      ? [...before.entries, timelineEntry(change, now, !rises && isLate(before.status, change.status))]
      : before.entries;
  const connection_id = change.connection_id ?? before.connection_id;
  const possible_duplicate = before.possible_duplicate || change.possible_duplicate === true;
  const charge = nextCharge(before, change, rises);
  if (!rises) {
    const changed = before.changed || charge !== before.charge;
    return {
      ...before,
      charge,
      changed,
      entries,
      possible_duplicate,
      connection_id: before.connection_id ?? connection_id,
    };
  }
  const failed = RANK[change.status] === RANK.failed;
  return {
    ...before,
    status: change.status,
    charge,
    failure: failed ? failureReason(before, change) : null,
    carrier_code: failed ? (change.code ?? null) : null,
    status_details: failed ? (change.text ?? null) : null,
    connection_id,
    possible_duplicate,
    entries,
    changed: true,
  };
}

/** A note about a message in transit, such as a delayed retry, is not late. A repeated or older result is late. */
export const isLate = (was: Status, now: Status): boolean => RANK[now] < RANK[was] || isFinal(was);

/** A message that expired while it waited to be sent again may have arrived the first time. */
const failureReason = (before: MessageState, { failure, source, accepted }: Change): string | null =>
  before.possible_duplicate && failure === 'expired' && source === 'worker' && !accepted
    ? 'unknown'
    : (failure ?? null);

/** True if the change decides the status. Only the carrier can report the outcome of a message that was given up. */
export const canReplace = (was: Pick<MessageState, 'status' | 'failure'>, change: Change): boolean =>
  isNewer(was, change) && (change.source === 'carrier' || !isReopening(was, change));

/**
 * Channels that charge on delivery do not charge on acceptance. A change that does not replace the status can still
 * prove that the carrier has a part of a message that was given up.
 */
function nextCharge(before: MessageState, change: Change, rises: boolean): Message['charge'] {
  const isDue =
    channelRules(before.channel).charged_at === 'delivered'
      ? DELIVERED.includes(change.status)
      : ACCEPTED.includes(change.status) || change.accepted === true;
  const isProof = before.failure === 'unknown' && change.source === 'carrier';
  const next = isDue ? 'settled' : isFinal(change.status) ? 'released' : 'held';
  return (rises || (isDue && isProof)) && NEXT_CHARGE[before.charge].includes(next) ? next : before.charge;
}

export function timelineEntry(change: Change, now: Date, late: boolean): TimelineEntry {
  return {
    at: timelineTime(reportedTime(change.at, now)),
    status: change.status,
    source: change.source,
    ...(change.code === undefined ? {} : { code: change.code }),
    ...(change.text === undefined ? {} : { text: change.text }),
    ...(change.detail === undefined ? {} : { detail: change.detail }),
    ...(late ? { late } : {}),
  };
}

/** Formats a time as UTC with milliseconds. */
export const timelineTime = (date: Date): string => date.toISOString().slice(0, 23).replace('T', ' ');
