/**
 * Reads a small CSV file that an operator uploads or names on the command line. The delimiter is the one that the
 * header uses. Files of customers are read by the reader process of `audiences` instead.
 */
interface CsvRow {
  /** The line in the file on which the row starts. */
  line: number;
  cells: string[];
}

const DELIMITERS = [',', ';', '\t'] as const;

/** Returns the rows that are not blank, or null if a quoted cell does not end. */
export function readCsv(file: string): CsvRow[] | null {
  const text = file.replace(/^\uFEFF/, '');
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (delimiter: string): number => header.split(delimiter).length;
  const delimiter = DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!;
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"[^\\S\\r\\n${delimiter}]*|([^"\\r\\n${delimiter}][^\\r\\n${delimiter}]*|))`,
    'y',
  );
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (;;) {
      cell.lastIndex = at;
      const found = cell.exec(text);
      if (!found) return null;
      at = cell.lastIndex;
      line += found[0].split('\n').length - 1;
      row.cells.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim());
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') return null;
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    if (row.cells.some((value) => value !== '')) rows.push(row);
  }
  return rows;
}
