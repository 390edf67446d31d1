/**
 * JSON from carriers: numbers beyond 2^53 keep every digit (as text), texts are made storable, and unexpected shapes
 * are no error.
 */

/** Undefined when it is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    // Visiting every value takes ten times as long, so it is done only where a number may be too long.
    return /[:[,]\s*-?\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Node's types do not have the third argument yet.
function exact(_key: string, value: unknown, ...rest: unknown[]): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = (rest[0] as { source?: string } | undefined)?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const MAX_WORDS = 10_000;

/** A storable text, empty when the value is no text. An id that is a number becomes text. */
export function textOf(value: unknown, most = MAX_WORDS): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return value.slice(0, most).replaceAll('\0', '').toWellFormed();
}

/** A name in one line: without line ends and without marks that change the writing direction. */
export const nameOf = (value: unknown, most = 200): string =>
  textOf(value, most)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();

/** Reads seconds since 1970; undefined when the value is no time. */
export const secondsOf = (value: unknown): number | undefined =>
  /^[1-9]\d{8,10}$/.test(textOf(value)) ? Number(value) * 1_000 : undefined;

/** Milliseconds since 1970. */
export const millisecondsOf = (value: unknown): number | undefined =>
  /^[1-9]\d{11,13}$/.test(textOf(value)) ? Number(value) : undefined;

/** What a timeline can show of a carrier's words: numbers are masked. */
export const masked = (value: unknown): string => textOf(value, 300).replace(/\d{7,}/g, '…');
