/** Writes results to stdout, and everything else to stderr, so that results can be piped. */
import { describeError } from './problems.ts';

interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Texts of contacts can contain control characters, with which they could change what the terminal shows. Line breaks
 * would make one message look like several.
 */
export const printable = (text: string): string =>
  text.replace(/[\r\n\t]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => (char === '\u200d' ? char : ''));

export class Output {
  /** True with `--json`: each result is one line of JSON. */
  readonly json: boolean;
  private readonly streams: Streams;
  private hasProgress = false;

  constructor(json: boolean, streams: Streams = process) {
    this.json = json;
    this.streams = streams;
  }

  /** A result: the object with `--json`, and the text without. */
  result(value: object, text: string): void {
    this.clear();
    this.streams.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Text that is not a result. */
  note(text: string): void {
    this.clear();
    this.streams.stderr.write(`${text}\n`);
  }

  /** Replaces the previous progress. Not shown if stderr is a file. */
  progress(text: string): void {
    if (!this.streams.stderr.isTTY || this.json) return;
    this.clear();
    this.streams.stderr.write(text);
    this.hasProgress = true;
  }

  error(error: unknown): number {
    const { exit, message, ...facts } = describeError(error);
    this.clear();
    if (this.json) this.streams.stderr.write(`${JSON.stringify({ error: { message, ...facts } })}\n`);
    else {
      const { code, field, request_id } = facts;
      const details = [code ? `code ${code}` : '', field ? `field ${field}` : ''].filter(Boolean).join(', ');
      this.streams.stderr.write(`Error: ${message}${details && ` (${details})`}\n`);
      if (request_id) this.streams.stderr.write(`Request ID: ${request_id}\n`);
    }
    return exit;
  }

  private clear(): void {
    if (this.hasProgress) this.streams.stderr.write('\r\u001b[K');
    this.hasProgress = false;
  }
}

/** Columns of equal width, separated by two spaces. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
