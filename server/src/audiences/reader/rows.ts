/**
 * Turns a row from a file into a contact, or refuses it with a reason. Kept pure so that the same file and options
 * always produce the same result.
 */
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { type FieldValue, fieldHint, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import type { ImportOptions } from '@parley/contract/audiences/imports.ts';
import { CONSECUTIVE_NUMBERS, MAX_CONTACT_TEXT } from '@parley/contract/audiences/limits.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { idChannel, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import { type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import { textLength } from '@parley/contract/text_length.ts';
import type { z } from 'zod';
import { type NumberFault, readNumber } from '../phone_numbers/number.ts';
import { cleanCell } from './table.ts';

export type Columns = z.output<typeof ImportOptions>['columns'];

/** A column with a value of one of the account's own fields, or with the IDs of people on a channel. */
export type FactColumn = { column: number } & (
  | { kind: 'field'; field: Pick<ContactField, 'key' | 'label' | 'kind' | 'choices'> }
  | { kind: 'id'; channel: ChannelName }
);

export interface ImportedContact {
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
}
type RowResult =
  /** `shortened` lists the texts that were longer than their fields; null if there are none. */
  | { kind: 'contact'; contact: ImportedContact; facts: RowFacts | null; shortened: string | null }
  | { kind: 'duplicate'; reason: string }
  | { kind: 'invalid'; reason: string; problem: ProblemName };

/** The facts about the person in a row. */
export interface RowFacts {
  fields: Record<string, FieldValue>;
  /** The IDs by channel. */
  ids: Record<string, string>;
}

const TEXT_FIELDS = Object.keys(MAX_CONTACT_TEXT) as (keyof typeof MAX_CONTACT_TEXT)[];
const FIELD_NAMES = { first_name: 'First name', last_name: 'Last name', custom1: 'Custom 1', custom2: 'Custom 2' };

const FAULT_MESSAGES: Record<NumberFault, string> = {
  missing: 'The number is missing',
  damaged:
    'A spreadsheet has rounded this number and its last digits are lost. ' +
    'Format the column as text and export the file again',
  invalid: 'This is not a valid phone number',
};
const FAULT_PROBLEMS: Record<NumberFault, ProblemName> = {
  missing: 'CONTACT_NUMBER_REQUIRED',
  damaged: 'CONTACT_NUMBER_INVALID',
  invalid: 'CONTACT_NUMBER_INVALID',
};
const COUNTRY_MISSING = 'This is not a valid phone number. If its country code is missing, choose a default country';

/**
 * Returns a function that reads rows and remembers their phone numbers. The first row with a number becomes a contact,
 * and later rows with the same number are duplicates.
 */
export function createRowReader(
  columns: Columns,
  default_country: string | null,
  width: number | null,
  fact_columns: readonly FactColumn[] = [],
) {
  const lines = new Map<string, number>();
  const column = { number: -1, first_name: -1, last_name: -1, custom1: -1, custom2: -1, ...columns };
  const hasIds = fact_columns.some(({ kind }) => kind === 'id');
  return (line: number, cells: readonly string[]): RowResult => {
    if (width !== null && cells.length > width && cells.slice(width).some((cell) => cell.trim() !== ''))
      return { kind: 'invalid', reason: problemMessage('IMPORT_ROW_TOO_WIDE'), problem: 'IMPORT_ROW_TOO_WIDE' };
    const text = cells[column.number] ?? '';
    const facts = fact_columns.length > 0 ? readRowFacts(fact_columns, cells) : null;
    if (facts && 'problem' in facts) return facts;
    const parsed = (hasIds && readId(text, facts!)) || readNumber(text, default_country);
    if (typeof parsed === 'string') {
      const country_missing = parsed === 'invalid' && default_country === null && !/^\s*(\+|00)/.test(text);
      const reason = country_missing ? COUNTRY_MISSING : FAULT_MESSAGES[parsed];
      return { kind: 'invalid', reason, problem: FAULT_PROBLEMS[parsed] };
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
    const addresses = facts ? [...new Set([parsed.number, ...Object.values(facts.ids)])] : [parsed.number];
    for (const address of addresses) {
      const first_line = lines.get(address);
      if (first_line === undefined) continue;
      const noun = address === parsed.number ? 'number' : 'ID';
      return { kind: 'duplicate', reason: `Duplicate of the ${noun} on line ${first_line}` };
    }
    for (const address of addresses) lines.set(address, line);
    return { kind: 'contact', contact, facts, shortened: shortened.length > 0 ? shortened.join('. ') : null };
  };
}

/** Reads the facts of a row, up to the first value that is not of the kind of its field. */
function readRowFacts(
  columns: readonly FactColumn[],
  cells: readonly string[],
): RowFacts | (RowResult & { kind: 'invalid' }) {
  const facts: RowFacts = { fields: {}, ids: {} };
  for (const fact of columns) {
    const value = cleanCell(cells[fact.column] ?? '');
    if (value === '') continue;
    if (fact.kind === 'id') {
      const rule = PERSON_IDS[fact.channel]!;
      if (!rule.pattern.test(value))
        return { kind: 'invalid', reason: `This is not a ${rule.label}`, problem: 'PERSON_CHANNEL_ID_INVALID' };
      facts.ids[fact.channel] = value;
      continue;
    }
    const { field } = fact;
    const read = readFieldValue(field, value);
    if (read === undefined)
      return {
        kind: 'invalid',
        reason: `${field.label} must be ${fieldHint(field)}`,
        problem: 'CONTACT_FIELD_VALUE_INVALID',
      };
    facts.fields[field.key] = read;
  }
  return facts;
}

/** An ID in place of the number, or the first ID of a row without a number. It becomes one of the facts. */
function readId(text: string, facts: RowFacts): { number: string; country: string } | null {
  const written = text.trim();
  const id = written === '' ? Object.values(facts.ids)[0] : written;
  const channel = id ? idChannel(id) : null;
  if (!id || !channel) return null;
  facts.ids[channel] ??= id;
  return { number: id, country: PERSON_IDS[channel]!.country(id) };
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
