/** The JSON for messages and phones in the API and in the live stream. */
import { findViberMagic } from '../viber/magic.ts';
import { findWhatsappMagic } from '../whatsapp/magic.ts';
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
import { findMagic } from './magic.ts';
import { countPending, messageText, type Outcome, type Submission, type ThreadItem, toOutcome } from './message.ts';
import type { Phone, PhoneState } from './phones.ts';
import { displayName, type Profile } from './profile.ts';
import { toUserId } from './user_id.ts';

interface MessageJson {
  id: string;
  channel: 'SMS' | ChatChannelName;
  direction: 'to_phone' | 'from_phone';
  from: string;
  to: string;
  text: string;
  content: Content;
  time: string;
  /**
   * For an SMS to the phone, the worst status among its parts. For a message from the phone, `delivered` once the
   * business has it.
   */
  status: Outcome | ChatStatus;
  parts: number;
  message_ids: string[];
  /** For an SMS, its user_message_reference. For a chat message, the business's reference. */
  reference: number | string | null;
  /** Only chat messages have this field and the fields below it. */
  business_id?: string;
  error?: ChatError | null;
  reply_to?: string | null;
  /** The indexes of the buttons that were pressed. */
  pressed?: number[];
  /** All past and planned statuses, and whether the business has acknowledged each one. */
  history?: { status: ChatStatus; time: string; acknowledged: boolean }[];
}

interface PhoneJson extends Profile {
  digits: string;
  state: PhoneState;
  user_id: string;
  magic: string | null;
  waiting: number;
  last_message: MessageJson | null;
}

const isoTime = (time: number) => new Date(time).toISOString();

const worstFirst: Outcome[] = ['rejected', 'undelivered', 'expired', 'waiting', 'delivered'];

function chatJson(chat: Chat): MessageJson {
  const inbound = chat.direction === 'from_phone';
  const status = chatStatus(chat);
  return {
    id: String(chat.seq),
    channel: chat.channel,
    direction: chat.direction,
    from: inbound ? chat.phone : chat.peer,
    to: inbound ? chat.peer : chat.phone,
    text: messageText(chat),
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
    if (part.kind === 'submission') return toOutcome(part.state);
    return countPending(part) === 0 ? 'delivered' : 'waiting';
  });
  return {
    id: String(item.seq),
    channel: 'SMS',
    direction: first.kind === 'reply' ? 'from_phone' : 'to_phone',
    from: first.from,
    to: first.to,
    text: messageText(item),
    content: { kind: 'text', text: messageText(item) },
    time: isoTime(first.time),
    status: worstFirst.find((status) => statuses.includes(status)) ?? 'waiting',
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
    name: displayName(phone.digits, phone.profile),
    user_id: toUserId(phone.digits),
    magic: (findMagic(phone.digits) ?? findWhatsappMagic(phone.digits) ?? findViberMagic(phone.digits))?.title ?? null,
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
    outcome: toOutcome(submission.state),
    receipts: submission.receipts.length,
    receipts_pending: countPending(submission),
  };
}
