/** The permissions of which a user needs one to view conversations. The menu loads this file on every page. */
export const INBOX_NEEDS = ['MESSAGES:view', 'CONVERSATIONS:view', 'CONVERSATIONS:add'] as const;
