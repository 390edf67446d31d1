/**
 * Parses phone numbers for every module into digits with the country code and without a plus sign. A number without a
 * country code needs a default country; its country is never guessed from its length. Kept pure so that the reader
 * process for imports can load it.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { classifyDigits, type NumberClass } from './numbering_plan.ts';

interface ParsedNumber {
  /** The digits with the country code, without a plus sign. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** For example, MOBILE, FIXED_LINE, FIXED_LINE_OR_MOBILE, TOLL_FREE, or VOIP. */
  readonly type: Exclude<NumberType, undefined>;
}

/**
 * The reason why a text is not a phone number. `damaged` means that a spreadsheet rounded it and the lost digits cannot
 * be restored.
 */
export type NumberFault = 'missing' | 'damaged' | 'invalid';

const MAX_LENGTH = 45;
const DAMAGED = /^[+-]?\d+(?:[.,]\d+)?e\+?\d+$/i;
/**
 * Number types that do not belong to personal phones and are expensive to reach, which makes them common targets of
 * traffic fraud.
 */
const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER'];

/**
 * Returns null if the text is not a number that can receive messages. A complete number takes about 1 µs, and any other
 * text about 8 µs. There is no cache, because the numbers in a batch differ.
 */
export function parseNumber(text: string, default_country: string | null = null): ParsedNumber | null {
  const read = readNumber(text, default_country);
  return typeof read === 'string' ? null : read;
}

/** Like `parseNumber`, but returns the reason why a text is not a number. */
export function readNumber(text: string, default_country: string | null = null): ParsedNumber | NumberFault {
  const written = normalizeText(text);
  if (written === '') return 'missing';
  if (DAMAGED.test(written)) return 'damaged';
  // Letters, extensions, and lists of numbers are refused rather than partially read.
  if (text.length > MAX_LENGTH || !/^\+?\d{4,20}$/.test(written)) return 'invalid';
  if (written.startsWith('+')) return validate(written) ?? 'invalid';
  if (written.startsWith('00')) return validate(`+${written.slice(2)}`) ?? 'invalid';
  return (
    (default_country !== null && isSupportedCountry(default_country)
      ? readNational(written, default_country)
      : validate(`+${written}`)) ?? 'invalid'
  );
}

/**
 * Returns the calling code: 1 for North America, 44 for Britain and its islands. Returns null if the country has no
 * numbers.
 */
export const callingCode = (country: string): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null;

/** Reads digits that are known to have no country code, although they could also be an international number. */
export const nationalNumber = (digits: string, country: string): ParsedNumber | null =>
  isSupportedCountry(country) ? validate(digits, country) : null;

/**
 * Reads digits without a plus sign that may be a national or an international number, since some numbering plans accept
 * nearly any digits. A number with a leading zero is national. Otherwise a mobile number takes precedence over a
 * landline, and a number with twelve digits is too long to be national.
 */
function readNational(written: string, country: CountryCode): ParsedNumber | null {
  const national = validate(written, country);
  if (national && (written.startsWith('0') || national.type === 'MOBILE')) return national;
  const international = validate(`+${written}`);
  if (!national || !international) return national ?? international;
  return international.type === 'MOBILE' || written.length >= 12 ? international : national;
}

/**
 * Numbers that belong to no country (satellite, international toll-free) have neither a price nor a route. With the
 * full metadata, every number that has a type is valid, so only the type is checked, which takes half the time.
 */
function validate(written: string, country?: CountryCode): ParsedNumber | null {
  const quick = country ? undefined : classifyDigits(written.slice(1));
  if (quick !== undefined) return quick && acceptType(written.slice(1), quick);
  const parsed = parsePhoneNumberFromString(
    written,
    country ? { defaultCountry: country, extract: false } : { extract: false },
  );
  const type = parsed?.country && parsed.getType();
  return parsed?.country && type ? acceptType(parsed.number.slice(1), { country: parsed.country, type }) : null;
}

const acceptType = (number: string, { country, type }: NumberClass): ParsedNumber | null =>
  REFUSED_TYPES.includes(type) ? null : { number, country, type };

/**
 * Removes formatting characters: spaces of all kinds, brackets, dashes, dots, direction marks, and a spreadsheet's
 * apostrophe or `="..."`.
 */
function normalizeText(text: string): string {
  if (/^\+?[0-9]+$/.test(text)) return text;
  let plain = text
    .slice(0, 200)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Z}\s]/gu, '');
  plain = plain
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'|^tel:/i, '')
    .replace(/\p{Nd}/gu, toWesternDigit);
  if (DAMAGED.test(plain)) return plain;
  // Handles values such as 14155550123.0, where a program stored the number as a decimal.
  plain = plain.replace(/^(\d{7,})\.0+$/, '$1');
  if (/^(\+|00)/.test(plain)) plain = plain.replace('(0)', '');
  return plain.replace(/[()[\]./\\\p{Pd}]/gu, '');
}

/** Unicode stores the decimal digits of every script in blocks of ten, from zero to nine. */
function toWesternDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
