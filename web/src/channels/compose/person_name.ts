import type { Conversation } from '@parley/contract/inbox/inbox.ts';

/** The contact's name, or else the name in the recipient's profile; empty if neither is known. */
export const personName = ({
  contact_name,
  profile_name,
}: Pick<Conversation, 'contact_name' | 'profile_name'>): string => contact_name || profile_name;
