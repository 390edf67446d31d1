// The world in the box: what businesses submit, what phones do with it and what goes back. Everything that changes is in the
// journal; an accepted submission is there before its sender is told. Knows no socket: the SMSC and the API stand around it.
import { type CarrierSettings, changeCarrier, usualCarrier } from './carrier.ts';
import { Chats } from './chats.ts';
import { Facts } from './facts.ts';
import { type Fate, Fates, usualDelay, usualReceipts, wantedReceipts } from './fate.ts';
import { Files } from './files.ts';
import { Journal } from './journal.ts';
import type { Live } from './live.ts';
import { isAcked, itemOf, type Message, phoneOf, type Reply, type Sms, type Submission, state } from './message.ts';
import { type Entry, Messages, type ReplyEntry, type SettledEntry, type SubmissionEntry } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { Phone, PhoneState } from './phones.ts';
import { Problem } from './problem.ts';
import type { Profile } from './profile.ts';
import { Schedule } from './schedule.ts';
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

export interface WorldOptions {
  data_dir: string;
  live: Live;
  /** How many deliver_sm a reply needs. */
  countParts: (text: string) => number;
  keep?: number;
  segment_bytes?: number;
}

const autoReplyAfter = 300;
const autoReplyPause = 10_000;

export class World {
  messages: Messages;
  carrier: CarrierSettings = usualCarrier();
  schedule = new Schedule();
  outbox: Outbox;
  chats: Chats;
  facts = new Facts();
  files: Files;
  refused = new Map<number, number>();
  acknowledged = { receipts: 0, replies: 0 };
  #journal: Journal<Entry>;
  #live: Live;
  #countParts: (text: string) => number;
  #replies = 0;
  #fates = new Fates();
  #acks: number[] = [];
  #lastAutoReply = new Map<string, number>();

  constructor({ data_dir, live, countParts, keep, segment_bytes }: WorldOptions) {
    this.#live = live;
    this.#countParts = countParts;
    this.messages = new Messages(keep);
    this.outbox = new Outbox(
      () => this.carrier,
      this.schedule,
      (message, n) => this.#acknowledged(message, n),
    );
    this.files = new Files(data_dir);
    this.chats = new Chats({
      messages: this.messages,
      schedule: this.schedule,
      append: async (entry, seq) => {
        await this.#journal.append(entry, seq);
        setImmediate(() => this.#forgetOld());
      },
      note: (entry) => this.#note(entry),
      acked: (seq, n) => this.#noteAck(seq, n),
      told: (chat) => this.#toldMessage(chat),
    });
    this.#journal = new Journal<Entry>({
      directory: data_dir,
      segment_bytes,
      head: () => this.#head(),
      replay: (entry) => {
        if (entry.k === 'carrier') this.carrier = { ...usualCarrier(), ...entry.settings };
        if (entry.k === 'fact') this.facts.apply(entry.key, entry.value);
        return this.messages.apply(entry);
      },
    });
    this.facts.onChange((key, value) => this.#note({ k: 'fact', key, value }));
    for (const message of this.messages.kept.after(0)) this.#arrange(message);
  }

  fate(to: string, text: string): Fate {
    return this.#fates.decide(to, text, this.messages.phones.stateOf(to), this.carrier);
  }

  countRefusal(status: number): void {
    this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
    this.#toldStats();
  }

