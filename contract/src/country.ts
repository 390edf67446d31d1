/** Which two letters are a country (ISO 3166-1 alpha-2, and Kosovo): asked of the platform, which keeps the table. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Regions the platform can name that are none. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRY.has(code) || names.of(code) === undefined) return false;
  // A retired code reads as its successor.
  return new Intl.Locale(`und-${code}`).region === code;
}
