import type { Conversation } from '@parley/contract/inbox/inbox.ts';

/** What we call the person, or what they call themself; empty when nobody has said. */
export const personName = ({
  contact_name,
  profile_name,
}: Pick<Conversation, 'contact_name' | 'profile_name'>): string => contact_name || profile_name;

const FILES: Readonly<Record<string, string>> = { image: 'Image', video: 'Video', document: 'Document' };

/** What was said last, or what it was where nothing was said. */
export const lastSaid = ({ text, type }: NonNullable<Conversation['last_message']>): string =>
  text || (FILES[type] ?? '');
