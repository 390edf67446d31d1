/** A person's own phone number: digits with country code and no +. Premium and shared-cost numbers are nobody's phone, and dear to reach. */
import { Problem } from '@parley/contract/problem.ts';
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Config } from '../kernel/settings/config.ts';

const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER', 'VOICEMAIL', 'TOLL_FREE'];

/** As people write it; numbers without a country code are read as of `country`. Problem USER_PHONE_INVALID. */
export function readPhone(text: string, country: string): string {
  const written = text.normalize('NFKC').replace(/^00/, '+');
  const found = parsePhoneNumberFromString(written, {
    ...(isSupportedCountry(country) ? { defaultCountry: country } : {}),
    extract: false,
  });
  const type = found?.country && found.isValid() ? found.getType() : undefined;
  if (!found || !type || found.ext || REFUSED_TYPES.includes(type))
    throw new Problem('USER_PHONE_INVALID', { field: 'phone_number' });
  return found.number.slice(1);
}

/** Of a number as it is kept: digits with country code. */
export const countryOf = (number: string | null | undefined): string | null =>
  (number ? parsePhoneNumberFromString(`+${number}`)?.country : null) ?? null;

/**
 * Problem CODE_COUNTRY_NOT_ALLOWED: a code to it may cost more than the installation wants to risk
 * (`PHONE_CODES_COUNTRIES`).
 */
export function demandCodeCountry({ PHONE_CODES_COUNTRIES: allowed }: Config, number: string): void {
  const country = countryOf(number);
  if (!allowed.includes('all') && (country === null || !allowed.includes(country)))
    throw new Problem('CODE_COUNTRY_NOT_ALLOWED');
}

const COUNTRIES: ReadonlySet<string> = new Set(getCountries());
export const isCountry = (code: string): boolean => COUNTRIES.has(code);

/** "+44 **** **0123": enough to recognise one's own. */
export const maskedPhone = (number: string): string =>
  `+${number.slice(0, 2)}${'*'.repeat(Math.max(0, number.length - 6))}${number.slice(-4)}`;
