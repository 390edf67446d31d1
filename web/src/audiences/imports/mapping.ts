/** Maps the columns of a file to the fields of a contact. Pure functions. */
import { CONTACT_FIELDS, type ContactField } from '@parley/contract/audiences/imports.ts';

export type Mapping = Partial<Record<ContactField, number | undefined>>;

export const FIELD_LABELS: Record<ContactField, string> = {
  number: 'Number',
  first_name: 'First name',
  last_name: 'Last name',
  custom1: 'Custom 1',
  custom2: 'Custom 2',
};

export const columnField = (mapping: Mapping, column: number): ContactField | null =>
  CONTACT_FIELDS.find((field) => mapping[field] === column) ?? null;

/**
 * Assigns a column to a field. Each field has one column and each column one field, so conflicting assignments are
 * removed.
 */
export function assign(mapping: Mapping, column: number, field: ContactField | null): Mapping {
  const next: Mapping = {};
  for (const other of CONTACT_FIELDS)
    if (mapping[other] !== undefined && mapping[other] !== column && other !== field) next[other] = mapping[other];
  if (field) next[field] = column;
  return next;
}

export function toContact(mapping: Mapping, row: readonly string[]): Record<ContactField, string> {
  const cell = (field: ContactField) => (mapping[field] === undefined ? '' : (row[mapping[field]] ?? ''));
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, cell(field)])) as Record<ContactField, string>;
}

/** The mapping that the server guesses from the headings. */
export function guessMapping(columns: readonly { guess: ContactField | null }[]): Mapping {
  const mapping: Mapping = {};
  columns.forEach(({ guess }, index) => {
    if (guess) mapping[guess] = index;
  });
  return mapping;
}

export const SAMPLE_FILE =
  '\ufeffNumber,First name,Last name,Custom 1,Custom 2\r\n' +
  '+12025550143,Ann,Lee,Spring,10% off\r\n+442079460958,Bo,Marsh,Autumn,\r\n';

export const DELIMITER_LABELS: Record<string, string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe (|)',
};

export const ENCODING_LABELS: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  ibm866: 'Cyrillic (IBM 866)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  gb18030: 'Chinese (GB 18030)',
  big5: 'Chinese (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
};
