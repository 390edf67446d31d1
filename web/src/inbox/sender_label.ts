import type { Conversation } from '@parley/contract/inbox/inbox.ts';

/** The name of the business that recipients see, or else the sender's name. */
export const senderLabel = ({
  business_name,
  business_name_en,
  sender_name,
}: Pick<Conversation, 'business_name' | 'business_name_en' | 'sender_name'>): string =>
  business_name || business_name_en || sender_name;
