/**
 * Reads JSON from carriers. Numbers beyond 2^53 become text and keep every digit, strings are made safe to store, and
 * an unexpected shape is not an error.
 */

/** Returns undefined if the text is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    // Parsing with the reviver takes ten times as long, so it is used only if a number may be too long.
    return /[:[,]\s*-?\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Node's type definitions do not have the third argument yet.
function keepDigits(_key: string, value: unknown, ...rest: unknown[]): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = (rest[0] as { source?: string } | undefined)?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

export type Json = Readonly<Record<string, unknown>>;

export const toObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const MAX_TEXT = 10_000;

/** Returns text that can be stored, or an empty string if the value is not text. A numeric id becomes text. */
export function toText(value: unknown, max_length = MAX_TEXT): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return value.slice(0, max_length).replaceAll('\0', '').toWellFormed();
}

/** Returns a name on one line: without line breaks, and without marks that change the writing direction. */
export const toName = (value: unknown, max_length = 200): string =>
  toText(value, max_length)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();

/** Converts a timestamp in seconds since 1970 to milliseconds. Returns undefined if the value is not a time. */
export const fromSeconds = (value: unknown): number | undefined =>
  /^[1-9]\d{8,10}$/.test(toText(value)) ? Number(value) * 1_000 : undefined;

/** Reads a timestamp in milliseconds since 1970. Returns undefined if the value is not a time. */
export const fromMilliseconds = (value: unknown): number | undefined =>
  /^[1-9]\d{11,13}$/.test(toText(value)) ? Number(value) : undefined;

/** Masks long numbers in a carrier's text, so that a timeline can show it. */
export const maskNumbers = (value: unknown): string => toText(value, 300).replace(/\d{7,}/g, '…');
