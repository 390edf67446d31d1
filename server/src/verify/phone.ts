/**
 * People's phone numbers, stored as digits with the country code but without a plus sign. Premium and shared-cost
 * numbers are not accepted.
 */
import { Problem } from '@parley/contract/problem.ts';
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Config } from '../kernel/settings/config.ts';

const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER', 'VOICEMAIL', 'TOLL_FREE'];

/**
 * Reads a number in any common notation. `country` applies if the number has no country code. Throws
 * USER_PHONE_INVALID.
 */
export function readPhone(text: string, country: string): string {
  const written = text.normalize('NFKC').replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(written, {
    ...(isSupportedCountry(country) ? { defaultCountry: country } : {}),
    extract: false,
  });
  const type = parsed?.country && parsed.isValid() ? parsed.getType() : undefined;
  if (!parsed || !type || parsed.ext || REFUSED_TYPES.includes(type))
    throw new Problem('USER_PHONE_INVALID', { field: 'phone_number' });
  return parsed.number.slice(1);
}

/** Returns the country of a stored number. */
export const phoneCountry = (number: string | null | undefined): string | null =>
  (number ? parsePhoneNumberFromString(`+${number}`)?.country : null) ?? null;

/** Throws CODE_COUNTRY_NOT_ALLOWED if this installation sends no codes to this country (`PHONE_CODES_COUNTRIES`). */
export function requireCodeCountry({ PHONE_CODES_COUNTRIES: allowed }: Config, number: string): void {
  const country = phoneCountry(number);
  if (!allowed.includes('all') && (country === null || !allowed.includes(country)))
    throw new Problem('CODE_COUNTRY_NOT_ALLOWED');
}

const COUNTRIES: ReadonlySet<string> = new Set(getCountries());
export const isCountry = (code: string): boolean => COUNTRIES.has(code);

/** "+44 **** **0123": enough for the owner to recognize their number. */
export const maskPhone = (number: string): string =>
  `+${number.slice(0, 2)}${'*'.repeat(Math.max(0, number.length - 6))}${number.slice(-4)}`;
