/**
 * A message in a chat app (WhatsApp or Viber), and the interface of a channel simulator. The life cycle of a message is
 * a list of steps. When a step is due, the channel starts notifying the business and repeats this until the business
 * acknowledges the step.
 */
import type { ContactCard, Content, Place } from './content.ts';
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
  /** The time when the step happens and the business is notified. */
  due: number;
  error?: ChatError;
  /** If false, the step happens but the business is not notified. */
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
  /** The name of the business on the phone: the number of a WhatsApp sender, or the name of a Viber service. */
  peer: string;
  /** The ID of the business on its channel: phone_number_id or service_id. */
  business_id: string;
  /** The ID of the message on its channel. */
  id: string;
  content: Content;
  /** The business's reference, which every status repeats. */
  reference: string | null;
  /** The channel ID of the message to which this one replies. */
  reply_to: string | null;
  /** Data that is read only by the channel simulator. */
  extra?: Record<string, unknown>;
  /**
   * At most 30 steps. A message from the phone has one step, `delivered`, which delivers the message to the business.
   */
  steps: Step[];
  /** Bit n is set once step n has been acknowledged. */
  acked: number;
  /** The time when the business marked a message from the phone as read; 0 before that. */
  seen: number;
  /** The indexes of the buttons that were pressed. */
  pressed: number[];
  gone?: boolean;
}

export type ChatDraft = Omit<Chat, 'kind' | 'seq' | 'time' | 'acked' | 'seen' | 'pressed' | 'gone'>;

/**
 * A message from a phone. It has exactly one of text, media_url, location, contacts, reaction, press, and unsupported,
 * except that media may also have a text.
 */
export interface Inbound {
  /** The recipient business. If empty, the message goes to the business that wrote last. */
  to: string;
  text?: string;
  media_url?: string;
  location?: Place;
  contacts?: ContactCard[];
  reaction?: { message_id: string; emoji: string };
  /**
   * `button` is the text or the index of the button. `message_id` is an `id` or one of the `message_ids` in the thread.
   * `opened` means that the page has already opened the button's URL.
   */
  press?: { message_id: string; button: string | number; opened?: boolean };
  unsupported?: boolean;
  /** The message that this one quotes. */
  reply_to?: string;
}

export interface ChatChannel {
  /** Called for a message without steps that was accepted or restored at startup. Plans its steps. */
  start?(chat: Chat): void;
  /**
   * Called when step n is due, or was due before a restart. Notifies the business, then calls
   * `world.chats.acknowledge`.
   */
  notify(chat: Chat, n: number): void;
  /** Returns the steps of a waiting message once its phone can be reached again. */
  stepsOnArrival(chat: Chat): Step[];
  /** Returns the steps of a delivered message once its owner reads it. */
  stepsOnRead(chat: Chat): Step[];
  /**
   * Sends a message from the phone. Resolves when the message is in the journal; throws a Problem if it cannot be sent.
   */
  write(digits: string, inbound: Inbound): Promise<Chat>;
  /** Called when the profile of a phone has changed. */
  profileChanged?(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void;
  /** Returns whether a fact survives a reset. Business accounts survive, as do binds to the carrier. */
  keepsFact?(fact: string): boolean;
  /** Called when the sandbox is reset. */
  reset(): void;
  close?(): Promise<void> | void;
}

const rank: Record<ChatStatus, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 4 };

/** Returns the most advanced status that the message has reached by now. */
export function chatStatus({ steps }: Pick<Chat, 'steps'>, now = Date.now()): ChatStatus {
  let status: ChatStatus = 'accepted';
  for (const step of steps) if (step.due <= now && rank[step.status] > rank[status]) status = step.status;
  return status;
}

/** Returns whether a message is waiting for its phone, which means that no step delivers or fails it. */
export const isWaiting = ({ direction, steps }: Chat): boolean =>
  direction === 'to_phone' && !steps.some(({ status }) => rank[status] > rank.sent);

export const chatError = ({ steps }: Chat): ChatError | null =>
  steps.find(({ error }) => error !== undefined)?.error ?? null;

/** Returns how many steps the business has not acknowledged yet. */
export function chatPending({ steps, acked }: Chat): number {
  let pending = 0;
  for (let n = 0; n < steps.length; n += 1) if (steps[n]!.told !== false && (acked & (1 << n)) === 0) pending += 1;
  return pending;
}
