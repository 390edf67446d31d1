/** Every country by its own name, without a table to keep: the codes the platform knows and has not retired. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

export const countryName = (code: string): string => names.of(code) ?? code;

let all: { value: string; label: string }[] | null = null;

export function countryOptions(): { value: string; label: string }[] {
  all ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    // A retired code reads as its successor.
    .filter((code) => names.of(code) && !NO_COUNTRY.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .map((code) => ({ value: code, label: `${countryName(code)} (${code})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return all;
}

/** Where this browser is at home; the United States when it does not say (specification, section 9). */
export function ownCountry(): string {
  const region = new Intl.Locale(navigator.language || 'en-US').maximize().region ?? 'US';
  return names.of(region) ? region : 'US';
}
