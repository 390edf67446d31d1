/**
 * Writes CSV (RFC 4180) that is safe to open in a spreadsheet: text that would run as a formula is quoted, while phone
 * numbers stay unchanged.
 */

// Matches a number with any spacing. The parts of the pattern cannot overlap, so even a long cell is scanned only once.
const NUMBER = /^[+-]?[\d(][\d\s().-]*$/;
// A spreadsheet ignores leading spaces and also recognizes a formula after a line break inside a cell.
const FORMULA = /(?:^|[\r\n])[^\S\r\n]*[=+\-@\t]/;

export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;|\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type Cells = readonly (string | number | null)[];

export const delimitedLine = (cells: Cells, delimiter: string): string => `${cells.map(csvCell).join(delimiter)}\r\n`;

export const csvLine = (cells: Cells): string => delimitedLine(cells, ',');
