// The life of messages of the chat apps: into the journal before anybody is told, steps on the schedule, each owed to its business
// until acknowledged. Knows no protocol: the channels' simulators are asked through ChatChannel.
import type { Chat, ChatChannel, ChatChannelName, ChatDraft, Step } from './chat.ts';
import { chatStatus, isWaiting } from './chat.ts';
import type { Content } from './content.ts';
import type { ChatEntry, Entry, Messages } from './messages.ts';
import { Problem } from './problem.ts';
import type { Profile } from './profile.ts';
import type { Schedule } from './schedule.ts';

export interface ChatsOptions {
  messages: Messages;
  schedule: Schedule;
  /** Settles when the line is in the journal. */
  append: (entry: Entry, seq: number) => Promise<void>;
  note: (entry: Entry) => void;
  acked: (seq: number, n: number) => void;
  told: (chat: Chat) => void;
}

const mostSteps = 30;

export class Chats {
  #channels = new Map<ChatChannelName, ChatChannel>();
  #world: ChatsOptions;

  constructor(options: ChatsOptions) {
    this.#world = options;
  }

  /** In the turn the world was made: what is owed from before a restart is told in the next one. */
  connect(name: ChatChannelName, channel: ChatChannel): void {
    this.#channels.set(name, channel);
  }

  channel(name: ChatChannelName): ChatChannel {
    const channel = this.#channels.get(name);
    if (!channel) throw new Problem(503, 'unavailable', `${name} is not simulated here`);
    return channel;
  }

  /** What outlives the emptying of the world. */
  keeps(key: string): boolean {
    return [...this.#channels.values()].some((channel) => channel.keeps?.(key) ?? false);
  }

  reset(): void {
    for (const channel of this.#channels.values()) channel.reset();
  }

  async close(): Promise<void> {
    for (const channel of this.#channels.values()) await channel.close?.();
  }

  /** Resolves when the message is in the journal; rejects with a Problem, and nothing happened, when the disk refuses it. */
  async accept(draft: ChatDraft): Promise<Chat> {
    const { messages, append, told } = this.#world;
    const entry: ChatEntry = { k: 'chat', seq: messages.nextSeq(), time: Date.now(), ...draft };
    await append(entry, entry.seq).catch((error: Error) => {
      throw new Problem(503, 'unavailable', `the journal cannot be written: ${error.message}`);
    });
    const chat = messages.addChat(entry);
    this.arrange(chat);
    // The phone may have been switched on while the line was being written.
    if (isWaiting(chat) && messages.phones.stateOf(chat.phone) === 'on') this.#arrive(chat);
    told(chat);
    return chat;
  }

  /** Puts on the schedule what is still to happen, whether the message is new or was found at start. */
  arrange(chat: Chat, from = 0): void {
    if (chat.steps.length === 0) {
      this.#world.schedule.at(Date.now(), () => {
        if (!chat.gone) this.channel(chat.channel).starts?.(chat);
      });
    }
    for (let n = from; n < chat.steps.length; n += 1) {
      const step = chat.steps[n]!;
      const past = step.due <= Date.now();
      if ((chat.acked & (1 << n)) !== 0 && past) continue;
      this.#world.schedule.at(step.due, () => this.#due(chat, n));
    }
  }

  /** What happens to a message later than was known when it was accepted. */
  add(chat: Chat, steps: Step[]): void {
    const room = steps.slice(0, mostSteps - chat.steps.length);
    if (room.length === 0 || chat.gone) return;
    const from = chat.steps.length;
    this.#world.note({ k: 'steps', seq: chat.seq, steps: room });
    this.#world.messages.addSteps(chat.seq, room);
    this.arrange(chat, from);
    this.#world.told(chat);
  }

  acknowledged(chat: Chat, n: number): void {
    if (!this.#world.messages.ack(chat.seq, n)) return;
    this.#world.acked(chat.seq, n);
    this.#world.told(chat);
  }

  /** The business has read what the phone wrote, up to this message. */
  seen(chat: Chat): void {
    for (const item of this.#world.messages.phones.get(chat.phone)?.thread.before(chat.seq + 1) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'from_phone' || item.business_id !== chat.business_id) continue;
      if (item.channel !== chat.channel) continue;
      if (item.seen) break;
      this.#change(item, { seen: Date.now() });
    }
  }

  /** What the phone shows was not all known when the message was accepted. */
  show(chat: Chat, content: Content): void {
    this.#change(chat, { content });
  }

  pressed(chat: Chat, place: number): void {
    if (!chat.pressed.includes(place)) this.#change(chat, { pressed: [...chat.pressed, place] });
  }

  /** What a phone's coming on means for what waited. */
  phoneOn(digits: string): void {
    const waiting = this.#world.messages.phones.get(digits)?.waiting ?? [];
    for (const message of [...waiting]) if (message.kind === 'chat') this.#arrive(message);
  }

  /** The person reads what is there; gives back how many messages that were. */
  read(digits: string, channel: ChatChannelName | undefined, from: string): number {
    let count = 0;
    for (const item of this.#world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'to_phone' || chatStatus(item) !== 'delivered') continue;
      if (channel && item.channel !== channel) continue;
      if (from && item.peer !== from && item.business_id !== from) continue;
      if (item.steps.some(({ status }) => status === 'read')) continue;
      this.add(item, this.channel(item.channel).reads(item));
      count += 1;
    }
    return count;
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    for (const channel of this.#channels.values()) channel.profileChanged?.(digits, before, now);
  }

  #arrive(chat: Chat): void {
    this.#world.messages.phones.get(chat.phone)?.waiting?.delete(chat);
    this.add(chat, this.channel(chat.channel).arrives(chat));
  }

  #due(chat: Chat, n: number): void {
    if (chat.gone) return;
    if (chat.steps[n]!.told !== false && (chat.acked & (1 << n)) === 0) this.channel(chat.channel).owe(chat, n);
    this.#world.told(chat);
  }

  #change(chat: Chat, change: { seen?: number; pressed?: number[]; content?: Content }): void {
    this.#world.note({ k: 'chat_change', seq: chat.seq, ...change });
    Object.assign(chat, change);
    this.#world.told(chat);
  }
}
