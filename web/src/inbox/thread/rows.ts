/** The rows of a thread, oldest first: messages with the day and divider above them, notes, lines, and drafts. */
import { type Assignment, assignmentNote } from '@parley/contract/inbox/assignments.ts';
import type { ConversationEntry } from '@parley/contract/inbox/entries.ts';
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { dayKey, formatDay, instant } from '../../ui/data/format.ts';
import { statusLine } from '../status/words.ts';
import type { Draft } from './drafts.ts';
import { inShownOrder, shownAt } from './order.ts';
import type { Thread } from './thread.ts';

export interface MessageRow {
  kind: 'message';
  key: string;
  message: ConversationMessage;
  /** The day, above the first message of the day. */
  day: string | null;
  /** True above the first new message. */
  isNew: boolean;
  /** True if the row above belongs to the same group: one author, minute, and status. */
  continues: boolean;
  /** True for the last message of a group, which shows author, time, and status for all. */
  ends: boolean;
}
/** A line between messages, such as a change of the assignee. */
export interface NoteRow {
  kind: 'note';
  key: string;
  text: string;
  at: string;
}
/** A note of a user. */
export interface TeamNoteRow {
  kind: 'team_note';
  key: string;
  at: string;
  note: ConversationEntry;
}
export type Row = MessageRow | NoteRow | TeamNoteRow | { kind: 'draft'; key: string; draft: Draft };

const MINUTE_MS = 60_000;
/** In no time zone does the day change within such a fraction of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Reading a time is slow, and all messages are read again with each page of older ones. */
const times = new WeakMap<ConversationMessage, number>();

function readTime(message: ConversationMessage, at: string): number {
  const known = times.get(message);
  if (known !== undefined) return known;
  const time = instant(at).getTime();
  times.set(message, time);
  return time;
}

/** Inbound messages after `readUntil` are new. Infinity means that there are no new messages. */
export function toRows(
  thread: Pick<Thread, 'messages' | 'assignments' | 'entries' | 'drafts'>,
  zone: string,
  readUntil: number,
): Row[] {
  const rows: Row[] = [];
  const notes = [...thread.assignments.map(toNote), ...thread.entries.map((entry) => toEntryRow(entry, zone))]
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .values();
  let note = notes.next().value;
  // Reading a day from a time is slow, and a thread has thousands of messages.
  const days = new Map<number, string>();
  let previous: MessageRow | null = null;
  let [day, group, marked] = ['', '', false];
  for (const message of inShownOrder(thread.messages)) {
    const at = shownAt(message);
    while (note && (note.at < at || message.status === 'scheduled')) {
      rows.push(note);
      note = notes.next().value;
      group = '';
    }
    const time = readTime(message, at);
    const quarter = Math.floor(time / QUARTER_MS);
    const key = days.get(quarter) ?? dayKey(time, zone);
    days.set(quarter, key);
    const isNew = !marked && message.direction === 'MO' && time > readUntil;
    marked ||= isNew;
    const own = `${Math.floor(time / MINUTE_MS)} ${groupKey(message)}`;
    const continues = own === group && key === day && !isNew;
    if (previous && continues) previous.ends = false;
    previous = {
      kind: 'message',
      key: message.id,
      message,
      day: key === day ? null : formatDay(time, zone),
      isNew,
      continues,
      ends: true,
    };
    rows.push(previous);
    [day, group] = [key, own];
  }
  for (; note; note = notes.next().value) rows.push(note);
  for (const draft of thread.drafts) rows.push({ kind: 'draft', key: draft.key, draft });
  return rows;
}

const toNote = (assignment: Assignment): NoteRow => ({
  kind: 'note',
  key: assignment.id,
  text: assignmentNote(assignment),
  at: assignment.timestamp,
});

const toEntryRow = (entry: ConversationEntry, zone: string): NoteRow | TeamNoteRow =>
  entry.kind === 'note'
    ? { kind: 'team_note', key: entry.id, at: entry.timestamp, note: entry }
    : { kind: 'note', key: entry.id, text: statusLine(entry, zone), at: entry.timestamp };

const groupKey = ({ id, direction, user_id, source, channel, status }: ConversationMessage): string =>
  status === 'scheduled'
    ? id
    : direction === 'MO'
      ? `MO ${channel}`
      : [direction, user_id, source, channel, status].join(' ');

const LINE_PX = 21;
const BUBBLE_PX = 18;
const META_PX = 19;
const DIVIDER_PX = 40;
const NOTE_PX = 34;
const FILE_PX = 200;
const CARD_PX = 52;
/** About the number of characters on one line of a bubble. */
const LINE_LENGTH = 64;

const countLines = (text: string): number =>
  text.split('\n').reduce((all, line) => all + 1 + Math.floor(line.length / LINE_LENGTH), 0);

/** The approximate height of a row in pixels, used until the row has been rendered. */
export function estimateHeight(row: Row | undefined): number {
  if (row?.kind === 'note') return NOTE_PX;
  if (row?.kind === 'team_note') return CARD_PX + countLines(row.note.text) * LINE_PX;
  if (row?.kind !== 'message') return BUBBLE_PX + LINE_PX + META_PX;
  const { message, day, isNew, continues, ends } = row;
  return (
    BUBBLE_PX +
    countLines(message.text) * LINE_PX +
    (continues ? 2 : 8) +
    (ends ? META_PX : 0) +
    (day ? DIVIDER_PX : 0) +
    (isNew ? DIVIDER_PX : 0) +
    (message.content?.media_type ? FILE_PX : 0)
  );
}
