// What the sandbox remembers of each text. A submission is one accepted submit_sm (one part of a long message has one of its
// own); a reply is what a phone wrote to a business. Every field is a fact a test may rely on.

import { type Chat, chatPending } from './chat.ts';
import { contentText } from './content.ts';
import type { Sequence } from './sequence.ts';

/** SMPP message_state. */
export const state = {
  enroute: 1,
  delivered: 2,
  expired: 3,
  undeliverable: 5,
  accepted: 6,
  rejected: 8,
} as const;

const outcomes: Record<number, Outcome> = {
  [state.enroute]: 'waiting',
  [state.delivered]: 'delivered',
  [state.expired]: 'expired',
  [state.undeliverable]: 'undelivered',
  [state.rejected]: 'rejected',
};

export type Outcome = 'waiting' | 'delivered' | 'expired' | 'undelivered' | 'rejected';

export const outcomeOf = (message_state: number): Outcome => outcomes[message_state] ?? 'waiting';

export interface Submission {
  kind: 'submission';
  /** Counts everything the sandbox accepts, never goes back; the message id is made of it. */
  seq: number;
  time: number;
  system_id: string;
  sequence_number: number;
  from: string;
  to: string;
  text: string;
  data_coding: number;
  part: number;
  parts: number;
  part_ref: number;
  /** user_message_reference, as the business sent it. */
  reference: number | null;
  registered_delivery: number;
  /** When the message stops being worth delivering, by its validity period; 0 when it has none. */
  expires: number;
  state: number;
  settled: number;
  /** The states told in receipts, in order; most have one. */
  receipts: readonly number[];
  receipts_due: number;
  /** Receipts without TLVs, for parsers that must read the text. */
  text_only: boolean;
  /** Bit n is set when receipt n was acknowledged. */
  acked: number;
  /** No longer kept: what still waits for it must be let go. */
  gone?: boolean;
}

export interface Reply {
  kind: 'reply';
  seq: number;
  time: number;
  from: string;
  to: string;
  text: string;
  /** Whose number `to` is, known by who last wrote from it; null lets any receiver have it. */
  system_id: string | null;
  /** How many deliver_sm carry it, and what ties them together. */
  parts: number;
  part_ref: number;
  acked: number;
  gone?: boolean;
}

export interface LongMessage {
  kind: 'long';
  /** That of the part which completed it. */
  seq: number;
  parts: Submission[];
}

/** What the SMS carrier carries. */
export type Sms = Submission | Reply;
export type Message = Sms | Chat;
export type ThreadItem = Message | LongMessage;

/** 2,000 UTF-16 units are at most 30 parts, so that one number holds the acknowledgements of all of them. */
export const longestReply = 2000;

export const isAcked = (message: Message, n: number): boolean => (message.acked & (1 << n)) !== 0;

export function pendingOf(message: Message): number {
  if (message.kind === 'chat') return chatPending(message);
  const total = message.kind === 'reply' ? message.parts : message.receipts.length;
  let pending = 0;
  for (let n = 0; n < total; n += 1) if (!isAcked(message, n)) pending += 1;
  return pending;
}

export function textOf(item: ThreadItem): string {
  if (item.kind === 'chat') return contentText(item.content);
  return item.kind === 'long' ? item.parts.map((part) => part.text).join('') : item.text;
}

/** The phone a message is on. */
export function phoneOf(message: Message): string {
  if (message.kind === 'chat') return message.phone;
  return message.kind === 'reply' ? message.from : message.to;
}

/** What a thread shows for a message: itself, or the long message it is a part of once that is complete. */
export function itemOf(thread: Sequence<ThreadItem>, message: Message): ThreadItem | undefined {
  const item = thread.find(message.seq);
  if (item || message.kind !== 'submission') return item;
  for (const other of thread.after(message.seq))
    if (other.kind === 'long' && other.parts.includes(message)) return other;
  return undefined;
}
