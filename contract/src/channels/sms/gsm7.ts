/**
 * The GSM 03.38 (3GPP TS 23.038) default alphabet and its extension table as data. The segment counter, pricing, and
 * the SMPP encoder share these tables, so a character is always sent as it was counted. This file has no imports and no
 * national tables.
 */

/** The 128 characters of the default alphabet in septet order; 0x1b is the escape to the extension table. */
export const GSM7_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The septet that precedes a character of the extension table. */
export const GSM7_ESCAPE = 0x1b;

/** Characters sent as two septets: the escape, then the listed septet. */
export const GSM7_EXTENSION: readonly (readonly [septet: number, character: string])[] = [
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
];

/** Flag on a table entry whose septet belongs to the extension table. */
export const GSM7_EXTENDED = 0x80;

const HIGHEST = 0x20ac;
/**
 * Maps each UTF-16 code unit to its septet, to GSM7_EXTENDED | septet, or to -1. Units beyond the end are not in the
 * alphabet.
 */
const table = new Int16Array(HIGHEST + 1).fill(-1);
for (let septet = 0; septet < 128; septet++) {
  if (septet !== GSM7_ESCAPE) table[GSM7_ALPHABET.charCodeAt(septet)] = septet;
}
for (const [septet, character] of GSM7_EXTENSION) table[character.charCodeAt(0)] = GSM7_EXTENDED | septet;

/** Returns the septet of a UTF-16 code unit (with GSM7_EXTENDED for extensions), or -1 if GSM-7 does not contain it. */
export function gsm7Septet(unit: number): number {
  return unit <= HIGHEST ? table[unit]! : -1;
}
