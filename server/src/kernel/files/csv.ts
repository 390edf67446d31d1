/** CSV to write (RFC 4180), safe to open in a spreadsheet: text that would run as a formula is made plain, phone numbers stay what they are. */

// However people space them. No part of it can repeat another, so a cell of any length is read once.
const NUMBER = /^[+-]?[\d(][\d\s().-]*$/;
// A spreadsheet looks past spaces, and starts anew after a line break inside a cell.
const FORMULA = /(?:^|[\r\n])[^\S\r\n]*[=+\-@\t]/;

export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;|\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
