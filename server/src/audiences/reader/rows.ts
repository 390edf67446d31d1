/**
 * Turns a row from a file into a contact, or refuses it with a reason. Kept pure so that the same file and options
 * always produce the same result.
 */

import { contactFields } from '@parley/contract/audiences/audiences.ts';
import type { ContactField, ImportOptions } from '@parley/contract/audiences/imports.ts';
import { problemMessage } from '@parley/contract/problem.ts';
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
type RowResult = { kind: 'contact'; contact: ImportedContact } | { kind: 'duplicate' | 'invalid'; reason: string };

const TEXT_FIELDS = ['first_name', 'last_name', 'custom1', 'custom2'] as const satisfies readonly ContactField[];
const TOO_LONG = {
  first_name: 'CONTACT_FIRST_NAME_TOO_LONG',
  last_name: 'CONTACT_LAST_NAME_TOO_LONG',
  custom1: 'CONTACT_CUSTOM1_TOO_LONG',
  custom2: 'CONTACT_CUSTOM2_TOO_LONG',
} as const;
const MAX_LENGTHS = Object.fromEntries(
  TEXT_FIELDS.map((field) => [field, contactFields[field].maxLength ?? 0]),
) as Record<(typeof TEXT_FIELDS)[number], number>;

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
    for (const field of TEXT_FIELDS) {
      const cell = cells[column[field]];
      if (!cell) continue;
      const value = cleanCell(cell);
      if (value.length > MAX_LENGTHS[field]) return { kind: 'invalid', reason: problemMessage(TOO_LONG[field]) };
      contact[field] = value;
    }
    const first_line = lines.get(parsed.number);
    if (first_line !== undefined) return { kind: 'duplicate', reason: `Duplicate of the number on line ${first_line}` };
    lines.set(parsed.number, line);
    return { kind: 'contact', contact };
  };
}
