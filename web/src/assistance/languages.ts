/** The languages to translate to, and the ones that the user chose last in this browser. */
import { ASSISTANCE_LANGUAGES } from '@parley/contract/assistance/actions.ts';

export type Direction = 'in' | 'out';

const key = (direction: Direction) => `parley.translate.${direction}`;
const isLanguage = (code: string | undefined): code is string =>
  code !== undefined && (ASSISTANCE_LANGUAGES as readonly string[]).includes(code);

export function languageChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return ASSISTANCE_LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    a.label.localeCompare(b.label),
  );
}

/** Messages are translated to the language of the browser until the user chooses another one. */
export function readLanguage(direction: Direction): string {
  const saved = localStorage.getItem(key(direction)) ?? undefined;
  if (isLanguage(saved)) return saved;
  const own = navigator.language.slice(0, 2);
  return direction === 'in' && isLanguage(own) ? own : 'en';
}

export const saveLanguage = (direction: Direction, code: string): void => localStorage.setItem(key(direction), code);
