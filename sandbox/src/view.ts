// How things look from outside: the JSON of the API and of the live stream.
import type { CarrierSettings } from './carrier.ts';
import {
  type Chat,
  type ChatChannelName,
  type ChatError,
  type ChatStatus,
  chatError,
  chatPending,
  chatStatus,
} from './chat.ts';
import type { Content } from './content.ts';
import { magicOf } from './magic.ts';
import { type Outcome, outcomeOf, pendingOf, type Submission, type ThreadItem, textOf } from './message.ts';
import type { Phone, PhoneState } from './phones.ts';
import { nameOf, type Profile } from './profile.ts';
import { userIdOf } from './user_id.ts';
import { viberMagicOf } from './viber/magic.ts';
import { whatsappMagicOf } from './whatsapp/magic.ts';

export interface MessageJson {
  id: string;
  channel: 'SMS' | ChatChannelName;
  direction: 'to_phone' | 'from_phone';
  from: string;
  to: string;
  text: string;
  content: Content;
  time: string;
  /** Of an SMS to the phone, the worst of its parts; of a message from it, `delivered` once the business has it. */
  status: Outcome | ChatStatus;
  parts: number;
  message_ids: string[];
  /** Of an SMS its number, of a chat message what the business asked to be told back. */
  reference: number | string | null;
  /** Only of chat messages. */
  business_id?: string;
  error?: ChatError | null;
  reply_to?: string | null;
  /** Places of the buttons that were pressed. */
  pressed?: number[];
  /** Every status it has had, or will have, and whether the business has acknowledged it. */
  history?: { status: ChatStatus; time: string; acknowledged: boolean }[];
}

export interface PhoneJson extends Profile {
  digits: string;
  state: PhoneState;
  user_id: string;
  magic: string | null;
  waiting: number;
  last_message: MessageJson | null;
}

const isoTime = (time: number) => new Date(time).toISOString();

/** How the carrier writes a message id: in responses, and in receipts. */
export function messageId(seq: number, format: CarrierSettings['id_format'], where: 'response' | 'receipt'): string {
  const hex = format === 'hex' || (format === 'mixed' && where === 'response');
  return hex ? seq.toString(16).toUpperCase() : String(seq);
}

/** The numbers a message id may stand for: the setting may have changed since it was given. */
export function seqsOf(id: string): number[] {
  const decimal = /^\d{1,16}$/.test(id) ? [Number(id)] : [];
  const hex = /^[\da-f]{1,13}$/i.test(id) ? [Number.parseInt(id, 16)] : [];
  return [...decimal, ...hex];
}

const worst: Outcome[] = ['rejected', 'undelivered', 'expired', 'waiting', 'delivered'];

function chatJson(chat: Chat): MessageJson {
  const inbound = chat.direction === 'from_phone';
  const status = chatStatus(chat);
  return {
    id: String(chat.seq),
    channel: chat.channel,
    direction: chat.direction,
    from: inbound ? chat.phone : chat.peer,
    to: inbound ? chat.peer : chat.phone,
    text: textOf(chat),
    content: chat.content,
    time: isoTime(chat.time),
    status: inbound ? inboundStatus(chat) : status,
    parts: 1,
    message_ids: [chat.id],
    reference: chat.reference,
    business_id: chat.business_id,
    error: status === 'failed' ? chatError(chat) : null,
    reply_to: chat.reply_to,
    pressed: chat.pressed,
    history: chat.steps.map(({ status: step, due }, n) => ({
      status: step,
      time: isoTime(due),
      acknowledged: (chat.acked & (1 << n)) !== 0,
    })),
  };
}

function inboundStatus(chat: Chat): ChatStatus | Outcome {
  if (chatPending(chat) > 0) return 'waiting';
  return chat.seen > 0 ? 'read' : 'delivered';
}

export function messageJson(item: ThreadItem): MessageJson {
  if (item.kind === 'chat') return chatJson(item);
  const parts = item.kind === 'long' ? item.parts : [item];
  const first = parts[0]!;
  const statuses = parts.map((part): Outcome => {
    if (part.kind === 'submission') return outcomeOf(part.state);
    return pendingOf(part) === 0 ? 'delivered' : 'waiting';
  });
  return {
    id: String(item.seq),
    channel: 'SMS',
    direction: first.kind === 'reply' ? 'from_phone' : 'to_phone',
    from: first.from,
    to: first.to,
    text: textOf(item),
    content: { kind: 'text', text: textOf(item) },
    time: isoTime(first.time),
    status: worst.find((status) => statuses.includes(status)) ?? 'waiting',
    parts: first.parts,
    message_ids: parts.map((part) => String(part.seq)),
    reference: first.kind === 'submission' ? first.reference : null,
  };
}

export function phoneJson(phone: Phone): PhoneJson {
  const newest = phone.thread.newest;
  return {
    digits: phone.digits,
    state: phone.state,
    ...phone.profile,
    name: nameOf(phone.digits, phone.profile),
    user_id: userIdOf(phone.digits),
    magic: (magicOf(phone.digits) ?? whatsappMagicOf(phone.digits) ?? viberMagicOf(phone.digits))?.title ?? null,
    waiting: phone.waiting?.size ?? 0,
    last_message: newest ? messageJson(newest) : null,
  };
}

export function submissionJson(submission: Submission): Record<string, unknown> {
  return {
    seq: submission.seq,
    message_id: String(submission.seq),
    time: isoTime(submission.time),
    system_id: submission.system_id,
    sequence_number: submission.sequence_number,
    from: submission.from,
    to: submission.to,
    text: submission.text,
    data_coding: submission.data_coding,
    part: submission.part,
    parts: submission.parts,
    part_ref: submission.part_ref,
    reference: submission.reference,
    registered_delivery: submission.registered_delivery,
    outcome: outcomeOf(submission.state),
    receipts: submission.receipts.length,
    receipts_pending: pendingOf(submission),
  };
}
