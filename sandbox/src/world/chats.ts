/**
 * Runs the life cycle of chat messages: stores them in the journal, schedules their steps, and notifies the business of
 * each step until it acknowledges that step. The protocols are in the channel simulators behind `ChatChannel`.
 */
import { Problem } from '../problem.ts';
import type { Schedule } from '../storage/schedule.ts';
import {
  type Chat,
  type ChatChannel,
  type ChatChannelName,
  type ChatDraft,
  chatStatus,
  isWaiting,
  type Step,
} from './chat.ts';
import type { Content } from './content.ts';
import type { ChatEntry, Entry, Messages } from './messages.ts';
import type { Profile } from './profile.ts';

interface ChatsOptions {
  messages: Messages;
  schedule: Schedule;
  /** Resolves when the entry is in the journal. */
  append: (entry: Entry, seq: number) => Promise<void>;
  record: (entry: Entry) => void;
  recordAck: (seq: number, n: number) => void;
  publish: (chat: Chat) => void;
}

const maxSteps = 30;

export class Chats {
  private readonly channels = new Map<ChatChannelName, ChatChannel>();
  private readonly world: ChatsOptions;

  constructor(options: ChatsOptions) {
    this.world = options;
  }

  /** Must be called in the turn that creates the world, because pending steps run in the next turn. */
  connect(name: ChatChannelName, channel: ChatChannel): void {
    this.channels.set(name, channel);
  }

  channel(name: ChatChannelName): ChatChannel {
    const channel = this.channels.get(name);
    if (!channel) throw new Problem(503, 'unavailable', `${name} is not simulated here`);
    return channel;
  }

  /** Returns whether a fact survives a reset. */
  keepsFact(key: string): boolean {
    return [...this.channels.values()].some((channel) => channel.keepsFact?.(key) ?? false);
  }

  reset(): void {
    for (const channel of this.channels.values()) channel.reset();
  }

  async close(): Promise<void> {
    for (const channel of this.channels.values()) await channel.close?.();
  }

  /** Resolves when the message is in the journal. If the write fails, rejects with a Problem and stores nothing. */
  async accept(draft: ChatDraft): Promise<Chat> {
    const { messages, append, publish } = this.world;
    const entry: ChatEntry = { k: 'chat', seq: messages.nextSeq(), time: Date.now(), ...draft };
    await append(entry, entry.seq).catch((error: Error) => {
      throw new Problem(503, 'unavailable', `the journal cannot be written: ${error.message}`);
    });
    const chat = messages.addChat(entry);
    this.scheduleSteps(chat);
    // The phone may have been switched on during the write.
    if (isWaiting(chat) && messages.phones.getState(chat.phone) === 'on') this.deliver(chat);
    publish(chat);
    return chat;
  }

  /** Schedules the steps of a message that is new or was restored at startup. */
  scheduleSteps(chat: Chat, from = 0): void {
    if (chat.steps.length === 0) {
      this.world.schedule.at(Date.now(), () => {
        if (!chat.gone) this.channel(chat.channel).start?.(chat);
      });
    }
    for (let n = from; n < chat.steps.length; n += 1) {
      const step = chat.steps[n]!;
      const past = step.due <= Date.now();
      if ((chat.acked & (1 << n)) !== 0 && past) continue;
      this.world.schedule.at(step.due, () => this.runStep(chat, n));
    }
  }

  /** Adds steps that were not known when the message was accepted. */
  addSteps(chat: Chat, steps: Step[]): void {
    const added = steps.slice(0, maxSteps - chat.steps.length);
    if (added.length === 0 || chat.gone) return;
    const from = chat.steps.length;
    this.world.record({ k: 'steps', seq: chat.seq, steps: added });
    this.world.messages.addSteps(chat.seq, added);
    this.scheduleSteps(chat, from);
    this.world.publish(chat);
  }

  acknowledge(chat: Chat, n: number): void {
    if (!this.world.messages.ack(chat.seq, n)) return;
    this.world.recordAck(chat.seq, n);
    this.world.publish(chat);
  }

  /** Records that the business has read the messages from the phone up to this one. */
  markSeen(chat: Chat): void {
    for (const item of this.world.messages.phones.get(chat.phone)?.thread.before(chat.seq + 1) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'from_phone' || item.business_id !== chat.business_id) continue;
      if (item.channel !== chat.channel) continue;
      if (item.seen) break;
      this.change(item, { seen: Date.now() });
    }
  }

  /** Replaces the content that the phone shows. */
  setContent(chat: Chat, content: Content): void {
    this.change(chat, { content });
  }

  markPressed(chat: Chat, place: number): void {
    if (!chat.pressed.includes(place)) this.change(chat, { pressed: [...chat.pressed, place] });
  }

  /** Delivers the messages that were waiting for the phone. */
  phoneOn(digits: string): void {
    const waiting = this.world.messages.phones.get(digits)?.waiting ?? [];
    for (const message of [...waiting]) if (message.kind === 'chat') this.deliver(message);
  }

  /** Marks the delivered messages of a phone as read. Returns their number. */
  markRead(digits: string, channel: ChatChannelName | undefined, from: string): number {
    let count = 0;
    for (const item of this.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'to_phone' || chatStatus(item) !== 'delivered') continue;
      if (channel && item.channel !== channel) continue;
      if (from && item.peer !== from && item.business_id !== from) continue;
      if (item.steps.some(({ status }) => status === 'read')) continue;
      this.addSteps(item, this.channel(item.channel).stepsOnRead(item));
      count += 1;
    }
    return count;
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    for (const channel of this.channels.values()) channel.profileChanged?.(digits, before, now);
  }

  private deliver(chat: Chat): void {
    this.world.messages.phones.get(chat.phone)?.waiting?.delete(chat);
    this.addSteps(chat, this.channel(chat.channel).stepsOnArrival(chat));
  }

  private runStep(chat: Chat, n: number): void {
    if (chat.gone) return;
    if (chat.steps[n]!.told !== false && (chat.acked & (1 << n)) === 0) this.channel(chat.channel).notify(chat, n);
    this.world.publish(chat);
  }

  private change(chat: Chat, change: { seen?: number; pressed?: number[]; content?: Content }): void {
    this.world.record({ k: 'chat_change', seq: chat.seq, ...change });
    Object.assign(chat, change);
    this.world.publish(chat);
  }
}
