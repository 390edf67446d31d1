/**
 * Splits texts of any language into words for the search. Case, accents, width, and invisible characters make no
 * difference. Each emoji is a word. Scripts without spaces between words are searched by their characters.
 */

/** Accents of European scripts, vowel points of Arabic and Hebrew, and the Arabic tatweel. */
const POINTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0640\u064b-\u065f\u0670]/g;
/** Skin tones, variation selectors, bidi marks, and other invisible characters, except the joiner of emoji. */
const INVISIBLE = /(?!\u200d)\p{Cf}|\p{EMod}|[\ufe0e\ufe0f]/gu;
const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const WORD = new RegExp(
  [
    String.raw`\p{RI}\p{RI}`,
    String.raw`\p{Extended_Pictographic}(?:[\ufe0f\u{1f3fb}-\u{1f3ff}]*\u200d\p{Extended_Pictographic})*`,
    `[${WITHOUT_SPACES}]+`,
    // Points and invisible characters inside a word do not end it.
    String.raw`[[\p{L}\p{N}\p{M}\u200b\u200c\u2060\u00ad]--[${WITHOUT_SPACES}]]+`,
  ].join('|'),
  'gv',
);
const HAS_NO_SPACES = new RegExp(`^[${WITHOUT_SPACES}]`, 'v');

/** Words are compared up to this length. */
const MAX_WORD = 40;

const fold = (text: string): string =>
  text.normalize('NFKD').replace(POINTS, '').replace(INVISIBLE, '').normalize('NFC').toLowerCase();

const words = (text: string): string[] => (fold(text).match(WORD) ?? []).filter((word) => /[^\p{M}]/u.test(word));

/** The text as it is stored for the search: its words, with a space before and after each. Empty without words. */
export function searchText(text: string): string {
  const list = words(text);
  return list.length === 0 ? '' : ` ${list.join(' ')} `;
}

/** The neighboring characters of a word, and its last character, so that each character begins an entry. */
function pairs(word: string): string[] {
  const letters = [...word];
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''));
}

/** The entries that a stored text adds to the words of its block. */
export const blockWords = (text: string): string[] =>
  text
    .split(' ')
    .filter(Boolean)
    .flatMap((word) => (HAS_NO_SPACES.test(word) ? pairs(word) : [word.slice(0, MAX_WORD)]));

export interface Query {
  /** The required words, as patterns for stored texts. */
  patterns: string[];
  /** The beginnings of words that a block must have. */
  prefixes: string[];
  /** The words, for highlighting. */
  words: string[];
}

/** Reads a search text: beginnings of words, in any order. Null if it has no words. */
export function readQuery(text: string): Query | null {
  const list = [...new Set(words(text))];
  if (list.length === 0) return null;
  return {
    words: list,
    patterns: list.map((word) => (HAS_NO_SPACES.test(word) ? `%${word}%` : `% ${word}%`)),
    prefixes: list.flatMap((word) => {
      if (!HAS_NO_SPACES.test(word)) return [word.slice(0, MAX_WORD)];
      // The last character alone adds nothing to the pair before it.
      return [...word].length === 1 ? [word] : pairs(word).slice(0, -1);
    }),
  };
}

export interface SnippetPart {
  text: string;
  match: boolean;
}

const BEFORE = 40;
const LENGTH = 160;

/** The part of a text around its first match, with the matching words marked. */
export function snippet(text: string, { words: wanted }: Query): SnippetPart[] {
  const matches = [...text.matchAll(WORD)].flatMap((found) => {
    const word = fold(found[0]);
    const isMatch = wanted.some((one) => (HAS_NO_SPACES.test(word) ? word.includes(one) : word.startsWith(one)));
    return isMatch ? [markedPart(found[0], found.index, wanted)] : [];
  });
  const start = cut(text, (matches[0]?.start ?? 0) - BEFORE);
  const end = start + LENGTH >= text.length ? text.length : cut(text, start + LENGTH);
  const parts: SnippetPart[] = start > 0 ? [{ text: '…', match: false }] : [];
  let at = start;
  for (const match of matches) {
    if (match.start >= end) break;
    parts.push({ text: text.slice(at, match.start), match: false });
    at = Math.min(match.end, end);
    parts.push({ text: text.slice(match.start, at), match: true });
  }
  parts.push({ text: text.slice(at, end) + (end < text.length ? '…' : ''), match: false });
  return parts.filter((part) => part.text !== '');
}

/** In scripts without spaces only the characters of the match are marked, if no character changes its length. */
function markedPart(word: string, start: number, wanted: readonly string[]): { start: number; end: number } {
  const folded = fold(word);
  const one = HAS_NO_SPACES.test(folded) && folded.length === word.length && wanted.find((w) => folded.includes(w));
  if (!one) return { start, end: start + word.length };
  const offset = start + folded.indexOf(one);
  return { start: offset, end: offset + one.length };
}

/** The nearest position that splits neither a surrogate pair nor, where spaces exist, a word. */
function cut(text: string, position: number): number {
  if (position <= 0) return 0;
  const space = text.lastIndexOf(' ', position);
  const at = space > position - 20 && space > 0 ? space + 1 : position;
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
}
