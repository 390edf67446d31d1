// Every message the sandbox keeps, and the only code that changes one. All changes are entries applied in order; start-up applies
// the journal's, so what is here after a kill -9 is what was here before. No sockets, files or timers in this file.
import type { CarrierSettings } from './carrier.ts';
import { type Chat, type ChatChannelName, type ChatDraft, chatPending, isWaiting, type Step } from './chat.ts';
import { type Content, contentText } from './content.ts';
import {
  type LongMessage,
  type Message,
  pendingOf,
  phoneOf,
  type Reply,
  type Submission,
  state,
  textOf,
} from './message.ts';
import { type Phone, type PhoneState, Phones } from './phones.ts';
import { isUsual, type Profile, usualProfile } from './profile.ts';
import { Sequence } from './sequence.ts';

export type SubmissionEntry = { k: 'submission' } & Omit<Submission, 'kind' | 'acked' | 'gone'>;
export type ReplyEntry = { k: 'reply' } & Omit<Reply, 'kind' | 'acked' | 'gone'>;
export type SettledEntry = {
  k: 'settled';
  seq: number;
  state: number;
  time: number;
  receipts: readonly number[];
  receipts_due: number;
};

export type ChatEntry = { k: 'chat'; seq: number; time: number } & ChatDraft;

export type Entry =
  | ChatEntry
  | { k: 'steps'; seq: number; steps: Step[] }
  | { k: 'chat_change'; seq: number; seen?: number; pressed?: number[]; content?: Content }
  /** Null is gone. */
  | { k: 'fact'; key: string; value: unknown }
  | SubmissionEntry
  | ReplyEntry
  | SettledEntry
  /** Pairs of message and number of the receipt or part. */
  | { k: 'acked'; pairs: number[] }
  | { k: 'phone'; digits: string; state: PhoneState; profile?: Readonly<Profile> }
  | { k: 'carrier'; settings: CarrierSettings }
  /** What had been accepted before this segment of the journal. */
  | { k: 'head'; accepted: number; seq: number; chats?: Record<ChatChannelName, ChatCounts> };

/** Since the last reset, also those no longer kept; `pending` steps are owed. */
export interface ChatCounts {
  to_phone: number;
  from_phone: number;
  pending: number;
}

const noChats = (): Record<ChatChannelName, ChatCounts> => ({
  WHATSAPP: { to_phone: 0, from_phone: 0, pending: 0 },
  VIBER: { to_phone: 0, from_phone: 0, pending: 0 },
});

const mostGroups = 10_000;
const mostSenders = 10_000;

export class Messages {
  phones = new Phones();
  kept = new Sequence<Message>();
  accepted = 0;
  /** Kept submissions by message_state. */
  byState: number[] = Array.from({ length: 10 }, () => 0);
  pendingReceipts = 0;
  pendingReplies = 0;
  chats = noChats();
  #keep: number;
  #lastSeq = 0;
  #groups = new Map<string, Submission[]>();
  #senders = new Map<string, string>();
  #seen = new Map<number, number>();
  #duplicates = 0;

  constructor(keep = 200_000) {
    this.#keep = keep;
  }

