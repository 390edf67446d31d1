/**
 * Decides what an inbound message means: one of the words that every sender recognizes, or one of the account's own
 * keywords. All functions are pure, so the app predicts the match with the same code.
 */
import {
  INTERNATIONAL_WORDS,
  KEYWORD_KINDS,
  KEYWORD_LANGUAGES,
  KEYWORD_WORDS,
  type KeywordKind,
  type KeywordLanguage,
} from './keyword_words.ts';

export const KEYWORD_MATCHES = ['exact', 'starts_with', 'contains'] as const;
export type KeywordMatching = (typeof KEYWORD_MATCHES)[number];
export const KEYWORD_EFFECTS = ['none', 'opt_out', 'opt_in', 'automation'] as const;
export type KeywordEffect = (typeof KEYWORD_EFFECTS)[number];

/** Longer messages contain more than one of the words that every sender recognizes. */
const MAX_LENGTH = 60;

/** Letters that do not decompose into a letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Accents of Latin, Greek, and Cyrillic, vowel points of Hebrew and Arabic, and the Arabic elongation. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/g;
/** Characters that are invisible, or that surround or style an emoji. */
const STYLES = /\p{Cf}|\p{Me}|\p{Variation_Selector}/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{Extended_Pictographic}/gu;
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * The words of a text, without case, accents, and punctuation. Full-width letters become regular letters. Emojis count
 * only if the text has nothing else.
 */
export function keywordTokens(text: string): string[] {
  const folded = text
    .replace(STYLES, '')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => PLAIN[letter]!);
  const tokens = folded.match(WORD) ?? [];
  const words = tokens.filter((token) => HAS_WORDS.test(token));
  return words.length > 0 ? words : tokens;
}

/** "opt out", "opt-out", and "OptOut" are the same. */
const join = (tokens: readonly string[]): string => tokens.join('');

/** Whether the tokens from this position on begin with the word. */
function beginsAt(tokens: readonly string[], start: number, word: string): boolean {
  let read = '';
  for (let at = start; at < tokens.length && read.length < word.length; at++) read += tokens[at]!;
  return read === word;
}

function matchesWord(word: readonly string[], text: readonly string[], match: KeywordMatching): boolean {
  const joined = join(word);
  if (joined === '') return false;
  if (match === 'exact') return joined === join(text);
  if (UNSPACED.test(joined)) return match === 'contains' ? join(text).includes(joined) : join(text).startsWith(joined);
  return match === 'contains' ? text.some((_, start) => beginsAt(text, start, joined)) : beginsAt(text, 0, joined);
}

/** The parts of an account's keyword that matching needs. */
export interface KeywordRule {
  words: readonly string[];
  match: KeywordMatching;
  /** Empty means all senders. */
  sender_ids: readonly string[];
  /** The countries of the people who send it. Empty means all countries. */
  countries: readonly string[];
  effect: KeywordEffect;
  enabled: boolean;
}

export interface BuiltInKeyword {
  kind: KeywordKind;
  word: string;
  /** Null for a word that belongs to no single language. */
  languages: readonly KeywordLanguage[] | null;
  clear: boolean;
}

const BUILT_IN: ReadonlyMap<string, BuiltInKeyword> = collectBuiltIn();

function collectBuiltIn(): Map<string, BuiltInKeyword> {
  const international = new Set(INTERNATIONAL_WORDS);
  const all = new Map<string, BuiltInKeyword>();
  for (const language of KEYWORD_LANGUAGES)
    for (const kind of KEYWORD_KINDS)
      for (const clear of [true, false])
        for (const word of KEYWORD_WORDS[language][clear ? 'clear' : 'other'][kind]) {
          const key = join(keywordTokens(word));
          const before = all.get(key);
          const languages = international.has(word) ? null : [...(before?.languages ?? []), language];
          all.set(key, { kind, word: before?.word ?? word, languages, clear: clear || (before?.clear ?? false) });
        }
  return all;
}

const POLITE: ReadonlySet<string> = new Set(
  KEYWORD_LANGUAGES.flatMap((language) => KEYWORD_WORDS[language].polite.flatMap(keywordTokens)),
);

/** Finds a word that every sender recognizes. On a button, only clear words count: "Cancel" answers our question. */
export function findBuiltIn(text: string, pressed = false): BuiltInKeyword | null {
  if (text.length > MAX_LENGTH) return null;
  const tokens = keywordTokens(text);
  const whole = BUILT_IN.get(join(tokens));
  if (whole) return pressed && !whole.clear ? null : whole;
  if (pressed) return null;
  // "STOP please", and "STOP STOP STOP". An opt-in has to be exact.
  const rest = [...new Set(tokens.filter((token) => !POLITE.has(token)))];
  const polite = BUILT_IN.get(join(rest));
  return polite?.clear && polite.kind !== 'start' ? polite : null;
}

/** The language of the reply: the person's if known, then the word's, then the country's. */
export function replyLanguage(
  { languages }: Pick<BuiltInKeyword, 'languages'>,
  person: { language: string; country: string },
): KeywordLanguage {
  const possible = languages ?? KEYWORD_LANGUAGES;
  const spoken = person.language.slice(0, 2).toLowerCase();
  const local = possible.find((language) => KEYWORD_WORDS[language].countries.includes(person.country));
  return possible.find((language) => language === spoken) ?? local ?? possible[0]!;
}

export interface KeywordScope {
  /** The sender that the person messaged, and its number pool. */
  sender_ids: readonly string[];
  /** The country of the person's number. */
  country: string;
  /** True if the person pressed a button with this text. */
  pressed?: boolean;
}

export interface KeywordMatch<R extends KeywordRule = KeywordRule> {
  kind: KeywordKind | 'custom';
  /** The account's own keyword; null for a word that every sender recognizes. */
  rule: R | null;
  built_in: BuiltInKeyword | null;
}

const EFFECT_KINDS = { opt_out: 'stop', opt_in: 'start', none: 'custom', automation: 'custom' } as const;

/**
 * Finds what a message means. A word that means STOP always opts out; the account's keyword can then only change the
 * reply. Otherwise, the account's first matching keyword applies, then START and HELP.
 */
export function matchKeyword<R extends KeywordRule>(
  text: string,
  scope: KeywordScope,
  rules: readonly R[],
): KeywordMatch<R> | null {
  const built_in = findBuiltIn(text, scope.pressed);
  const tokens = keywordTokens(text);
  const applies = (rule: R): boolean =>
    rule.enabled &&
    (rule.sender_ids.length === 0 || scope.sender_ids.some((id) => rule.sender_ids.includes(id))) &&
    (rule.countries.length === 0 || rule.countries.includes(scope.country)) &&
    (built_in?.kind !== 'stop' || rule.effect === 'opt_out') &&
    rule.words.some((word) => matchesWord(keywordTokens(word), tokens, rule.match));
  const rule = rules.find(applies) ?? null;
  if (rule) return { kind: EFFECT_KINDS[rule.effect], rule, built_in };
  return built_in && { kind: built_in.kind, rule: null, built_in };
}

/** The word that every sender recognizes as STOP or START and that no keyword of the account can change. */
export function reservedWord(words: readonly string[], effect: KeywordEffect): string | null {
  const kind = (word: string) => {
    const found = BUILT_IN.get(join(keywordTokens(word)));
    if (found?.kind === 'stop') return 'stop';
    return found?.kind === 'start' && found.clear ? 'start' : null;
  };
  const isReserved = (word: string) => kind(word) !== null && kind(word) !== EFFECT_KINDS[effect];
  return words.find(isReserved) ?? null;
}
