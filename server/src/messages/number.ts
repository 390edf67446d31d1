/**
 * One reading of a phone number for every way in (API, inbox, import, lookup): digits with country code and no +, or null.
 * Numbers without a country code are read only when a country is given; nothing is ever guessed from their length.
 */
import {
  type CountryCode,
  isSupportedCountry,
  type NumberType,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

export interface ParsedNumber {
  /** Digits with country code, without +. */
  number: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** MOBILE, FIXED_LINE, FIXED_LINE_OR_MOBILE, TOLL_FREE, VOIP...; null where the numbering plan does not tell. */
  type: Exclude<NumberType, undefined> | null;
}

const MAX_WRITTEN = 45;
// Letters, extensions and lists of numbers are refused rather than half read: a spreadsheet's 1.2E+10 is not a number either.
const WRITTEN = /^'?\+?[\p{Nd}\s().\-/\u2010-\u2015\u2212\u00a0]+$/u;
/** Nobody's phone, and expensive to reach: the classic targets of traffic fraud. */
const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER'];

/** About 8 us; no cache, since the numbers of a batch differ. */
export function parseNumber(text: string, default_country: string | null = null): ParsedNumber | null {
  if (text.length > MAX_WRITTEN || !WRITTEN.test(text.trim())) return null;
  const written = text.trim().replace(/^'/, '').replace(/^00/, '+');
  if (written.startsWith('+')) return reading(parsePhoneNumberFromString(written));
  const international = reading(parsePhoneNumberFromString(`+${written}`));
  if (default_country === null || !isSupportedCountry(default_country)) return international;
  const national = reading(parsePhoneNumberFromString(written, default_country as CountryCode));
  if (!national || !international) return national ?? international;
  // Both readings are numbers. Spreadsheets eat the +, so a mobile of the same country in full beats a landline with an odd area code.
  const meant =
    international.country === default_country && international.type === 'MOBILE' && national.type !== 'MOBILE';
  return meant ? international : national;
}

function reading(phone: PhoneNumber | undefined): ParsedNumber | null {
  if (!phone?.isValid() || phone.country === undefined) return null;
  const type = phone.getType() ?? null;
  if (type !== null && REFUSED_TYPES.includes(type)) return null;
  return { number: phone.number.slice(1), country: phone.country, type };
}
