/**
 * The length of a text. A character is a Unicode code point, as in JSON Schema and PostgreSQL and in the rules of
 * schemas: every letter and most emoji count as one. The segments of an SMS are counted differently (channels/sms).
 */
export function textLength(text: string): number {
  // Most texts have no surrogate pairs, so their length is the number of UTF-16 units.
  return /[\ud800-\udbff]/.test(text) ? [...text].length : text.length;
}
