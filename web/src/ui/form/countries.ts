/**
 * All countries by name: the codes that the browser knows and that are not retired. This avoids a table that must be
 * maintained.
 */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

export const countryName = (code: string): string => names.of(code) ?? code;

let all: { value: string; label: string }[] | null = null;

export function countryOptions(): { value: string; label: string }[] {
  all ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    // The browser labels a retired code with its successor's name.
    .filter((code) => names.of(code) && !NO_COUNTRY.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .map((code) => ({ value: code, label: `${countryName(code)} (${code})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return all;
}

/** The country in the browser's language setting; the United States if it has none (specification, section 9). */
export function ownCountry(): string {
  const region = new Intl.Locale(navigator.language || 'en-US').maximize().region ?? 'US';
  return names.of(region) ? region : 'US';
}
