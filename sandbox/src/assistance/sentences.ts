/** Splits texts into sentences and words. */
export const sentences = (text: string): string[] =>
  (text.match(/[^.!?…\n]+[.!?…]*(?:\s|$)|[^.!?…\n]*[.!?…]+\S*/g) ?? [text]).map((part) => part.trim()).filter(Boolean);

export const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];

/** Repeats the case of the first letter of `like`. */
export const sameCase = (like: string, text: string): string => {
  const isUpper = like !== '' && like[0] !== like[0]!.toLowerCase();
  return isUpper ? text.charAt(0).toUpperCase() + text.slice(1) : text;
};

/** Replaces whole words and phrases, in any case. */
export function replacePhrases(text: string, pairs: readonly (readonly [string, string])[]): string {
  const table = new Map(pairs.map(([from, to]) => [from.toLowerCase(), to]));
  const longest = [...table.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.map(escapeText).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return text.replace(pattern, (found) =>
    sameCase(found, table.get(found.toLowerCase().replaceAll('’', "'")) ?? found),
  );
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "['’]");

export const tidy = (text: string): string =>
  text
    .trim()
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([,.;!?])/g, '$1')
    .replace(/([,;]) *(?=[.!?])/g, '')
    .replace(/(^|[.!?]\s+|\n)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
