/** The statuses of conversations. */

/**
 * `pending` waits for the contact, and `snoozed` opens again at a given time. A new inbound message opens conversations
 * in any status.
 */
export const CONVERSATION_STATUSES = ['open', 'pending', 'snoozed', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** The longest time for which a conversation can be snoozed. */
export const MAX_SNOOZE_DAYS = 366;
export const MAX_AUTO_CLOSE_DAYS = 365;