  /** Resolves when the submission is in the journal; rejects, and nothing happened, when the disk refuses it. */
  async submit(draft: Draft, fate: Fate): Promise<Submission> {
    const now = Date.now();
    const entry: SubmissionEntry = {
      k: 'submission',
      seq: this.messages.nextSeq(),
      time: now,
      ...draft,
      state: fate.state,
      settled: fate.state === state.enroute ? 0 : now,
      receipts: wantedReceipts(fate.receipts, draft.registered_delivery),
      receipts_due: now + fate.receipt_delay + (fate.receipt_before_response ? 0 : this.carrier.response_delay_ms),
      text_only: fate.text_only,
    };
    await this.#journal.append(entry, entry.seq);
    const submission = this.messages.addSubmission(entry);
    this.#forgetOld();
    // The phone may have been switched on while the line was being written.
    const cameOn = submission.state === state.enroute && this.messages.phones.stateOf(submission.to) === 'on';
    if (cameOn) this.#settle(submission, state.delivered);
    else this.#arrange(submission, fate.receipt_before_response);
    if (fate.auto_reply) this.#autoReply(submission, fate.auto_reply);
    this.#toldMessage(submission);
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
      system_id: this.messages.ownerOf(to),
      parts: this.#countParts(text),
      part_ref: ++this.#replies & 0xff,
    };
    await this.#journal.append(entry, entry.seq).catch((error: Error) => {
      throw new Problem(503, 'unavailable', `the journal cannot be written: ${error.message}`);
    });
    const reply = this.messages.addReply(entry);
    this.#forgetOld();
    this.#arrange(reply);
    this.#toldMessage(reply);
    return reply;
  }

  setPhone(digits: string, phoneState: PhoneState, profile?: Readonly<Profile>): Phone {
    this.#note({ k: 'phone', digits, state: phoneState, ...(profile && { profile }) });
    const before = this.messages.phones.profileOf(digits);
    const phone = this.messages.setPhone(digits, phoneState, profile);
    if (profile) this.chats.profileChanged(digits, before, profile);
    if (phoneState === 'on') {
      for (const message of [...(phone.waiting ?? [])]) {
        if (message.kind === 'submission') this.#settle(message, state.delivered);
      }
      this.chats.phoneOn(digits);
    }
    this.#toldPhone(phone);
    return phone;
  }

  setCarrier(body: unknown): CarrierSettings {
    this.carrier = changeCarrier(this.carrier, body);
    this.#note({ k: 'carrier', settings: this.carrier });
    this.#live.tell('carrier', '', () => this.carrier);
    return this.carrier;
  }

  /** An empty world with the usual carrier; lines stay up, accounts of apps stay. */
  reset(): void {
    this.schedule.clear();
    this.outbox.clear();
    this.#fates.clear();
    this.#lastAutoReply.clear();
    this.#acks = [];
    this.refused.clear();
    this.acknowledged = { receipts: 0, replies: 0 };
    this.carrier = usualCarrier();
    this.messages.clear();
    this.facts.clear((key) => this.chats.keeps(key));
    this.#journal.clear();
    this.chats.reset();
    this.#live.tell('carrier', '', () => this.carrier);
    this.#live.tell('resync', '', () => ({}));
  }

  close(): void {
    this.schedule.close();
    this.#flushAcks();
    this.#journal.close();
  }

  #forgetOld(): void {
    this.#journal.dropBefore(this.messages.kept.oldest?.seq ?? 0);
  }

  #head(): Entry[] {
    return [
      { k: 'head', accepted: this.messages.accepted, seq: this.messages.lastSeq, chats: this.messages.chats },
      { k: 'carrier', settings: this.carrier },
      ...[...this.facts.entries()].map(([key, value]): Entry => ({ k: 'fact', key, value })),
      ...[...this.messages.phones.unusual()].map(
        ({ digits, state, profile }): Entry => ({ k: 'phone', digits, state, profile }),
      ),
    ];
  }

  /** Puts on the schedule what is still to happen with a message, whether it is new or was found at start. */
  #arrange(message: Message, atOnce = false): void {
    if (message.kind === 'chat') {
      this.chats.arrange(message);
      return;
    }
    if (message.kind === 'reply') {
      for (let n = 0; n < message.parts; n += 1) if (!isAcked(message, n)) this.outbox.add(message, n);
      return;
    }
    if (message.state === state.enroute) {
      const wait = message.time + this.carrier.expire_after_ms;
      const expires = message.expires > 0 ? Math.min(message.expires, wait) : wait;
      this.schedule.at(expires, () => this.#expire(message));
      return;
    }
    for (let n = 0; n < message.receipts.length; n += 1) {
      if (isAcked(message, n)) continue;
      if (atOnce) this.outbox.add(message, n);
      else this.schedule.at(message.receipts_due + n * 20, () => this.outbox.add(message, n));
    }
  }

  #expire(submission: Submission): void {
    if (!submission.gone && submission.state === state.enroute) this.#settle(submission, state.expired);
  }

  /** The end of a message that waited. */
  #settle(submission: Submission, end: number): void {
    const time = Date.now();
    const receipts = wantedReceipts(usualReceipts(end, this.carrier), submission.registered_delivery);
    const due = time + (end === state.delivered ? usualDelay(this.carrier) : 0);
    const entry: SettledEntry = { k: 'settled', seq: submission.seq, state: end, time, receipts, receipts_due: due };
    this.#note(entry);
    this.messages.settle(entry);
    this.#arrange(submission);
    this.#toldMessage(submission);
  }

  #acknowledged(message: Sms, n: number): void {
    if (!this.messages.ack(message.seq, n)) return;
    this.#noteAck(message.seq, n);
    if (message.kind === 'submission') this.acknowledged.receipts += 1;
    else {
      this.acknowledged.replies += 1;
      this.#toldMessage(message);
    }
    this.#toldStats();
  }

  #noteAck(seq: number, n: number): void {
    if (this.#acks.length === 0) setImmediate(() => this.#flushAcks());
    this.#acks.push(seq, n);
  }

  #flushAcks(): void {
    if (this.#acks.length === 0) return;
    this.#note({ k: 'acked', pairs: this.#acks });
    this.#acks = [];
  }

  /** Lost with a full disk: the worst that follows is a receipt told again after a restart. */
  #note(entry: Entry): void {
    this.#journal.append(entry).catch(() => {});
  }

  /** Once in ten seconds per phone and sender, or two machines would talk for ever. */
  #autoReply(submission: Submission, text: string): void {
    if (submission.part !== submission.parts) return;
    const pair = `${submission.to} ${submission.from}`;
    if (Date.now() - (this.#lastAutoReply.get(pair) ?? 0) < autoReplyPause) return;
    this.#lastAutoReply.delete(pair);
    this.#lastAutoReply.set(pair, Date.now());
    if (this.#lastAutoReply.size > 10_000) this.#lastAutoReply.delete(this.#lastAutoReply.keys().next().value!);
    this.schedule.at(Date.now() + autoReplyAfter, () => {
      if (this.messages.phones.stateOf(submission.to) === 'on') {
        this.reply(submission.to, submission.from, text).catch(() => {});
      }
    });
  }

  #toldMessage(message: Message): void {
    if (!this.#live.listening) return;
    const digits = phoneOf(message);
    const phone = this.messages.phones.get(digits);
    const item = phone && itemOf(phone.thread, message);
    if (item) this.#live.tell('message', String(item.seq), () => ({ digits, message: messageJson(item) }));
    if (phone) this.#toldPhone(phone);
    this.#toldStats();
  }

  #toldPhone(phone: Phone): void {
    this.#live.tell('phone', phone.digits, () => phoneJson(phone));
  }

  #toldStats(): void {
    this.#live.tell('stats', '', () => ({}));
  }
}
