/**
 * One reading of a phone number for every way in (API, inbox, import, lookup): digits with country code and no +. Numbers without a country
 * code are read only when a country is given; nothing is ever guessed from their length. Pure, so that the reader of imports can load it alone.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { classifyDigits, type NumberClass } from './numbering_plan.ts';

export interface ParsedNumber {
  /** Digits with country code, without +. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** MOBILE, FIXED_LINE, FIXED_LINE_OR_MOBILE, TOLL_FREE, VOIP... */
  readonly type: Exclude<NumberType, undefined>;
}

/** Why a text is no number. `damaged`: a spreadsheet rounded it, and the digits that are gone cannot be guessed. */
export type NumberFault = 'missing' | 'damaged' | 'invalid';

const MAX_LENGTH = 45;
const DAMAGED = /^[+-]?\d+(?:[.,]\d+)?e\+?\d+$/i;
/** Nobody's phone, and expensive to reach: the classic targets of traffic fraud. */
const REFUSED_TYPES: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER'];

/** Null: not a number a message can go to. About 1 us for a number in full, 8 us otherwise; no cache, since the numbers of a batch differ. */
export function parseNumber(text: string, default_country: string | null = null): ParsedNumber | null {
  const read = readNumber(text, default_country);
  return typeof read === 'string' ? null : read;
}

/** As `parseNumber`, but says what is wrong. */
export function readNumber(text: string, default_country: string | null = null): ParsedNumber | NumberFault {
  const written = normalizeText(text);
  if (written === '') return 'missing';
  if (DAMAGED.test(written)) return 'damaged';
  // Letters, extensions and lists of numbers are refused rather than half read.
  if (text.length > MAX_LENGTH || !/^\+?\d{4,20}$/.test(written)) return 'invalid';
  if (written.startsWith('+')) return validate(written) ?? 'invalid';
  if (written.startsWith('00')) return validate(`+${written.slice(2)}`) ?? 'invalid';
  return (
    (default_country !== null && isSupportedCountry(default_country)
      ? readNational(written, default_country)
      : validate(`+${written}`)) ?? 'invalid'
  );
}

/** 1 for all of North America, 44 for Britain and its islands; null: not a country with numbers. */
export const callingCode = (country: string): string | null =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : null;

// Without its + a number in full may also be one of the country: some numbering plans take nearly any digits. Written as it is dialled it
// begins with a zero and is no question. Otherwise a mobile beats a landline, and twelve digits are too many for one of the country alone.
function readNational(written: string, country: CountryCode): ParsedNumber | null {
  const national = validate(written, country);
  if (national && (written.startsWith('0') || national.type === 'MOBILE')) return national;
  const international = validate(`+${written}`);
  if (!national || !international) return national ?? international;
  return international.type === 'MOBILE' || written.length >= 12 ? international : national;
}

// Numbers of no country (satellite, international freephone) have neither price nor route. With the full metadata a number that has a type is
// a valid one, so the type is asked instead of the validity: the same answer for half the time.
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

/** Drops what only decorates: spaces of all kinds, brackets, dashes, dots, marks of direction, a spreadsheet's apostrophe or `="..."`. */
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
  // 14155550123.0: a number that went through a program that knows only fractions.
  plain = plain.replace(/^(\d{7,})\.0+$/, '$1');
  if (/^(\+|00)/.test(plain)) plain = plain.replace('(0)', '');
  return plain.replace(/[()[\]./\\\p{Pd}]/gu, '');
}

// The decimal digits of every script stand in blocks of ten, from zero to nine.
function toWesternDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
