/**
 * Phone numbers as people write them, to the one form we keep: digits with country code, without plus. The only place that decides whether a
 * number is valid. Pure and without a database, so that the import's worker thread can load it alone.
 */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface ParsedNumber {
  /** Digits with country code. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Why a text is no number. `damaged`: a spreadsheet rounded it, and the digits that are gone cannot be guessed. */
export type NumberFault = 'missing' | 'damaged' | 'invalid';

/** Null: not a number anybody can have. Without a default country the text must begin with the country code. */
export function parseNumber(text: string, default_country?: string | null): ParsedNumber | null {
  const read = readNumber(text, default_country);
  return typeof read === 'string' ? null : read;
}

export function readNumber(text: string, default_country?: string | null): ParsedNumber | NumberFault {
  const plain = clean(text);
  if (plain === '') return 'missing';
  if (/^[+-]?\d+([.,]\d+)?e\+?\d+$/i.test(plain)) return 'damaged';
  if (!/^\+?\d{4,20}$/.test(plain)) return 'invalid';
  if (plain.startsWith('+')) return international(plain) ?? 'invalid';
  if (plain.startsWith('00')) return international(`+${plain.slice(2)}`) ?? 'invalid';
  const national = default_country && isSupportedCountry(default_country) ? validated(plain, default_country) : null;
  return national ?? international(`+${plain}`) ?? 'invalid';
}

// Numbers of no country (satellite, international freephone) have no price and no route; they are refused like wrong ones.
function validated(text: string, country?: CountryCode): ParsedNumber | null {
  const found = parsePhoneNumberFromString(
    text,
    country ? { defaultCountry: country, extract: false } : { extract: false },
  );
  if (!found?.country || !found.isValid()) return null;
  return { number: found.number.slice(1), country: found.country };
}

const international = (text: string): ParsedNumber | null => (text[1] === '0' ? null : validated(text));

const PLAIN = /^\+?[0-9]+$/;

/** Drops what only decorates: spaces of all kinds, brackets, dashes, dots, marks of direction, a spreadsheet's apostrophe or `="..."`. */
function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  let plain = text.normalize('NFKC').replace(/[\p{Cf}\p{Z}\s]/gu, '');
  plain = plain.replace(/^="(.*)"$/, '$1').replace(/^'|^tel:/i, '');
  plain = plain.replace(/\p{Nd}/gu, westernDigit);
  if (/^[+-]?\d+([.,]\d+)?e\+?\d+$/i.test(plain)) return plain;
  // 14155550123.0: a number that went through a program that knows only fractions.
  plain = plain.replace(/^(\d{7,})\.0+$/, '$1');
  if (/^(\+|00)/.test(plain)) plain = plain.replace('(0)', '');
  return plain.replace(/[()[\]./\\\p{Pd}]/gu, '');
}

// The decimal digits of every script stand in blocks of ten, from zero to nine.
function westernDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return digit;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
