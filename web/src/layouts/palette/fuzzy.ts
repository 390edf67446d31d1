/**
 * Fuzzy matching for the palette: every word of the query must occur in the text, contiguously or as letters in order
 * from the start of a word ("crcam" finds "Create campaign"). Case and accents are ignored.
 */
export interface Match {
  /** Higher is better. */
  score: number;
  /** The positions of the matched characters in the label. */
  positions: ReadonlySet<number>;
}

const fold = (text: string): string[] =>
  Array.from(text, (char) => char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase() || char);

const isWordStart = (chars: readonly string[], at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(chars[at - 1] as string);

const SCORES = { start: 12, word_start: 8, inside: 4, letters: 2, keywords: 3 };
/** Letters that are farther apart than this match by coincidence. */
const MAX_SPREAD = 3;
const MIN_LETTERS = 3;

/** Null if a word of the query matches neither the label nor the keywords. */
export function matchText(query: string, label: string, keywords = ''): Match | null {
  const chars = fold(label);
  const other = fold(keywords).join('');
  const positions = new Set<number>();
  let score = 0;
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const letters = fold(word);
    const run = findRun(chars, letters) ?? (other.includes(letters.join('')) ? KEYWORD : findLetters(chars, letters));
    if (!run) return null;
    score += run.score;
    for (const at of run.positions) positions.add(at);
  }
  // If two texts match equally, the shorter one is closer.
  return { score: score - Math.min(chars.length, 100) / 100, positions };
}

interface Run {
  score: number;
  positions: readonly number[];
}
const KEYWORD: Run = { score: SCORES.keywords, positions: [] };

const indexes = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at);

/** The best place where the letters follow each other. */
function findRun(chars: readonly string[], letters: readonly string[]): Run | null {
  let best: Run | null = null;
  for (let start = 0; start + letters.length <= chars.length; start++) {
    if (!letters.every((letter, at) => chars[start + at] === letter)) continue;
    const score = start === 0 ? SCORES.start : isWordStart(chars, start) ? SCORES.word_start : SCORES.inside;
    if (!best || score > best.score) best = { score, positions: indexes(start, letters.length) };
  }
  return best;
}

/** The letters in order, beginning at the start of a word. */
function findLetters(chars: readonly string[], letters: readonly string[]): Run | null {
  if (letters.length < MIN_LETTERS) return null;
  for (let start = 0; start < chars.length; start++) {
    if (chars[start] !== letters[0] || !isWordStart(chars, start)) continue;
    const positions = [start];
    for (let at = start + 1; at < chars.length && positions.length < letters.length; at++)
      if (chars[at] === letters[positions.length]) positions.push(at);
    const spread = (positions.at(-1) as number) - start + 1;
    if (positions.length === letters.length && spread <= letters.length * MAX_SPREAD)
      return { score: SCORES.letters, positions };
  }
  return null;
}
