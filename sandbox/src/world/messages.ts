/**
 * Stores every message in the sandbox. No other code changes messages. Every change is an entry. At startup, the
 * journal's entries are applied in order, which restores the state from before a kill -9.
 */
import { Sequence } from '../storage/sequence.ts';
import type { CarrierSettings } from './carrier.ts';
import { type Chat, type ChatChannelName, type ChatDraft, chatPending, isWaiting, type Step } from './chat.ts';
import { type Content, contentText } from './content.ts';
import {
  countPending,
  type LongMessage,
  type Message,
  messagePhone,
  messageText,
  type Reply,
  type Submission,
  state,
} from './message.ts';
import { type Phone, type PhoneState, Phones } from './phones.ts';
import { defaultProfile, isDefaultProfile, type Profile } from './profile.ts';

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
  /** A null value removes the fact. */
  | { k: 'fact'; key: string; value: unknown }
  | SubmissionEntry
  | ReplyEntry
  | SettledEntry
  /** Each pair is the seq of a message and the index of its receipt, part, or step. */
  | { k: 'acked'; pairs: number[] }
  | { k: 'phone'; digits: string; state: PhoneState; profile?: Readonly<Profile> }
  | { k: 'carrier'; settings: CarrierSettings }
  /** The counters from before this segment of the journal. */
  | { k: 'head'; accepted: number; seq: number; chats?: Record<ChatChannelName, ChatCounts> };

/** Counts since the last reset, including messages that are no longer stored. `pending` counts unacknowledged steps. */
interface ChatCounts {
  to_phone: number;
  from_phone: number;
  pending: number;
}

const noChats = (): Record<ChatChannelName, ChatCounts> => ({
  WHATSAPP: { to_phone: 0, from_phone: 0, pending: 0 },
  VIBER: { to_phone: 0, from_phone: 0, pending: 0 },
});

const maxGroups = 10_000;
const maxSenders = 10_000;

export class Messages {
  readonly phones = new Phones();
  kept = new Sequence<Message>();
  accepted = 0;
  /** The number of stored submissions by message_state. */
  readonly byState: number[] = Array.from({ length: 10 }, () => 0);
  pendingReceipts = 0;
  pendingReplies = 0;
  chats = noChats();
  lastSeq = 0;
  /** The number of whole messages that repeat the sender, number, and text of an earlier message. */
  duplicates = 0;
  private readonly maxKept: number;
  private readonly groups = new Map<string, Submission[]>();
  private readonly senders = new Map<string, string>();
  private seen = new Map<number, number>();

  constructor(keep = 200_000) {
    this.maxKept = keep;
  }

  /** Counts up from the current time, so that no ID repeats, even after the data directory has been emptied. */
  nextSeq(): number {
    this.lastSeq = Math.max(this.lastSeq + 1, Date.now() * 100);
    return this.lastSeq;
  }

  /** The number of long messages with a missing part. */
  get incomplete(): number {
    return this.groups.size;
  }

  /** Returns the system_id that last sent from this sender. */
  findOwner(sender: string): string | null {
    return this.senders.get(sender) ?? null;
  }

  addSubmission(entry: SubmissionEntry): Submission {
    const { k: _, ...fields } = entry;
    const submission: Submission = { kind: 'submission', ...fields, acked: 0 };
    this.accepted += 1;
    this.byState[submission.state]! += 1;
    this.pendingReceipts += submission.receipts.length;
    this.senders.delete(submission.from);
    this.senders.set(submission.from, submission.system_id);
    if (this.senders.size > maxSenders) this.senders.delete(this.senders.keys().next().value!);
    this.store(submission);
    const phone = this.phones.touch(submission.to);
    if (submission.state === state.enroute) phone.addWaiting(submission);
    if (submission.parts > 1) this.join(phone, submission);
    else {
      phone.thread.push(submission);
      this.countDuplicate(submission, submission.text, 1);
    }
    return submission;
  }

  addReply(entry: ReplyEntry): Reply {
    const { k: _, ...fields } = entry;
    const reply: Reply = { kind: 'reply', ...fields, acked: 0 };
    this.pendingReplies += reply.parts;
    this.store(reply);
    this.phones.touch(reply.from).thread.push(reply);
    return reply;
  }

  addChat(entry: ChatEntry): Chat {
    const { k: _, ...fields } = entry;
    const chat: Chat = { kind: 'chat', ...fields, acked: 0, seen: 0, pressed: [] };
    const counts = this.chats[chat.channel];
    counts[chat.direction] += 1;
    counts.pending += chatPending(chat);
    this.store(chat);
    const phone = this.phones.touch(chat.phone);
    phone.thread.push(chat);
    if (isWaiting(chat)) phone.addWaiting(chat);
    this.countChatDuplicate(chat, 1);
    return chat;
  }

