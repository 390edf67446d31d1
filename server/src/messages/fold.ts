/**
 * What a sequence of changes makes of a message: pure, so that it can be tried on every order there is. A status only rises (RANK); what comes
 * later and lower is told in the timeline and changes nothing. The charge is closed by the first change that decides it and stays closed.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { isFinal, type Message, RANK, type Status, type TimelineEntry } from '@parley/contract/messages/messages.ts';
import type { Change } from './change.ts';
import { toldTime } from './told_time.ts';

export interface Standing {
  readonly channel: ChannelName;
  readonly status: Status;
  readonly charge: Message['charge'];
  readonly failure: string | null;
  readonly carrier_code: string | null;
  readonly status_details: string | null;
  readonly connection_id: string | null;
  readonly possible_duplicate: boolean;
  /** Entries in the timeline so far. */
  readonly told: number;
}

export interface Folded extends Standing {
  readonly changed: boolean;
  /** To be added to the timeline. */
  readonly entries: readonly TimelineEntry[];
}

/** A carrier that repeats itself for days must not make a message grow without end. What raised the status is always told. */
export const TIMELINE_MOST = 60;
export const TAKEN: readonly Status[] = ['sent', 'delivered', 'read'];
const ARRIVED: readonly Status[] = ['delivered', 'read'];

export function fold(standing: Standing, changes: readonly Change[], now: Date): Folded {
  let now_is: Folded = { ...standing, changed: false, entries: [] };
  for (const change of changes) now_is = step(now_is, change, now);
  return now_is;
}

function step(was: Folded, change: Change, now: Date): Folded {
  const rises = RANK[change.status] > RANK[was.status];
  const told = was.told + was.entries.length;
  const entries =
    rises || told < TIMELINE_MOST
      ? [...was.entries, entryOf(change, now, !rises && isLate(was.status, change.status))]
      : was.entries;
  const connection_id = change.connection_id ?? was.connection_id;
  const possible_duplicate = was.possible_duplicate || change.possible_duplicate === true;
  if (!rises) return { ...was, entries, possible_duplicate, connection_id: was.connection_id ?? connection_id };
  const failed = RANK[change.status] === RANK.failed;
  return {
    ...was,
    status: change.status,
    charge: was.charge === 'held' ? closed(was.channel, change) : was.charge,
    failure: failed ? (change.failure ?? null) : null,
    carrier_code: failed ? (change.code ?? null) : null,
    status_details: failed ? (change.text ?? null) : null,
    connection_id,
    possible_duplicate,
    entries,
    changed: true,
  };
}

// A note about a message still on its way (a try that was put off) is not late; the same outcome told twice, or an older one, is.
export const isLate = (was: Status, now: Status): boolean => RANK[now] < RANK[was] || isFinal(was);

/** Where only what arrives is paid for, that a carrier had it is no reason to charge. */
function closed(channel: ChannelName, change: Change): Message['charge'] {
  const arrives = channelRules(channel).charged_at === 'delivered';
  if (arrives ? ARRIVED.includes(change.status) : TAKEN.includes(change.status) || change.accepted) return 'settled';
  return isFinal(change.status) ? 'released' : 'held';
}

export function entryOf(change: Change, now: Date, late: boolean): TimelineEntry {
  return {
    at: timelineTime(toldTime(change.at, now)),
    status: change.status,
    source: change.source,
    ...(change.code === undefined ? {} : { code: change.code }),
    ...(change.text === undefined ? {} : { text: change.text }),
    ...(change.detail === undefined ? {} : { detail: change.detail }),
    ...(late ? { late } : {}),
  };
}

/** UTC with milliseconds. */
export const timelineTime = (date: Date): string => date.toISOString().slice(0, 23).replace('T', ' ');
