/**
 * A message of a chat app (WhatsApp or Viber) and the interface of a channel simulator. The life of a message is a list
 * of steps. From the time of a step on, the channel notifies the business until it acknowledges the step.
 */
import type { Content, Place } from './content.ts';
import type { Profile } from './profile.ts';

export const chatChannels = ['WHATSAPP', 'VIBER'] as const;
export type ChatChannelName = (typeof chatChannels)[number];

export type ChatStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

export interface ChatError {
  code: number;
  title: string;
}

export interface Step {
  status: ChatStatus;
  /** When the step happens and the business is notified. */
  due: number;
  error?: ChatError;
  /** False: the step happens, but the business is not notified. */
  told?: false;
}

export interface Chat {
  kind: 'chat';
  seq: number;
  time: number;
  channel: ChatChannelName;
  direction: 'to_phone' | 'from_phone';
  /** The digits of the phone. */
  phone: string;
  /** How the phone shows the business: the number of a WhatsApp sender, the name of a Viber service. */
  peer: string;
  /** The id of the business on its channel: phone_number_id or service_id. */
  business_id: string;
  /** The id of the message on its channel. */
  id: string;
  content: Content;
  /** The reference of the business, which every status repeats. */
  reference: string | null;
  /** The channel id of the message that this one replies to. */
  reply_to: string | null;
  /** Data that only the channel simulator reads. */
  extra?: Record<string, unknown>;
  /** At most 30. A message from the phone has one step, `delivered`, which delivers the message to the business. */
  steps: Step[];
  /** Bit n is set when step n is acknowledged. */
  acked: number;
  /** When the business marked a message from the phone as read; 0 before that. */
  seen: number;
  /** The indexes of the buttons that were pressed. */
  pressed: number[];
  gone?: boolean;
}

export type ChatDraft = Omit<Chat, 'kind' | 'seq' | 'time' | 'acked' | 'seen' | 'pressed' | 'gone'>;

/**
 * What a phone sends: exactly one of text, media_url, location, reaction, press and unsupported; media may have a text.
 */
export interface Inbound {
  /** The business; empty means the one that wrote last. */
  to: string;
  text?: string;
  media_url?: string;
  location?: Place;
  reaction?: { message_id: string; emoji: string };
  /**
   * `button` is the text or the index of the button. `message_id` is an `id` or one of the `message_ids` of the thread.
   * `opened`: the address of the button is already open, because the page opened it.
   */
  press?: { message_id: string; button: string | number; opened?: boolean };
  unsupported?: boolean;
  /** The message that this one quotes. */
  reply_to?: string;
}

export interface ChatChannel {
  /** A message without steps was accepted or restored at start: plan its steps. */
  start?(chat: Chat): void;
  /** Step n is due, or was due before a restart: notify the business, then call `world.chats.acknowledge`. */
  notify(chat: Chat, n: number): void;
  /** The steps of a waiting message, once its phone can be reached again. */
  stepsOnArrival(chat: Chat): Step[];
  /** The steps of a delivered message, once its owner reads it. */
  stepsOnRead(chat: Chat): Step[];
  /**
   * The phone sends a message. Resolves when the message is in the journal; throws a Problem when it cannot be sent.
   */
  write(digits: string, inbound: Inbound): Promise<Chat>;
  /** The profile of a phone changed. */
  profileChanged?(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void;
  /** Whether a fact survives a reset. Accounts of businesses do, as their binds to the carrier do. */
  keepsFact?(fact: string): boolean;
  /** The sandbox was reset. */
  reset(): void;
  close?(): Promise<void> | void;
}

const rank: Record<ChatStatus, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 4 };

/** The most advanced status that the message has reached by now. */
export function chatStatus({ steps }: Pick<Chat, 'steps'>, now = Date.now()): ChatStatus {
  let status: ChatStatus = 'accepted';
  for (const step of steps) if (step.due <= now && rank[step.status] > rank[status]) status = step.status;
  return status;
}

/** Whether a message waits for its phone: it has no step that delivers or fails it. */
export const isWaiting = ({ direction, steps }: Chat): boolean =>
  direction === 'to_phone' && !steps.some(({ status }) => rank[status] > rank.sent);

export const chatError = ({ steps }: Chat): ChatError | null =>
  steps.find(({ error }) => error !== undefined)?.error ?? null;

/** How many steps the business must still acknowledge. */
export function chatPending({ steps, acked }: Chat): number {
  let pending = 0;
  for (let n = 0; n < steps.length; n += 1) if (steps[n]!.told !== false && (acked & (1 << n)) === 0) pending += 1;
  return pending;
}