  addSteps(seq: number, steps: Step[]): void {
    const chat = this.kept.find(seq);
    if (chat?.kind !== 'chat') return;
    this.chats[chat.channel].pending -= chatPending(chat);
    chat.steps = [...chat.steps, ...steps];
    this.chats[chat.channel].pending += chatPending(chat);
    const phone = this.phones.get(chat.phone);
    if (isWaiting(chat)) phone?.addWaiting(chat);
    else phone?.waiting?.delete(chat);
  }

  settle(entry: SettledEntry): Submission | undefined {
    const submission = this.kept.find(entry.seq);
    if (submission?.kind !== 'submission') return undefined;
    this.phones.get(submission.to)?.waiting?.delete(submission);
    this.byState[submission.state]! -= 1;
    this.byState[entry.state]! += 1;
    this.pendingReceipts += entry.receipts.length - countPending(submission);
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
    if (profile) phone.profile = isDefaultProfile(profile) ? defaultProfile : profile;
    return phone;
  }

  /** Applies a journal entry at startup. The caller handles `carrier` and `fact` entries. */
  apply(entry: Entry): number | undefined {
    switch (entry.k) {
      case 'submission':
        this.lastSeq = Math.max(this.lastSeq, entry.seq);
        this.addSubmission(entry);
        return entry.seq;
      case 'reply':
        this.lastSeq = Math.max(this.lastSeq, entry.seq);
        this.addReply(entry);
        return entry.seq;
      case 'chat':
        this.lastSeq = Math.max(this.lastSeq, entry.seq);
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
        this.lastSeq = Math.max(this.lastSeq, entry.seq);
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
    this.groups.clear();
    this.senders.clear();
    this.seen.clear();
    this.accepted = 0;
    this.byState.fill(0);
    this.pendingReceipts = 0;
    this.pendingReplies = 0;
    this.chats = noChats();
    this.duplicates = 0;
  }

  private store(message: Message): void {
    this.kept.push(message);
    if (this.kept.length > this.maxKept) this.forget(this.kept.shift()!);
  }

  private forget(message: Message): void {
    message.gone = true;
    const phone = this.phones.get(messagePhone(message));
    if (message.kind === 'reply') this.pendingReplies -= countPending(message);
    else if (message.kind === 'chat') {
      this.chats[message.channel].pending -= countPending(message);
      phone?.waiting?.delete(message);
    } else {
      this.pendingReceipts -= countPending(message);
      this.byState[message.state]! -= 1;
      phone?.waiting?.delete(message);
    }
    if (!phone) return;
    while (phone.thread.oldest && phone.thread.oldest.seq <= message.seq) {
      const item = phone.thread.shift()!;
      if (item.kind === 'submission') this.countDuplicate(item, item.text, -1);
      else if (item.kind === 'chat') this.countChatDuplicate(item, -1);
      else if (item.kind === 'long') this.countDuplicate(item.parts[0]!, messageText(item), -1);
    }
    if (phone.removable) this.phones.remove(phone);
  }

  /** Joins the parts of a long message once all have arrived. A repeated part replaces the earlier one. */
  private join(phone: Phone, submission: Submission): void {
    const { system_id, from, to, part_ref, parts } = submission;
    const key = `${system_id} ${from} ${to} ${part_ref} ${parts}`;
    const group = (this.groups.get(key) ?? []).filter((other) => other.part !== submission.part && !other.gone);
    group.push(submission);
    this.groups.delete(key);
    if (group.length === parts) {
      const long: LongMessage = { kind: 'long', seq: submission.seq, parts: group.sort((a, b) => a.part - b.part) };
      phone.thread.push(long);
      this.countDuplicate(submission, messageText(long), 1);
      return;
    }
    this.groups.set(key, group);
    if (this.groups.size > maxGroups) this.groups.delete(this.groups.keys().next().value!);
  }

  private countChatDuplicate({ direction, channel, business_id, phone, content }: Chat, by: 1 | -1): void {
    if (direction === 'from_phone') return;
    this.countDuplicate({ from: `${channel} ${business_id}`, to: phone }, contentText(content), by);
  }

  private countDuplicate({ from, to }: Pick<Submission, 'from' | 'to'>, text: string, by: 1 | -1): void {
    const key = fingerprint(`${from}\n${to}\n${text}`);
    const before = this.seen.get(key) ?? 0;
    const after = before + by;
    if (after > 0) this.seen.set(key, after);
    else this.seen.delete(key);
    this.duplicates += Math.max(0, after - 1) - Math.max(0, before - 1);
  }
}

/**
 * Returns a 53-bit hash of a text (two rounds of multiplicative mixing), used to detect duplicates among 200,000 texts.
 */
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
