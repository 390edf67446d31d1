/**
 * Folds a sequence of changes into the state of a message. The function is pure, so that tests can try every order. A
 * status never falls (RANK); a later change with a lower rank is only added to the timeline. The first change that
 * decides the charge closes it for good.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Message, TimelineEntry } from '@parley/contract/messages/messages.ts';
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
  const rises = RANK[change.status] > RANK[before.status];
  const length = before.timeline_length + before.entries.length;
  const entries =
    rises || length < MAX_TIMELINE_ENTRIES
      ? [...before.entries, timelineEntry(change, now, !rises && isLate(before.status, change.status))]
      : before.entries;
  const connection_id = change.connection_id ?? before.connection_id;
  const possible_duplicate = before.possible_duplicate || change.possible_duplicate === true;
  if (!rises) return { ...before, entries, possible_duplicate, connection_id: before.connection_id ?? connection_id };
  const failed = RANK[change.status] === RANK.failed;
  return {
    ...before,
    status: change.status,
    charge: before.charge === 'held' ? nextCharge(before.channel, change) : before.charge,
    failure: failed ? (change.failure ?? null) : null,
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

/** On channels that charge on delivery, acceptance by the carrier is not charged. */
function nextCharge(channel: ChannelName, change: Change): Message['charge'] {
  const arrives = channelRules(channel).charged_at === 'delivered';
  if (arrives ? DELIVERED.includes(change.status) : ACCEPTED.includes(change.status) || change.accepted)
    return 'settled';
  return isFinal(change.status) ? 'released' : 'held';
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
