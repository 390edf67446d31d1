import type { Chat } from '../world/chat.ts';

/** What only Viber stores with a message. A message from a phone has the session alone. */
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