  /** Starts from the clock so that an id is never given twice, even when the data directory was wiped in between. */
  nextSeq(): number {
    this.#lastSeq = Math.max(this.#lastSeq + 1, Date.now() * 100);
    return this.#lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whole messages beyond the first with the same sender, number and text. */
  get duplicates(): number {
    return this.#duplicates;
  }

  /** Long messages of which a part is missing. */
  get incomplete(): number {
    return this.#groups.size;
  }

  /** Who last wrote from this sender. */
  ownerOf(sender: string): string | null {
    return this.#senders.get(sender) ?? null;
  }

  addSubmission(entry: SubmissionEntry): Submission {
    const { k: _, ...fields } = entry;
    const submission: Submission = { kind: 'submission', ...fields, acked: 0 };
    this.accepted += 1;
    this.byState[submission.state]! += 1;
    this.pendingReceipts += submission.receipts.length;
    this.#senders.delete(submission.from);
    this.#senders.set(submission.from, submission.system_id);
    if (this.#senders.size > mostSenders) this.#senders.delete(this.#senders.keys().next().value!);
    this.#keepMessage(submission);
    const phone = this.phones.touch(submission.to);
    if (submission.state === state.enroute) phone.wait(submission);
    if (submission.parts > 1) this.#join(phone, submission);
    else {
      phone.thread.push(submission);
      this.#count(submission, submission.text, 1);
    }
    return submission;
  }

  addReply(entry: ReplyEntry): Reply {
    const { k: _, ...fields } = entry;
    const reply: Reply = { kind: 'reply', ...fields, acked: 0 };
    this.pendingReplies += reply.parts;
    this.#keepMessage(reply);
    this.phones.touch(reply.from).thread.push(reply);
    return reply;
  }

  addChat(entry: ChatEntry): Chat {
    const { k: _, ...fields } = entry;
    const chat: Chat = { kind: 'chat', ...fields, acked: 0, seen: 0, pressed: [] };
    const counts = this.chats[chat.channel];
    counts[chat.direction] += 1;
    counts.pending += chatPending(chat);
    this.#keepMessage(chat);
    const phone = this.phones.touch(chat.phone);
    phone.thread.push(chat);
    if (isWaiting(chat)) phone.wait(chat);
    this.#countChat(chat, 1);
    return chat;
  }

  addSteps(seq: number, steps: Step[]): void {
    const chat = this.kept.find(seq);
    if (chat?.kind !== 'chat') return;
    this.chats[chat.channel].pending -= chatPending(chat);
    chat.steps = [...chat.steps, ...steps];
    this.chats[chat.channel].pending += chatPending(chat);
    const phone = this.phones.get(chat.phone);
    if (isWaiting(chat)) phone?.wait(chat);
    else phone?.waiting?.delete(chat);
  }

  settle(entry: SettledEntry): Submission | undefined {
    const submission = this.kept.find(entry.seq);
    if (submission?.kind !== 'submission') return undefined;
    this.phones.get(submission.to)?.waiting?.delete(submission);
    this.byState[submission.state]! -= 1;
    this.byState[entry.state]! += 1;
    this.pendingReceipts += entry.receipts.length - pendingOf(submission);
    submission.state = entry.state;
    submission.settled = entry.time;
    submission.receipts = entry.receipts;
    submission.receipts_due = entry.receipts_due;
    submission.acked = 0;
    return submission;
  }

  ack(seq: number, n: number): Message | undefined {
    const message = this.kept.find(seq);
    if (!message || (message.acked & (1 << n)) !== 0) return undefined;
    message.acked |= 1 << n;
    if (message.kind === 'reply') this.pendingReplies -= 1;
    else if (message.kind === 'chat') this.chats[message.channel].pending -= 1;
    else this.pendingReceipts -= 1;
    return message;
  }

  setPhone(digits: string, phoneState: PhoneState, profile?: Readonly<Profile>): Phone {
    const phone = this.phones.get(digits) ?? this.phones.touch(digits);
    phone.state = phoneState;
    if (profile) phone.profile = isUsual(profile) ? usualProfile : profile;
    return phone;
  }

  /** For start-up; `carrier` and `fact` entries are for the caller. */
  apply(entry: Entry): number | undefined {
    switch (entry.k) {
      case 'submission':
        this.#lastSeq = Math.max(this.#lastSeq, entry.seq);
        this.addSubmission(entry);
        return entry.seq;
      case 'reply':
        this.#lastSeq = Math.max(this.#lastSeq, entry.seq);
        this.addReply(entry);
        return entry.seq;
      case 'chat':
        this.#lastSeq = Math.max(this.#lastSeq, entry.seq);
        this.addChat(entry);
        return entry.seq;
      case 'steps':
        this.addSteps(entry.seq, entry.steps);
        return undefined;
      case 'chat_change': {
        const chat = this.kept.find(entry.seq);
        if (chat?.kind !== 'chat') return undefined;
        chat.seen = entry.seen ?? chat.seen;
        chat.pressed = entry.pressed ?? chat.pressed;
        chat.content = entry.content ?? chat.content;
        return undefined;
      }
      case 'settled':
        this.settle(entry);
        return undefined;
      case 'acked':
        for (let at = 0; at + 1 < entry.pairs.length; at += 2) this.ack(entry.pairs[at]!, entry.pairs[at + 1]!);
        return undefined;
      case 'phone':
        this.setPhone(entry.digits, entry.state, entry.profile);
        return undefined;
      case 'head':
        this.#lastSeq = Math.max(this.#lastSeq, entry.seq);
        this.accepted = Math.max(this.accepted, entry.accepted);
        for (const [channel, { to_phone, from_phone }] of Object.entries(entry.chats ?? {})) {
          const counts = this.chats[channel as ChatChannelName];
          counts.to_phone = Math.max(counts.to_phone, to_phone);
          counts.from_phone = Math.max(counts.from_phone, from_phone);
        }
        return undefined;
      default:
        return undefined;
    }
  }

  clear(): void {
    for (const message of this.kept.after(0)) message.gone = true;
    this.kept = new Sequence();
    this.phones.clear();
    this.#groups.clear();
    this.#senders.clear();
    this.#seen.clear();
    this.accepted = 0;
    this.byState.fill(0);
    this.pendingReceipts = 0;
    this.pendingReplies = 0;
    this.chats = noChats();
    this.#duplicates = 0;
  }

  #keepMessage(message: Message): void {
    this.kept.push(message);
    if (this.kept.length > this.#keep) this.#forget(this.kept.shift()!);
  }

  #forget(message: Message): void {
    message.gone = true;
    const phone = this.phones.get(phoneOf(message));
    if (message.kind === 'reply') this.pendingReplies -= pendingOf(message);
    else if (message.kind === 'chat') {
      this.chats[message.channel].pending -= pendingOf(message);
      phone?.waiting?.delete(message);
    } else {
      this.pendingReceipts -= pendingOf(message);
      this.byState[message.state]! -= 1;
      phone?.waiting?.delete(message);
    }
    if (!phone) return;
    while (phone.thread.oldest && phone.thread.oldest.seq <= message.seq) {
      const item = phone.thread.shift()!;
      if (item.kind === 'submission') this.#count(item, item.text, -1);
      else if (item.kind === 'chat') this.#countChat(item, -1);
      else if (item.kind === 'long') this.#count(item.parts[0]!, textOf(item), -1);
    }
    if (phone.forgettable) this.phones.remove(phone);
  }

  /** Parts become one message when the last of them is here; a part that comes again starts over. */
  #join(phone: Phone, submission: Submission): void {
    const { system_id, from, to, part_ref, parts } = submission;
    const key = `${system_id} ${from} ${to} ${part_ref} ${parts}`;
    const group = (this.#groups.get(key) ?? []).filter((other) => other.part !== submission.part && !other.gone);
    group.push(submission);
    this.#groups.delete(key);
    if (group.length === parts) {
      const long: LongMessage = { kind: 'long', seq: submission.seq, parts: group.sort((a, b) => a.part - b.part) };
      phone.thread.push(long);
      this.#count(submission, textOf(long), 1);
      return;
    }
    this.#groups.set(key, group);
    if (this.#groups.size > mostGroups) this.#groups.delete(this.#groups.keys().next().value!);
  }

  #countChat({ direction, channel, business_id, phone, content }: Chat, by: 1 | -1): void {
    if (direction === 'from_phone') return;
    this.#count({ from: `${channel} ${business_id}`, to: phone }, contentText(content), by);
  }

  #count({ from, to }: Pick<Submission, 'from' | 'to'>, text: string, by: 1 | -1): void {
    const key = fingerprint(`${from}\n${to}\n${text}`);
    const before = this.#seen.get(key) ?? 0;
    const after = before + by;
    if (after > 0) this.#seen.set(key, after);
    else this.#seen.delete(key);
    this.#duplicates += Math.max(0, after - 1) - Math.max(0, before - 1);
  }
}

/** 53 bits of a text (two rounds of multiplicative mixing): enough to tell 200,000 texts apart, a tenth of their memory. */
function fingerprint(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
