/**
 * Parses phone numbers for every module: digits with country code, without +. A number without a country code needs a
 * default country; nothing is guessed from its length. Pure, so that the reader process of imports can load it.
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
  /** Digits with country code, without +. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** MOBILE, FIXED_LINE, FIXED_LINE_OR_MOBILE, TOLL_FREE, VOIP... */
  readonly type: Exclude<NumberType, undefined>;
}

/** Why a text is not a phone number. `damaged`: a spreadsheet rounded it, and the lost digits cannot be restored. */
export type NumberFault = 'missing' | 'damaged' | 'invalid';

const MAX_LENGTH = 45;
const DAMAGED = /^[+-]?\d+(?:[.,]\d+)?e\+?\d+$/i;
/** Types that are not personal phones and are expensive to reach: common targets of traffic fraud. */
const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER'];

/**
 * Returns null if the text is not a number that can receive messages. Takes about 1 µs for a complete number and 8 µs
 * otherwise. There is no cache, because the numbers of a batch differ.
 */
export function parseNumber(text: string, default_country: string | null = null): ParsedNumber | null {
  const read = readNumber(text, default_country);
  return typeof read === 'string' ? null : read;
}

/** Like `parseNumber`, but returns why a text is not a number. */
export function readNumber(text: string, default_country: string | null = null): ParsedNumber | NumberFault {
  const written = normalizeText(text);
  if (written === '') return 'missing';
  if (DAMAGED.test(written)) return 'damaged';
  // Letters, extensions and lists of numbers are refused, not partly read.
  if (text.length > MAX_LENGTH || !/^\+?\d{4,20}$/.test(written)) return 'invalid';
  if (written.startsWith('+')) return validate(written) ?? 'invalid';
  if (written.startsWith('00')) return validate(`+${written.slice(2)}`) ?? 'invalid';
  return (
    (default_country !== null && isSupportedCountry(default_country)
      ? readNational(written, default_country)
      : validate(`+${written}`)) ?? 'invalid'
  );
}

/** Returns the calling code: 1 for North America, 44 for Britain and its islands. Null: the country has no numbers. */
export const callingCode = (country: string): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null;

/**
 * Reads digits without + that may be a national or an international number, since some numbering plans accept nearly
 * any digits. A leading zero makes them national. Otherwise a mobile beats a landline, and twelve digits are too many
 * for a national number.
 */
function readNational(written: string, country: CountryCode): ParsedNumber | null {
  const national = validate(written, country);
  if (national && (written.startsWith('0') || national.type === 'MOBILE')) return national;
  const international = validate(`+${written}`);
  if (!national || !international) return national ?? international;
  return international.type === 'MOBILE' || written.length >= 12 ? international : national;
}

/**
 * Numbers of no country (satellite, international toll-free) have neither price nor route. With the full metadata a
 * number that has a type is valid, so the type is checked instead of the validity, which takes half the time.
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
 * Removes decoration: spaces of all kinds, brackets, dashes, dots, direction marks, a spreadsheet's apostrophe or
 * `="..."`.
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
  // 14155550123.0 is a number that a program stored as a fraction.
  plain = plain.replace(/^(\d{7,})\.0+$/, '$1');
  if (/^(\+|00)/.test(plain)) plain = plain.replace('(0)', '');
  return plain.replace(/[()[\]./\\\p{Pd}]/gu, '');
}

/** Decimal digits of every script are in blocks of ten, from zero to nine. */
function toWesternDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
