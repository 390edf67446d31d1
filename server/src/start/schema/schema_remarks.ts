/**
 * What the migrations say about the things they make: the comment above a table, column or index. The catalogue forgets comments of SQL, and a
 * schema without its reasons is hard to read. Last one wins, as with the things themselves.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '../../kernel/db/migrate.ts';
import { applyRenames } from './renames.ts';

/** By `table`, `table.column` (`table.primary` for its key) and name of an index; `section table` is the heading before it. */
export type Remarks = ReadonlyMap<string, readonly string[]>;

const HEADING = /^-- (.+?) -{8,}$/;

export async function remarksOfMigrations(): Promise<Remarks> {
  const remarks = new Map<string, readonly string[]>();
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()) {
    const text = await readFile(join(MIGRATIONS, name), 'utf8');
    read(text, remarks);
    applyRenames(text, remarks);
  }
  return remarks;
}

function read(text: string, remarks: Map<string, readonly string[]>): void {
  let said: string[] = [];
  let heading: string | undefined;
  let table = '';
  for (const line of text.split('\n')) {
    const words = /^\s*--\s?(.*)$/.exec(line)?.[1];
    if (words !== undefined) {
      const found = HEADING.exec(line)?.[1];
      if (found) heading = found;
      else said.push(words);
      continue;
    }
    const made = nameOf(line, table);
    if (made) {
      if (line.startsWith('create table')) {
        table = made;
        if (heading) remarks.set(`section ${made}`, [heading]);
        heading = undefined;
      }
      if (said.length > 0) remarks.set(made, said);
    }
    const altered = /^alter table (?:only )?(\w+)/.exec(line)?.[1];
    if (altered) table = altered;
    if (/^\)|;\s*$/.test(line)) table = '';
    // The comment above `alter table x` may be about the column it adds on the next line.
    if (!altered || made) said = [];
  }
}

function nameOf(line: string, table: string): string | undefined {
  const [, created] = /^create (?:table|(?:unique )?index) (?:if not exists )?(\w+)/.exec(line) ?? [];
  if (created) return created;
  const [, altered, added] =
    /^(?:alter table (?:only )?(\w+))?\s*add column (?:if not exists )?"?(\w+)/.exec(line) ?? [];
  if (added && (altered ?? table)) return `${altered ?? table}.${added}`;
  const [, column] = /^\s+"?(\w+)/.exec(line) ?? [];
  return column && table ? `${table}.${column}` : undefined;
}
