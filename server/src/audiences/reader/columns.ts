/**
 * Guesses the columns of a file from their headings (in common languages) and from their cells. Users confirm the
 * guesses.
 */
import type { ContactField } from '@parley/contract/audiences/imports.ts';
import { readNumber } from '../phone_numbers/number.ts';

/**
 * The best heading comes first: "Phone" takes precedence over "Number", which may only count the rows. If both columns
 * contain phone numbers, the heading listed first wins.
 */
const HEADINGS: Record<ContactField, readonly string[]> = {
  number:
    `mobile mobilephone mobilenumber mobileno mobilephonenumber cell cellphone cellphonenumber cellnumber phonenumber
    phone phoneno number numbers msisdn tel telephone telephonenumber telno telnumber contactnumber
    whatsapp whatsappnumber viber sms smsnumber recipient gsm phone1value phone1 primaryphone
    handy handynummer mobiltelefon mobilnummer mobil telefon telefonnummer telefonnr rufnummer nummer
    numero numerodetelephone telephoneportable portable numeroportable nodetelephone
    telefono telefonomovil numerodetelefono movil celular cellulare numeroditelefono telefonocellulare
    telefone telemovel
    telefoon telefoonnummer mobielnummer numertelefonu komorka puhelin puhelinnumero telefonszam cislo telefonicislo
    телефон номертелефона номер мобильный мобильныйтелефон сотовый հեռախոս հեռախոսահամար համար
    هاتف رقمالهاتف جوال 电话 手机 手机号 電話番号 携帯`.split(/\s+/),
  first_name: `firstname first givenname forename name fullname contactname contact
    vorname prenom nombre nome imie voornaam etunimi имя անուն 名`.split(/\s+/),
  last_name: `lastname last surname familyname
    nachname familienname nom nomdefamille apellido apellidos cognome sobrenome nazwisko achternaam sukunimi
    фамилия ազգանուն 姓`.split(/\s+/),
  custom1: ['custom1', 'customfield1', 'field1'],
  custom2: ['custom2', 'customfield2', 'field2'],
};

/**
 * Keeps letters and digits and removes accents and case: "Prénom " becomes prenom, "Phone 1 - Value" becomes
 * phone1value.
 */
export const normalizeHeading = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** The headings above are also normalized, because some languages use accented letters. */
const FIELD_BY_HEADING = new Map<string, { field: ContactField; rank: number }>();
for (const [field, names] of Object.entries(HEADINGS) as [ContactField, readonly string[]][])
  names.forEach((name, rank) => {
    FIELD_BY_HEADING.set(normalizeHeading(name), { field, rank });
  });

const findHeading = (text: string) => (text.length > 60 ? undefined : FIELD_BY_HEADING.get(normalizeHeading(text)));

export const isHeading = (text: string): boolean => findHeading(text) !== undefined;
export const isNumberHeading = (text: string): boolean => findHeading(text)?.field === 'number';

/** Returns whether the text looks like a phone number, even if its country is unknown. */
function looksLikeNumber(text: string): boolean {
  const trimmed = text.trim();
  if (/^'?\+?[\d\s().\-/\u00a0\u2010-\u2015]{7,24}$/.test(trimmed)) {
    const digits = trimmed.replace(/\D/g, '').length;
    return digits >= 7 && digits <= 17 && !/^\d{4}-\d\d-\d\d$|^\d\d[./-]\d\d[./-]\d{4}$/.test(trimmed);
  }
  return readNumber(text) === 'damaged';
}

/**
 * Returns the share of a column's cells that are phone numbers. A cell that only looks like a phone number counts half.
 */
export function numberShare(cells: readonly string[], country: string | null): number {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length === 0) return 0;
  let sum = 0;
  for (const cell of filled) sum += typeof readNumber(cell, country) === 'object' ? 1 : looksLikeNumber(cell) ? 0.5 : 0;
  return sum / filled.length;
}

export function hasHeader(first: readonly string[]): boolean {
  return first.some(isHeading) || !first.some(looksLikeNumber);
}

/** Guesses the field of each column. A field is used at most once. */
export function guessColumns(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
  count: number,
  country: string | null,
): (ContactField | null)[] {
  const guesses: (ContactField | null)[] = Array.from({ length: count }, () => null);
  const number = findNumberColumn(header, rows, count, country);
  if (number !== null) guesses[number] = 'number';
  const bestByField = new Map<ContactField, { index: number; rank: number }>();
  header?.forEach((text, index) => {
    const heading = findHeading(text);
    if (!heading || heading.field === 'number' || index === number) return;
    const current = bestByField.get(heading.field);
    if (!current || heading.rank < current.rank) bestByField.set(heading.field, { index, rank: heading.rank });
  });
  for (const [field, { index }] of bestByField) guesses[index] = field;
  return guesses;
}

function findNumberColumn(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
  count: number,
  country: string | null,
): number | null {
  const columns = Array.from({ length: count }, (_, index) => {
    const heading = header ? findHeading(header[index] ?? '') : undefined;
    return {
      index,
      rank: heading?.field === 'number' ? heading.rank : null,
      other: heading !== undefined && heading.field !== 'number',
      share: numberShare(
        rows.map((row) => row[index] ?? ''),
        country,
      ),
    };
  });
  const named = columns.filter((column) => column.rank !== null);
  if (named.length > 0) {
    named.sort((a, b) => Math.round((b.share - a.share) * 4) || a.rank! - b.rank! || a.index - b.index);
    return named[0]!.index;
  }
  // Under an unknown heading, more cells must be phone numbers, because order numbers look similar.
  const enough = header ? 0.6 : 0.4;
  const unnamed = columns.filter((column) => !column.other && column.share >= enough);
  unnamed.sort((a, b) => b.share - a.share || a.index - b.index);
  return unnamed[0]?.index ?? null;
}
