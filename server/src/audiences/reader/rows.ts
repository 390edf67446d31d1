/** One row of a file at a time into a contact or a refusal with its reason. Pure; the same file and options give the same result always. */

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
export type Verdict = { kind: 'contact'; contact: ImportedContact } | { kind: 'duplicate' | 'invalid'; reason: string };

const TEXTS = ['first_name', 'last_name', 'custom1', 'custom2'] as const satisfies readonly ContactField[];
const TOO_LONG = {
  first_name: 'CONTACT_FIRST_NAME_TOO_LONG',
  last_name: 'CONTACT_LAST_NAME_TOO_LONG',
  custom1: 'CONTACT_CUSTOM1_TOO_LONG',
  custom2: 'CONTACT_CUSTOM2_TOO_LONG',
} as const;
const LONGEST = Object.fromEntries(TEXTS.map((field) => [field, contactFields[field].maxLength ?? 0])) as Record<
  (typeof TEXTS)[number],
  number
>;

const FAULTS: Record<NumberFault, string> = {
  missing: 'The number is missing',
  damaged:
    'A spreadsheet has rounded this number and its last digits are lost. Format the column as text and export the file again',
  invalid: 'This is not a valid phone number',
};
const NO_COUNTRY = 'This is not a valid phone number. If it lacks its country code, choose a default country';

/** Remembers the numbers seen: the first row of a number counts, later ones are duplicates. */
export function rowReader(columns: Columns, default_country: string | null, width: number | null) {
  const seen = new Map<string, number>();
  const column = { number: -1, first_name: -1, last_name: -1, custom1: -1, custom2: -1, ...columns };
  return (line: number, cells: readonly string[]): Verdict => {
    if (width !== null && cells.length > width && cells.slice(width).some((cell) => cell.trim() !== ''))
      return { kind: 'invalid', reason: 'The row has more columns than the heading' };
    const text = cells[column.number] ?? '';
    const read = readNumber(text, default_country);
    if (typeof read === 'string') {
      const country_missing = read === 'invalid' && default_country === null && !/^\s*(\+|00)/.test(text);
      return { kind: 'invalid', reason: country_missing ? NO_COUNTRY : FAULTS[read] };
    }
    const contact: ImportedContact = {
      number: read.number,
      country: read.country,
      first_name: '',
      last_name: '',
      custom1: '',
      custom2: '',
    };
    for (const field of TEXTS) {
      const cell = cells[column[field]];
      if (!cell) continue;
      const value = cleanCell(cell);
      if (value.length > LONGEST[field]) return { kind: 'invalid', reason: problemMessage(TOO_LONG[field]) };
      contact[field] = value;
    }
    const before = seen.get(read.number);
    if (before !== undefined) return { kind: 'duplicate', reason: `The same number as in line ${before}` };
    seen.set(read.number, line);
    return { kind: 'contact', contact };
  };
}
