/**
 * Finds names that look like a brand: letters of other scripts and digits with the same shape, and spellings that
 * differ by one or two letters. The correct spelling of a brand is not a look-alike, except within a longer host name.
 */
import { type FoldedText, foldWord, type Token, writtenAt } from './folded_text.ts';
import type { LinkedHost } from './hosts.ts';

/** Pairs of a character and the Latin letter with the same shape. */
const SHAPES = new Map(
  (
    'аa вb сc ԁd еe ёe ґr һh іi їi јj кk ӏl мm нh ոn оo рp գq ѕs тt υu ѵv шw хx уy ԛq ԝw зe бb ԍg ' +
    'αa βb εe ηn ιi κk νv οo ρp σo τt υu χx ωw γy μu ' +
    '0o 1l 3e 4a 5s 7t 8b 9g |l !i ıi ȷj ɑa ɡg ɩi ʟl ɴn օo ѡw ⅼl ⅰi ∂d'
  )
    .split(' ')
    .map((pair) => [[...pair][0]!, [...pair][1]!] as const),
);

/** Words with the same skeleton look the same. */
export function skeleton(word: string): string {
  let shape = '';
  for (const point of word) shape += SHAPES.get(point) ?? point;
  return shape.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd').replaceAll('i', 'l');
}

export interface Brand {
  /** The folded name. */
  readonly name: string;
  /** The name as it is written, with its accents. */
  readonly written: string;
  readonly shape: string;
  readonly letters: number;
  /** The number of letters by which an imitation may differ. */
  readonly edits: number;
}

export function toBrand(given: string): Brand {
  const name = foldWord(given);
  const shape = skeleton(name);
  const written = given.trim().normalize('NFC').toLowerCase();
  return { name, written, shape, letters: letterSet(shape), edits: allowedEdits(name) };
}

/** Short names have too many neighbors that are ordinary words. */
const allowedEdits = ({ length }: string): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

/** Numbers imitate no name. */
const DIGITS = /^\d+$/;
/** The most words whose result is kept. Most words of a text have been seen before. */
const MAX_KNOWN = 10_000;

/** Finds the brand that a word imitates. */
export class BrandFinder {
  private readonly brands: readonly Brand[];
  private readonly known = new Map<string, Brand | null>();

  constructor(brands: readonly Brand[]) {
    this.brands = brands;
  }

  /** `written` is in lower case. `isPart`: the word is a part of a longer host name. */
  find(written: string, isPart = false): Brand | null {
    if (written.length < 3 || written.length > 40 || DIGITS.test(written)) return null;
    const key = isPart ? `${written}.` : written;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = findImitated(written, this.brands, isPart);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, found);
    return found;
  }
}

function findImitated(written: string, brands: readonly Brand[], isPart: boolean): Brand | null {
  const word = foldWord(written);
  const shape = skeleton(word);
  const letters = letterSet(shape);
  for (const brand of brands) {
    if (word === brand.name) {
      if (isPart || (written !== brand.name && written !== brand.written)) return brand;
      continue;
    }
    if (shape === brand.shape) return brand;
    const { edits } = brand;
    if (edits === 0 || Math.abs(shape.length - brand.shape.length) > edits) continue;
    // An edit adds and removes at most one letter each.
    if (countBits(letters ^ brand.letters) > 2 * edits) continue;
    // An inflected form, such as a plural, is not an imitation.
    if (!isInflected(word, brand.name) && isWithin(shape, brand.shape, edits)) return brand;
  }
  return null;
}

/** The letters of a word as bits. */
function letterSet(word: string): number {
  let bits = 0;
  for (let n = 0; n < word.length; n++) bits |= 1 << (word.charCodeAt(n) % 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const isInflected = (word: string, name: string): boolean => word.startsWith(name) || name.startsWith(word);

/** True if `edits` insertions, deletions, replacements, or swaps of neighbors turn one word into the other. */
export function isWithin(a: string, b: string, edits: number): boolean {
  if (Math.abs(a.length - b.length) > edits) return false;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > edits) return false;
    before = row;
    row = next;
  }
  return row[b.length]! <= edits;
}

/** Returns the brand that a host imitates: as the whole name, or as a part of it, as in `brand-login.example`. */
export function findInHost({ name }: LinkedHost, brands: BrandFinder): Brand | null {
  const labels = name.split('.');
  // The name that was registered: the label before the ending, which has two parts in some countries.
  const second = labels.at(-2) ?? '';
  const isDouble = labels.length > 2 && labels.at(-1)!.length === 2 && second.length <= 3;
  const registered = labels.length - (isDouble ? 3 : 2);
  for (const [index, label] of labels.entries()) {
    if (index > registered) break;
    const whole = brands.find(label, index < registered);
    if (whole) return whole;
    if (!label.includes('-')) continue;
    for (const part of label.split('-')) {
      const found = brands.find(part, true);
      if (found) return found;
    }
  }
  return null;
}

export const findInTokens = (
  text: FoldedText,
  tokens: readonly Token[],
  brands: BrandFinder,
): { token: Token; brand: Brand }[] =>
  tokens.flatMap((token) => {
    const brand = brands.find(writtenAt(text, token.start, token.end));
    return brand ? [{ token, brand }] : [];
  });
