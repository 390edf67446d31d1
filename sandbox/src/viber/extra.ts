import type { Chat } from '../world/chat.ts';

/** Data that Viber stores with a message. For a message from a phone, this is only the session. */
export interface ViberExtra {
  type?: number;
  label?: string;
  tag?: string;
  seq?: number | string | null;
  ttl_seconds?: number;
  expires?: number;
  link?: string | null;
  session?: number;
  session_opened?: number;
}

export const viberExtra = (chat: Chat): ViberExtra => (chat.extra ?? {}) as ViberExtra;
