/** The current time in UTC with milliseconds, as attempts store it. */
export const timelineNow = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ');
