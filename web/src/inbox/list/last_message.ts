import type { Conversation } from '@parley/contract/inbox/inbox.ts';

const FILE_LABELS: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };

/** What was said last, or what it was where nothing was said. */
export const messagePreview = ({ text, type }: NonNullable<Conversation['last_message']>): string =>
  text || (FILE_LABELS[type] ?? '');
