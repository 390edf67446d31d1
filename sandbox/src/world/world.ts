/**
 * The state of the sandbox and its rules: the messages that businesses submit, the actions of phones, and the receipts
 * and replies that result. Every change is in the journal, and an accepted submission is written there before its
 * response is sent. This module opens no sockets; `smsc/` and `http/` do.
 */
import type { Live } from '../live.ts';
import { Problem } from '../problem.ts';
import { Facts } from '../storage/facts.ts';
import { Files } from '../storage/files.ts';
import { Journal } from '../storage/journal.ts';
import { Schedule } from '../storage/schedule.ts';
import { type CarrierSettings, changeCarrier, defaultCarrier } from './carrier.ts';
import { Chats } from './chats.ts';
import {
  findThreadItem,
  isAcked,
  type Message,
  messagePhone,
  type Reply,
  type Sms,
  type Submission,
  state,
} from './message.ts';
import { type Entry, Messages, type ReplyEntry, type SettledEntry, type SubmissionEntry } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { Phone, PhoneState } from './phones.ts';
import { randomDelay, randomReceipts, requestedReceipts, type SubmitPlan, SubmitPlanner } from './plan.ts';
import type { Profile } from './profile.ts';
import { messageJson, phoneJson } from './view.ts';

export type Draft = Pick<
  Submission,
  | 'system_id'
  | 'sequence_number'
  | 'from'
  | 'to'
  | 'text'
  | 'data_coding'
  | 'part'
  | 'parts'
  | 'part_ref'
  | 'reference'
  | 'registered_delivery'
  | 'expires'
>;

interface WorldOptions {
  data_dir: string;
  live: Live;
  /** Returns the number of deliver_sm PDUs that a reply needs. */
  countParts: (text: string) => number;
  keep?: number;
  segment_bytes?: number;
}

const autoReplyDelay = 300;
/**
 * A phone replies to the same sender at most once within this time, so that two automatic senders do not reply to each
 * other forever.
 */
const autoReplyInterval = 10_000;

export class World {
  readonly messages: Messages;
  carrier: CarrierSettings = defaultCarrier();
  readonly schedule = new Schedule();
  readonly outbox: Outbox;
  readonly chats: Chats;
  readonly facts = new Facts();
  readonly files: Files;
  readonly refused = new Map<number, number>();
  acknowledged = { receipts: 0, replies: 0 };
  private readonly journal: Journal<Entry>;
  private readonly live: Live;
  private readonly countParts: (text: string) => number;
  private replies = 0;
  private readonly planner = new SubmitPlanner();
  private acks: number[] = [];
  private readonly lastAutoReplies = new Map<string, number>();

  constructor({ data_dir, live, countParts, keep, segment_bytes }: WorldOptions) {
    this.live = live;
    this.countParts = countParts;
    this.messages = new Messages(keep);
    this.outbox = new Outbox(
      () => this.carrier,
      this.schedule,
      (message, n) => this.acknowledge(message, n),
    );
    this.files = new Files(data_dir);
    this.chats = new Chats({
      messages: this.messages,
      schedule: this.schedule,
      append: async (entry, seq) => {
        await this.journal.append(entry, seq);
        setImmediate(() => this.dropOldSegments());
      },
      record: (entry) => this.record(entry),
      recordAck: (seq, n) => this.recordAck(seq, n),
      publish: (chat) => this.publishMessage(chat),
    });
    this.journal = new Journal<Entry>({
      directory: data_dir,
      segment_bytes,
      head: () => this.head(),
      replay: (entry) => {
        if (entry.k === 'carrier') this.carrier = { ...defaultCarrier(), ...entry.settings };
        if (entry.k === 'fact') this.facts.apply(entry.key, entry.value);
        return this.messages.apply(entry);
      },
    });
    this.facts.onChange((key, value) => this.record({ k: 'fact', key, value }));
    for (const message of this.messages.kept.after(0)) this.scheduleEvents(message);
  }

  planSubmit(to: string, text: string): SubmitPlan {
    return this.planner.plan(to, text, this.messages.phones.getState(to), this.carrier);
  }

