import type { Conversation } from '@parley/contract/inbox/inbox.ts';

const FILES: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };

/** What was said last, or what it was where nothing was said. */
export const lastSaid = ({ text, type }: NonNullable<Conversation['last_message']>): string =>
  text || (FILES[type] ?? '');
