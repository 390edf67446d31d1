// How things look from outside: the JSON of the API and of the live stream.
import type { CarrierSettings } from './carrier.ts';
import { magicOf } from './magic.ts';
import { type Outcome, outcomeOf, pendingOf, type Submission, type ThreadItem, textOf } from './message.ts';
import type { Phone, PhoneState } from './phones.ts';

export interface MessageJson {
  id: string;
  channel: 'SMS';
  direction: 'to_phone' | 'from_phone';
  from: string;
  to: string;
  text: string;
  time: string;
  /** Of a message to the phone, the worst of its parts; of one from it, `delivered` once the business has it. */
  status: Outcome;
  parts: number;
  message_ids: string[];
  reference: number | null;
}

export interface PhoneJson {
  digits: string;
  state: PhoneState;
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

export function messageJson(item: ThreadItem): MessageJson {
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
    magic: magicOf(phone.digits)?.title ?? null,
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