  countRefusal(status: number): void {
    this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    this.publishStats();
  }

  /** Resolves when the submission is in the journal. If the write fails, rejects and stores nothing. */
  async submit(draft: Draft, plan: SubmitPlan): Promise<Submission> {
    const now = Date.now();
    const entry: SubmissionEntry = {
      k: 'submission',
      seq: this.messages.nextSeq(),
      time: now,
      ...draft,
      state: plan.state,
      settled: plan.state === state.enroute ? 0 : now,
      receipts: requestedReceipts(plan.receipts, draft.registered_delivery),
      receipts_due: now + plan.receipt_delay + (plan.receipt_before_response ? 0 : this.carrier.response_delay_ms),
      text_only: plan.text_only,
    };
    await this.journal.append(entry, entry.seq);
    const submission = this.messages.addSubmission(entry);
    this.dropOldSegments();
    // The phone may have been switched on during the write.
    const switchedOn = submission.state === state.enroute && this.messages.phones.getState(submission.to) === 'on';
    if (switchedOn) this.settle(submission, state.delivered);
    else this.scheduleEvents(submission, plan.receipt_before_response);
    if (plan.auto_reply) this.autoReply(submission, plan.auto_reply);
    this.publishMessage(submission);
    return submission;
  }

  async reply(from: string, to: string, text: string): Promise<Reply> {
    const entry: ReplyEntry = {
      k: 'reply',
      seq: this.messages.nextSeq(),
      time: Date.now(),
      from,
      to,
      text,
      system_id: this.messages.findOwner(to),
      parts: this.countParts(text),
      part_ref: ++this.replies & 0xff,
    };
    await this.journal.append(entry, entry.seq).catch((error: Error) => {
      throw new Problem(503, 'unavailable', `the journal cannot be written: ${error.message}`);
    });
    const reply = this.messages.addReply(entry);
    this.dropOldSegments();
    this.scheduleEvents(reply);
    this.publishMessage(reply);
    return reply;
  }

  setPhone(digits: string, phoneState: PhoneState, profile?: Readonly<Profile>): Phone {
    this.record({ k: 'phone', digits, state: phoneState, ...(profile && { profile }) });
    const before = this.messages.phones.getProfile(digits);
    const phone = this.messages.setPhone(digits, phoneState, profile);
    if (profile) this.chats.profileChanged(digits, before, profile);
    if (phoneState === 'on') {
      for (const message of [...(phone.waiting ?? [])]) {
        if (message.kind === 'submission') this.settle(message, state.delivered);
      }
      this.chats.phoneOn(digits);
    }
    this.publishPhone(phone);
    return phone;
  }

  setCarrier(body: unknown): CarrierSettings {
    this.carrier = changeCarrier(this.carrier, body);
    this.record({ k: 'carrier', settings: this.carrier });
    this.live.publish('carrier', '', () => this.carrier);
    return this.carrier;
  }

  /** Empties the sandbox and restores the carrier's default settings. Binds and accounts in the apps are kept. */
  reset(): void {
    this.schedule.clear();
    this.outbox.clear();
    this.planner.clear();
    this.lastAutoReplies.clear();
    this.acks = [];
    this.refused.clear();
    this.acknowledged = { receipts: 0, replies: 0 };
    this.carrier = defaultCarrier();
    this.messages.clear();
    this.facts.clear((key) => this.chats.keepsFact(key));
    this.journal.clear();
    this.chats.reset();
    this.live.publish('carrier', '', () => this.carrier);
    this.live.publish('resync', '', () => ({}));
  }

  close(): void {
    this.schedule.close();
    this.flushAcks();
    this.journal.close();
  }

  private dropOldSegments(): void {
    this.journal.dropBefore(this.messages.kept.oldest?.seq ?? 0);
  }

  private head(): Entry[] {
    return [
      { k: 'head', accepted: this.messages.accepted, seq: this.messages.lastSeq, chats: this.messages.chats },
      { k: 'carrier', settings: this.carrier },
      ...[...this.facts.entries()].map(([key, value]): Entry => ({ k: 'fact', key, value })),
      ...[...this.messages.phones.customized()].map(
        ({ digits, state, profile }): Entry => ({ k: 'phone', digits, state, profile }),
      ),
    ];
  }

