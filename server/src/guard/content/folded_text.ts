/**
 * A text in the form in which rules compare it: compatibility forms, case, accents, and invisible characters do not
 * matter. Each unit of the folded text knows its place in the original, so that a match can be highlighted.
 */
export interface FoldedText {
  readonly original: string;
  /** True if only the case of the original was changed. */
  readonly isPlain: boolean;
  readonly text: string;
  /** Returns the place in the original text. */
  at(index: number): number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: tests for plain ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const INVISIBLE = /[\p{Mn}\p{Cf}\p{Variation_Selector}]/gu;
/** The full stops of East Asian texts, which browsers accept in host names. */
const DOTS = /[。｡．]/g;

export const foldWord = (word: string): string => foldText(word.trim()).text;

export function foldText(original: string): FoldedText {
  if (ASCII.test(original)) return { original, isPlain: true, text: original.toLowerCase(), at: (index) => index };
  let text = '';
  const places: number[] = [];
  let place = 0;
  for (const point of original) {
    const folded = point.replace(DOTS, '.').normalize('NFKD').toLowerCase().replace(INVISIBLE, '');
    for (let n = 0; n < folded.length; n++) places.push(place);
    text += folded;
    place += point.length;
  }
  return { original, isPlain: false, text, at: (index) => places[index] ?? original.length };
}

export interface Span {
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

export const toSpan = ({ at }: FoldedText, what: string, start: number, end: number): Span => ({
  what,
  start: at(start),
  // The end of the last unit, which may have been followed by invisible characters.
  end: end === start ? at(start) : Math.max(at(end - 1) + 1, at(end)),
});

/** The place in the original as written, in lower case. */
export const writtenAt = ({ original, text, isPlain, at }: FoldedText, start: number, end: number): string =>
  isPlain ? text.slice(start, end) : original.slice(at(start), at(end)).normalize('NFC').toLowerCase();

const TOKEN = /[\p{L}\p{N}]+/gu;
const PLAIN_TOKEN = /[a-z0-9]+/g;

export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export function tokenize({ text, isPlain }: FoldedText): Token[] {
  const tokens: Token[] = [];
  const pattern = isPlain ? PLAIN_TOKEN : TOKEN;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text))
    tokens.push({ word: found[0], start: found.index, end: pattern.lastIndex });
  return tokens;
}
