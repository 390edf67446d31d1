/** JSON of carriers: numbers beyond 2^53 keep every digit (as text), words are made fit to be stored, and what is of another shape is no reason to fail. */

/** Undefined when it is not JSON, or nested beyond all measure. */
export function parseJson(text: string): unknown {
  try {
    // Looking at every value takes ten times as long: only where a number may be too long.
    return /[:[,]\s*-?\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Node's own types do not know of the third argument yet.
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

/** A text as it may be stored; empty when it is none. An id that is a number is a text all the same. */
export function textOf(value: unknown, most = MAX_WORDS): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return value.slice(0, most).replaceAll('\0', '').toWellFormed();
}

/** A name as one line: without marks that turn around what is written after it, and without line ends. */
export const nameOf = (value: unknown, most = 200): string =>
  textOf(value, most)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();

/** Seconds since 1970, as WhatsApp tells times; undefined when it is none. */
export const secondsOf = (value: unknown): number | undefined =>
  /^[1-9]\d{8,10}$/.test(textOf(value)) ? Number(value) * 1_000 : undefined;

/** Milliseconds since 1970. */
export const millisecondsOf = (value: unknown): number | undefined =>
  /^[1-9]\d{11,13}$/.test(textOf(value)) ? Number(value) : undefined;

/** Of a carrier's own words, what a timeline may show: no whole number. */
export const masked = (value: unknown): string => textOf(value, 300).replace(/\d{7,}/g, '…');
