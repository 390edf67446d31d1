/** Checks country codes (ISO 3166-1 alpha-2, and Kosovo) against the platform's table. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Regions that the platform can name but that are not countries. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRY.has(code) || names.of(code) === undefined) return false;
  // The platform replaces a retired code with its successor.
  return new Intl.Locale(`und-${code}`).region === code;
}