  /** Schedules the remaining events for a message that is new or was restored at startup. */
  private scheduleEvents(message: Message, immediately = false): void {
    if (message.kind === 'chat') {
      this.chats.scheduleSteps(message);
      return;
    }
    if (message.kind === 'reply') {
      for (let n = 0; n < message.parts; n += 1) if (!isAcked(message, n)) this.outbox.add(message, n);
      return;
    }
    if (message.state === state.enroute) {
      const wait = message.time + this.carrier.expire_after_ms;
      const expires = message.expires > 0 ? Math.min(message.expires, wait) : wait;
      this.schedule.at(expires, () => this.expire(message));
      return;
    }
    for (let n = 0; n < message.receipts.length; n += 1) {
      if (isAcked(message, n)) continue;
      if (immediately) this.outbox.add(message, n);
      else this.schedule.at(message.receipts_due + n * 20, () => this.outbox.add(message, n));
    }
  }

  private expire(submission: Submission): void {
    if (!submission.gone && submission.state === state.enroute) this.settle(submission, state.expired);
  }

  /** Gives a waiting message its final state. */
  private settle(submission: Submission, end: number): void {
    const time = Date.now();
    const receipts = requestedReceipts(randomReceipts(end, this.carrier), submission.registered_delivery);
    const due = time + (end === state.delivered ? randomDelay(this.carrier) : 0);
    const entry: SettledEntry = { k: 'settled', seq: submission.seq, state: end, time, receipts, receipts_due: due };
    this.record(entry);
    this.messages.settle(entry);
    this.scheduleEvents(submission);
    this.publishMessage(submission);
  }

  private acknowledge(message: Sms, n: number): void {
    if (!this.messages.ack(message.seq, n)) return;
    this.recordAck(message.seq, n);
    if (message.kind === 'submission') this.acknowledged.receipts += 1;
    else {
      this.acknowledged.replies += 1;
      this.publishMessage(message);
    }
    this.publishStats();
  }

  private recordAck(seq: number, n: number): void {
    if (this.acks.length === 0) setImmediate(() => this.flushAcks());
    this.acks.push(seq, n);
  }

  private flushAcks(): void {
    if (this.acks.length === 0) return;
    this.record({ k: 'acked', pairs: this.acks });
    this.acks = [];
  }

  /** Records a change. If the disk is full, the change is lost; at worst, a receipt is sent again after a restart. */
  private record(entry: Entry): void {
    this.journal.append(entry).catch(() => {});
  }

  private autoReply(submission: Submission, text: string): void {
    if (submission.part !== submission.parts) return;
    const pair = `${submission.to} ${submission.from}`;
    if (Date.now() - (this.lastAutoReplies.get(pair) ?? 0) < autoReplyInterval) return;
    this.lastAutoReplies.delete(pair);
    this.lastAutoReplies.set(pair, Date.now());
    if (this.lastAutoReplies.size > 10_000) this.lastAutoReplies.delete(this.lastAutoReplies.keys().next().value!);
    this.schedule.at(Date.now() + autoReplyDelay, () => {
      if (this.messages.phones.getState(submission.to) === 'on') {
        this.reply(submission.to, submission.from, text).catch(() => {});
      }
    });
  }

  private publishMessage(message: Message): void {
    if (!this.live.listening) return;
    const digits = messagePhone(message);
    const phone = this.messages.phones.get(digits);
    const item = phone && findThreadItem(phone.thread, message);
    if (item) this.live.publish('message', String(item.seq), () => ({ digits, message: messageJson(item) }));
    if (phone) this.publishPhone(phone);
    this.publishStats();
  }

  private publishPhone(phone: Phone): void {
    this.live.publish('phone', phone.digits, () => phoneJson(phone));
  }

  private publishStats(): void {
    this.live.publish('stats', '', () => ({}));
  }
}
