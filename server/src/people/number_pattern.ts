/** Regular expressions of PostgreSQL that find a number in texts, but not as a part of a longer number. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const SEPARATORS = '[ ().\\u00a0/-]{0,3}';
const spaced = (digits: string): string => [...digits].join(SEPARATORS);

/** The number with its country code, with or without separators. */
export const numberPattern = (number: string): string =>
  /^\d+$/.test(number) ? `(?<!\\d)${spaced(number)}(?!\\d)` : literal(number);

/** The number as in files: with its country code, or as it is dialed in its country. */
export function writtenPattern(number: string): string {
  const national = /^\d+$/.test(number) ? parsePhoneNumberFromString(`+${number}`)?.nationalNumber : undefined;
  if (!national || national === number) return numberPattern(number);
  const code = number.slice(0, number.length - national.length);
  return `(?<!\\d)(?:(?:00)?${spaced(code)}${SEPARATORS}0?${SEPARATORS}|0)?${SEPARATORS}${spaced(national)}(?!\\d)`;
}

/** Carrier IDs that replace a number are matched literally. */
const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, (char) => `\\${char}`);
