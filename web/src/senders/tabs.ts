/** The tabs of the senders page, as they appear in its URL. */
export const TABS = ['senders', 'numbers', 'short_codes'] as const;
export type Tab = (typeof TABS)[number];
