/**
 * Turns a row from a file into a contact, or refuses it with a reason. Kept pure so that the same file and options
 * always produce the same result.
 */
import type { ImportOptions } from '@parley/contract/audiences/imports.ts';
import { CONSECUTIVE_NUMBERS, MAX_CONTACT_TEXT } from '@parley/contract/audiences/limits.ts';
import { textLength } from '@parley/contract/text_length.ts';
import type { z } from 'zod';
import { type NumberFault, readNumber } from '../phone_numbers/number.ts';
import { cleanCell } from './table.ts';

export type Columns = z.output<typeof ImportOptions>['columns'];

export interface ImportedContact {
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
}
type RowResult =
  /** `shortened` says which texts were longer than their fields; null if none was. */
  | { kind: 'contact'; contact: ImportedContact; shortened: string | null }
  | { kind: 'duplicate' | 'invalid'; reason: string };

const TEXT_FIELDS = Object.keys(MAX_CONTACT_TEXT) as (keyof typeof MAX_CONTACT_TEXT)[];
const FIELD_NAMES = { first_name: 'First name', last_name: 'Last name', custom1: 'Custom 1', custom2: 'Custom 2' };

const FAULT_MESSAGES: Record<NumberFault, string> = {
  missing: 'The number is missing',
  damaged:
    'A spreadsheet has rounded this number and its last digits are lost. ' +
    'Format the column as text and export the file again',
  invalid: 'This is not a valid phone number',
};
const COUNTRY_MISSING = 'This is not a valid phone number. If its country code is missing, choose a default country';

/**
 * Returns a function that reads rows and remembers their phone numbers. The first row with a number becomes a contact,
 * and later rows with the same number are duplicates.
 */
export function createRowReader(columns: Columns, default_country: string | null, width: number | null) {
  const lines = new Map<string, number>();
  const column = { number: -1, first_name: -1, last_name: -1, custom1: -1, custom2: -1, ...columns };
  return (line: number, cells: readonly string[]): RowResult => {
    if (width !== null && cells.length > width && cells.slice(width).some((cell) => cell.trim() !== ''))
      return { kind: 'invalid', reason: 'The row has more columns than the header' };
    const text = cells[column.number] ?? '';
    const parsed = readNumber(text, default_country);
    if (typeof parsed === 'string') {
      const country_missing = parsed === 'invalid' && default_country === null && !/^\s*(\+|00)/.test(text);
      return { kind: 'invalid', reason: country_missing ? COUNTRY_MISSING : FAULT_MESSAGES[parsed] };
    }
    const contact: ImportedContact = {
      number: parsed.number,
      country: parsed.country,
      first_name: '',
      last_name: '',
      custom1: '',
      custom2: '',
    };
    const shortened: string[] = [];
    for (const field of TEXT_FIELDS) {
      const cell = cells[column[field]];
      if (!cell) continue;
      const value = cleanCell(cell);
      contact[field] = shorten(value, MAX_CONTACT_TEXT[field]);
      if (textLength(value) > MAX_CONTACT_TEXT[field])
        shortened.push(`${FIELD_NAMES[field]} was shortened to ${MAX_CONTACT_TEXT[field]} characters`);
    }
    const first_line = lines.get(parsed.number);
    if (first_line !== undefined) return { kind: 'duplicate', reason: `Duplicate of the number on line ${first_line}` };
    lines.set(parsed.number, line);
    return { kind: 'contact', contact, shortened: shortened.length > 0 ? shortened.join('. ') : null };
  };
}

/** Returns a function that counts the numbers in long runs. A run counts as a whole when it becomes long. */
export function createRunCounter(): (number: string) => number {
  let next = 0;
  let length = 0;
  return (text) => {
    const number = Number(text);
    length = number === next ? length + 1 : 1;
    next = number + 1;
    if (length < CONSECUTIVE_NUMBERS) return 0;
    return length === CONSECUTIVE_NUMBERS ? CONSECUTIVE_NUMBERS : 1;
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text to a length without splitting an emoji or a letter with its accents. */
export function shorten(text: string, max: number): string {
  if (textLength(text) <= max) return text;
  const first = [...text].slice(0, max + 20).join('');
  let end = 0;
  let length = 0;
  for (const { index, segment } of graphemes.segment(first)) {
    length += textLength(segment);
    if (length > max) break;
    end = index + segment.length;
  }
  return (end > 0 ? text.slice(0, end) : [...first].slice(0, max).join('')).toWellFormed().trimEnd();
}
