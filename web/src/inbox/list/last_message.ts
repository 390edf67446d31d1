import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { isInvisible, NO_VISIBLE_TEXT } from '../../ui/message/visible_text.ts';

const FILE_LABELS: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };

/** The text of the last message, or its type if it has no text. */
export const messagePreview = ({ text, type }: NonNullable<Conversation['last_message']>): string =>
  isInvisible(text) ? NO_VISIBLE_TEXT : text || (FILE_LABELS[type] ?? '');
