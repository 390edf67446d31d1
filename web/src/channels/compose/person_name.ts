import type { Conversation } from '@parley/contract/inbox/inbox.ts';

/** What we call the person, or what they call themself; empty when nobody has said. */
export const personName = ({
  contact_name,
  profile_name,
}: Pick<Conversation, 'contact_name' | 'profile_name'>): string => contact_name || profile_name;
