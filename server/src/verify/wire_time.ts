/** Formats a time for the API: UTC, to the second. */
export const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');
