/**
 * JSON from carriers: numbers beyond 2^53 keep every digit (as text), texts are made storable, and unexpected shapes
 * are no error.
 */

/** Undefined when it is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    // Visiting every value takes ten times as long, so it is done only where a number may be too long.
    return /[:[,]\s*-?\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Node's types do not have the third argument yet.
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

/** A storable text, empty when the value is no text. An id that is a number becomes text. */
export function toText(value: unknown, max_length = MAX_TEXT): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return value.slice(0, max_length).replaceAll('\0', '').toWellFormed();
}

/** A name in one line: without line ends and without marks that change the writing direction. */
export const toName = (value: unknown, max_length = 200): string =>
  toText(value, max_length)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();

/** Reads seconds since 1970; undefined when the value is no time. */
export const fromSeconds = (value: unknown): number | undefined =>
  /^[1-9]\d{8,10}$/.test(toText(value)) ? Number(value) * 1_000 : undefined;

/** Milliseconds since 1970. */
export const fromMilliseconds = (value: unknown): number | undefined =>
  /^[1-9]\d{11,13}$/.test(toText(value)) ? Number(value) : undefined;

/** What a timeline can show of a carrier's words: numbers are masked. */
export const maskNumbers = (value: unknown): string => toText(value, 300).replace(/\d{7,}/g, '…');
