// A message of a chat app (WhatsApp, Viber) as the sandbox remembers it, and what a channel's simulator promises the world. What
// becomes of a message is planned as steps, each owed to the business from its time on until the business has acknowledged it.
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
  /** When it happens, and from when on the business is owed the news. */
  due: number;
  error?: ChatError;
  /** False: it happens, and the business is never told. */
  told?: false;
}

export interface Chat {
  kind: 'chat';
  seq: number;
  time: number;
  channel: ChatChannelName;
  direction: 'to_phone' | 'from_phone';
  /** Digits of the phone. */
  phone: string;
  /** How the phone shows the business: the number of a WhatsApp sender, the name of a Viber one. */
  peer: string;
  /** The business as its channel names it: phone_number_id, service_id. */
  business_id: string;
  /** The channel's own id of the message. */
  id: string;
  content: Content;
  /** What the business asked to be told back with every status. */
  reference: string | null;
  /** The channel's id of the message this one answers. */
  reply_to: string | null;
  /** What only the channel's simulator needs. */
  extra?: Record<string, unknown>;
  /** At most 30. Of a message from the phone: one, `delivered`, which is the news of the message itself. */
  steps: Step[];
  /** Bit n is set when step n was acknowledged. */
  acked: number;
  /** When the business marked a message of the phone as read; 0 while it has not. */
  seen: number;
  /** Places of the buttons that were pressed. */
  pressed: number[];
  gone?: boolean;
}

export type ChatDraft = Omit<Chat, 'kind' | 'seq' | 'time' | 'acked' | 'seen' | 'pressed' | 'gone'>;

/** What a phone writes; exactly one of text, media_url, location, reaction, press and unsupported says what, media may have a text. */
export interface Inbound {
  /** Empty: the business that wrote last. */
  to: string;
  text?: string;
  media_url?: string;
  location?: Place;
  reaction?: { message_id: string; emoji: string };
  /** `button` is the text of the button or its place, from 0. `message_id` is an `id` or one of the `message_ids` of the thread.
   * `opened`: somebody has opened its address already, as the page does. */
  press?: { message_id: string; button: string | number; opened?: boolean };
  unsupported?: boolean;
  /** A message this one quotes. */
  reply_to?: string;
}

export interface ChatChannel {
  /** Accepted without steps, or found so at start: what becomes of it is still to be found out. */
  starts?(chat: Chat): void;
  /** Step n is due, or was due before a restart: see that the business hears of it, then call `world.chats.acknowledged`. */
  owe(chat: Chat, n: number): void;
  /** The phone can be reached again: the steps of a message that waited for it. */
  arrives(chat: Chat): Step[];
  /** The person reads: the steps of a message that was delivered. */
  reads(chat: Chat): Step[];
  /** The phone writes; resolves when the message is in the journal, throws a Problem where it cannot be written. */
  write(digits: string, inbound: Inbound): Promise<Chat>;
  /** Somebody changed what the phone is besides being on or off. */
  profileChanged?(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void;
  /** Accounts of businesses stay when the world is emptied, as their lines to the carrier do. */
  keeps?(fact: string): boolean;
  /** The world was emptied. */
  reset(): void;
  close?(): Promise<void> | void;
}

const rank: Record<ChatStatus, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 4 };

/** The furthest it has come by now. */
export function chatStatus({ steps }: Pick<Chat, 'steps'>, now = Date.now()): ChatStatus {
  let status: ChatStatus = 'accepted';
  for (const step of steps) if (step.due <= now && rank[step.status] > rank[status]) status = step.status;
  return status;
}

/** A message to the phone that is on its way: not delivered, not failed, and nothing planned that would be either. */
export const isWaiting = ({ direction, steps }: Chat): boolean =>
  direction === 'to_phone' && !steps.some(({ status }) => rank[status] > rank.sent);

export const chatError = ({ steps }: Chat): ChatError | null =>
  steps.find(({ error }) => error !== undefined)?.error ?? null;

/** How many steps the business has not acknowledged. */
export function chatPending({ steps, acked }: Chat): number {
  let pending = 0;
  for (let n = 0; n < steps.length; n += 1) if (steps[n]!.told !== false && (acked & (1 << n)) === 0) pending += 1;
  return pending;
}
