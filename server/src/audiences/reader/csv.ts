/**
 * Parses CSV row by row without holding the file in memory. Supports quotes, line breaks inside quotes, all line
 * endings, and rows of any length. An ambiguous row is refused with its line number. Rows are never merged silently.
 */
import { Problem } from '@parley/contract/problem.ts';

export type OnRow = (line: number, cells: string[]) => void;

const MAX_RECORD = 256 * 1024;

export class CsvReader {
  private readonly delimiter: string | null;
  private readonly newline: string;
  private readonly onRow: OnRow;
  private rest = '';
  private line = 1;
  private next = 0;

  /** If `delimiter` is null, every line is a single cell. */
  constructor(delimiter: string | null, newline: string, onRow: OnRow) {
    this.delimiter = delimiter;
    this.newline = newline;
    this.onRow = onRow;
  }

  push(text: string, last: boolean): void {
    const data = this.rest + text;
    let at = 0;
    let quote = -1;
    let end = -1;
    while (at < data.length) {
      if (end < at) end = data.indexOf(this.newline, at);
      if (end < 0) end = data.length;
      if (quote < at) quote = data.indexOf('"', at);
      if (quote < 0) quote = data.length;
      if (end === data.length && !last) break;
      if (quote >= end) {
        this.emitRow(this.line, this.splitPlain(data.slice(at, end)));
        this.line++;
        at = end + 1;
        continue;
      }
      const cells = this.readQuoted(data, at, last);
      if (!cells) break;
      const start = this.line;
      for (let brk = end; brk >= 0 && brk < this.next; brk = data.indexOf(this.newline, brk + 1)) this.line++;
      at = this.next;
      this.emitRow(start, cells);
    }
    this.rest = data.slice(at);
    if (this.rest.length > MAX_RECORD) throw lineTooLong(this.line);
  }

  private splitPlain(line: string): string[] {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    return this.delimiter === null ? [text] : text.split(this.delimiter);
  }

  private emitRow(line: number, cells: string[]): void {
    if (cells.some((cell) => cell.trim() !== '')) this.onRow(line, cells);
  }

  /**
   * Returns the cells of the record at `at` and sets `next` to the end of the record. Returns null if the record is
   * incomplete.
   */
  private readQuoted(data: string, at: number, last: boolean): string[] | null {
    const cells: string[] = [];
    let from = at;
    for (;;) {
      let value = '';
      let open = from;
      while (data[open] === ' ') open++;
      if (data[open] === '"') {
        from = open + 1;
        for (;;) {
          const close = data.indexOf('"', from);
          if (close < 0 || (close + 1 === data.length && !last)) return this.requireClosed(data.length - open, last);
          value += data.slice(from, close);
          from = close + 1;
          if (data[from] !== '"') break;
          value += '"';
          from++;
        }
      }
      const end = this.findCellEnd(data, from);
      if (end === data.length && !last) return null;
      const tail = data.slice(from, end).replace(/\r$/, '');
      // Text follows a multi-line cell, so its quote was opened by mistake several lines earlier.
      if (value.includes(this.newline) && tail.trim() !== '') throw unclosedQuote(this.line);
      cells.push(value + (value === '' ? tail : tail.trimEnd()));
      from = end + 1;
      if (end >= data.length || data[end] === this.newline) {
        this.next = end + 1;
        return cells;
      }
    }
  }

  private findCellEnd(data: string, from: number): number {
    const brk = data.indexOf(this.newline, from);
    const end = brk < 0 ? data.length : brk;
    if (this.delimiter === null) return end;
    const cut = data.slice(from, end).indexOf(this.delimiter);
    return cut < 0 ? end : from + cut;
  }

  private requireClosed(length: number, last: boolean): null {
    if (last || length > MAX_RECORD) throw unclosedQuote(this.line);
    return null;
  }
}

const unclosedQuote = (line: number) =>
  new Problem('IMPORT_FILE_INVALID', { message: `A quotation mark opened on line ${line} is never closed` });
const lineTooLong = (line: number) =>
  new Problem('IMPORT_FILE_INVALID', { message: `Line ${line} is too long to be a row of contacts` });
