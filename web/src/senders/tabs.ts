/** The tabs of the senders page, as they stand in its address. */
export const TABS = ['senders', 'numbers', 'short_codes'] as const;
export type Tab = (typeof TABS)[number];
