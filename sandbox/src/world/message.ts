/**
 * The SMS messages stored in the sandbox. A submission is one accepted submit_sm, so each part of a long message is a
 * submission. A reply is a message from a phone to a business.
 */
import type { Sequence } from '../storage/sequence.ts';
import { type Chat, chatPending } from './chat.ts';
import { contentText } from './content.ts';

/** The values of message_state in SMPP. */
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

export const toOutcome = (message_state: number): Outcome => outcomes[message_state] ?? 'waiting';

export interface Submission {
  kind: 'submission';
  /** Numbers every item that the sandbox accepts. It never decreases. The message ID is derived from it. */
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
  /** The user_message_reference, as sent by the business. */
  reference: number | null;
  registered_delivery: number;
  /** The time when the validity period ends; 0 if there is none. */
  expires: number;
  state: number;
  settled: number;
  /** The states in the receipts to send, in order; usually just one. */
  receipts: readonly number[];
  receipts_due: number;
  /** Receipts have no TLVs, so that a client must parse the text. */
  text_only: boolean;
  /** Bit n is set once receipt n has been acknowledged. */
  acked: number;
  /** True when the message is no longer stored, so pending work for it must stop. */
  gone?: boolean;
}

export interface Reply {
  kind: 'reply';
  seq: number;
  time: number;
  from: string;
  to: string;
  text: string;
  /** The account that last sent from the number `to`. If null, any receiver may get the reply. */
  system_id: string | null;
  /** The number of deliver_sm PDUs and, in `reference`, the value that joins them. */
  parts: number;
  part_ref: number;
  acked: number;
  gone?: boolean;
}

export interface LongMessage {
  kind: 'long';
  /** The seq of the part that completed the message. */
  seq: number;
  parts: Submission[];
}

export type Sms = Submission | Reply;
export type Message = Sms | Chat;
export type ThreadItem = Message | LongMessage;

/** A text of 2,000 UTF-16 units needs at most 30 parts, so one number has enough bits to acknowledge all of them. */
export const maxReplyLength = 2000;

export const isAcked = (message: Message, n: number): boolean => (message.acked & (1 << n)) !== 0;

export function countPending(message: Message): number {
  if (message.kind === 'chat') return chatPending(message);
  const total = message.kind === 'reply' ? message.parts : message.receipts.length;
  let pending = 0;
  for (let n = 0; n < total; n += 1) if (!isAcked(message, n)) pending += 1;
  return pending;
}

export function messageText(item: ThreadItem): string {
  if (item.kind === 'chat') return contentText(item.content);
  return item.kind === 'long' ? item.parts.map((part) => part.text).join('') : item.text;
}

/** Returns the number of the phone to which a message belongs. */
export function messagePhone(message: Message): string {
  if (message.kind === 'chat') return message.phone;
  return message.kind === 'reply' ? message.from : message.to;
}

/** Returns the item that a thread shows for a message: the message itself, or the long message once it is complete. */
export function findThreadItem(thread: Sequence<ThreadItem>, message: Message): ThreadItem | undefined {
  const item = thread.find(message.seq);
  if (item || message.kind !== 'submission') return item;
  for (const other of thread.after(message.seq))
    if (other.kind === 'long' && other.parts.includes(message)) return other;
  return undefined;
}
