/**
 * Writes CSV (RFC 4180) that is safe to open in a spreadsheet with any settings: text that would run as a formula gets
 * an apostrophe, while phone numbers and amounts stay unchanged. A spreadsheet whose list separator is a semicolon or a
 * tab splits a cell at these characters, even within quotation marks, so every part of a cell is guarded.
 */

const SEPARATORS = /([,;|\t\r\n])/;
// A number with any spacing. The parts of the pattern cannot overlap, so even a long cell is scanned only once.
const NUMBER = /^[+-]?[\d(][\d\s().-]*$/;
// A spreadsheet ignores leading spaces and quotation marks. Some convert full-width characters.
const FORMULA = /^[\s"'\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Guards a text that begins with a tab or a carriage return, or of which a part begins like a formula. */
function guardFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  const guarded = text
    .split(SEPARATORS)
    .map((part) => (FORMULA.test(part) && !NUMBER.test(part.trim()) ? `'${part}` : part))
    .join('');
  return /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded;
}

/** Matches every text that is not written as it is. */
const SPECIAL = /^[\s"'\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[",;|\t\r\n]|^\s|\s$/;

export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  if (!SPECIAL.test(text)) return text;
  const safe = guardFormulas(text);
  return /[",;|\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type Cells = readonly (string | number | null)[];

export const delimitedLine = (cells: Cells, delimiter: string): string => `${cells.map(csvCell).join(delimiter)}\r\n`;

export const csvLine = (cells: Cells): string => delimitedLine(cells, ',');
