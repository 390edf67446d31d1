/**
 * Finds the language of a text, for the rules of the inbox (decision 150). The word list of the detector takes about
 * 150 MB, so it loads when a rule first needs it.
 */
import { RULE_LANGUAGES, type RuleLanguage } from '@parley/contract/inbox/rule_languages.ts';
import type { RuleConditions } from '@parley/contract/inbox/rules.ts';

/** Words such as "ok" or "Taxi" exist in many languages. */
const MIN_LETTERS = 10;
/** One character of these scripts is about as much text as three letters. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const DENSE_LETTERS = 3;
/** The second language must be less likely by this much, on a scale from 0 to 1. */
const MIN_LEAD = 0.02;
/** More text does not make the result better. */
const MAX_LENGTH = 1_000;

type Detector = typeof import('eld/small')['eld'];
let detector: Promise<Detector> | null = null;

const loadDetector = (): Promise<Detector> => {
  detector ??= import('eld/small').then(({ eld }) => eld);
  return detector;
};

/** Returns null for texts that are too short or fit several languages. */
export async function findLanguage(text: string): Promise<RuleLanguage | null> {
  const words = text
    .slice(0, MAX_LENGTH)
    .replace(/https?:\/\/\S+|\S+@\S+/g, ' ')
    .replace(/[^\p{L}\p{M}'’\s]/gu, ' ');
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  const dense = words.match(DENSE)?.length ?? 0;
  if (letters + dense * (DENSE_LETTERS - 1) < MIN_LETTERS) return null;
  const result = (await loadDetector()).detect(words);
  const [first = 0, second = 0] = Object.values(result.getScores()).toSorted((a, b) => b - a);
  if (!result.isReliable() || first - second < MIN_LEAD) return null;
  return RULE_LANGUAGES.find((language) => language === result.language) ?? null;
}

/** Adds the language to each opening if one of the rules asks for it. */
export const withLanguages = <T extends { text: string }>(
  conditions: readonly RuleConditions[],
  openings: readonly T[],
): Promise<(T & { language: RuleLanguage | null })[]> => {
  const isNeeded = conditions.some(({ languages }) => languages.length > 0);
  return Promise.all(
    openings.map(async (opening) => ({ ...opening, language: isNeeded ? await findLanguage(opening.text) : null })),
  );
};
