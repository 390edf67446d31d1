/** Maps the columns of a file to a contact's fields, to IDs, and to the account's own fields. Pure functions. */
import type { ContactField as OwnField } from '@parley/contract/audiences/contact_fields.ts';
import { CONTACT_FIELDS, type ContactField } from '@parley/contract/audiences/imports.ts';
import { ID_CHANNELS, idColumn, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';

/** The columns by the name of their target, such as `number`, `viber_id`, and `fields.city`. */
export type Mapping = Readonly<Record<string, number | undefined>>;

const FIELD_LABELS: Record<ContactField, string> = {
  number: 'Number',
  first_name: 'First name',
  last_name: 'Last name',
  custom1: 'Custom 1',
  custom2: 'Custom 2',
};

/** The fields that a column can be imported as. */
export const targets = (own: readonly Pick<OwnField, 'key' | 'label'>[]): { value: string; label: string }[] => [
  ...CONTACT_FIELDS.map((value) => ({ value, label: FIELD_LABELS[value] })),
  ...ID_CHANNELS.map((channel) => ({ value: idColumn(channel), label: PERSON_IDS[channel]!.label })),
  ...own.map(({ key, label }) => ({ value: `fields.${key}`, label })),
];

/** The mapping as the server expects it. */
export const mappedColumns = (mapping: Mapping): Record<string, number> =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([name, column]) => (column === undefined ? [] : [[name, column]])),
  );

/** A file can have IDs in place of numbers. */
export const hasAddress = (mapping: Mapping): boolean =>
  ['number', ...ID_CHANNELS.map(idColumn)].some((name) => mapping[name] !== undefined);

export const columnField = (mapping: Mapping, column: number): string | null =>
  Object.keys(mapping).find((field) => mapping[field] === column) ?? null;

/**
 * Assigns a column to a field. Each field has one column and each column one field, so conflicting assignments are
 * removed.
 */
export function assign(mapping: Mapping, column: number, field: string | null): Mapping {
  const next: Record<string, number> = {};
  for (const [other, mapped] of Object.entries(mapping))
    if (mapped !== undefined && mapped !== column && other !== field) next[other] = mapped;
  if (field) next[field] = column;
  return next;
}

export function toContact(mapping: Mapping, row: readonly string[]): Record<ContactField, string> {
  const cell = (field: ContactField) => (mapping[field] === undefined ? '' : (row[mapping[field]!] ?? ''));
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, cell(field)])) as Record<ContactField, string>;
}

/** The mapping that the server guesses from the headings. */
export function guessMapping(columns: readonly { guess: string | null }[]): Mapping {
  const mapping: Record<string, number> = {};
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
