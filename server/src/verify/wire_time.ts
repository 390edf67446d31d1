/** A time as the API writes it: UTC, to the second. */
export const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');
