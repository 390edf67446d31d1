/** CSV to write (RFC 4180), safe to open in a spreadsheet: text that would run as a formula is made plain, phone numbers stay what they are. */

const PLAIN = /^[+-]?\d+(\.\d+)?$/;
// A spreadsheet looks past spaces, and starts anew after a line break inside a cell.
const FORMULA = /(^|[\r\n])[\s\u00a0]*[=+\-@\t]/;

export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !PLAIN.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
