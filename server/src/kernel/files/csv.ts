/**
 * Writes CSV (RFC 4180) that is safe to open in a spreadsheet: text that would run as a formula is quoted, phone
 * numbers stay unchanged.
 */

// A number with any spacing. No part of the pattern can repeat another, so a long cell is read once.
const NUMBER = /^[+-]?[\d(][\d\s().-]*$/;
// A spreadsheet ignores leading spaces, and looks for a formula again after a line break inside a cell.
const FORMULA = /(?:^|[\r\n])[^\S\r\n]*[=+\-@\t]/;

export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;|\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
