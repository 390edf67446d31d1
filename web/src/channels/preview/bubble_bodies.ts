import type { ChannelBubble } from '../channel.ts';
import { bubble as viber } from '../viber/BubbleBody.tsx';
import { bubble as whatsapp } from '../whatsapp/BubbleBody.tsx';

const BUBBLES: readonly ChannelBubble[] = [whatsapp, viber];

/** The contents of a channel's message bubble; null if a bubble contains only text. */
export const bubbleBody = (channel: string): ChannelBubble['BubbleBody'] | null =>
  BUBBLES.find(({ name }) => name === channel)?.BubbleBody ?? null;
