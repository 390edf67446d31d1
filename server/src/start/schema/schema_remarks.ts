/**
 * The comments in the migrations: the text above a table, column, or index. The PostgreSQL catalog does not keep SQL
 * comments, and a schema is hard to read without them. If there are several comments, the last one wins.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '../../kernel/db/migrate.ts';
import { applyRenames } from './renames.ts';

/**
 * Comments keyed by `table`, `table.column` (`table.primary` for the primary key) or index name. `section table` is the
 * heading above the table.
 */
export type Remarks = ReadonlyMap<string, readonly string[]>;

const HEADING = /^-- (.+?) -{8,}$/;

export async function readRemarks(): Promise<Remarks> {
  const remarks = new Map<string, readonly string[]>();
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()) {
    const text = await readFile(join(MIGRATIONS, name), 'utf8');
    read(text, remarks);
    applyRenames(text, remarks);
  }
  return remarks;
}

function read(text: string, remarks: Map<string, readonly string[]>): void {
  let comment: string[] = [];
  let heading: string | undefined;
  let table = '';
  for (const line of text.split('\n')) {
    const words = /^\s*--\s?(.*)$/.exec(line)?.[1];
    if (words !== undefined) {
      const title = HEADING.exec(line)?.[1];
      if (title) heading = title;
      else comment.push(words);
      continue;
    }
    const created = createdName(line, table);
    if (created) {
      if (line.startsWith('create table')) {
        table = created;
        if (heading) remarks.set(`section ${created}`, [heading]);
        heading = undefined;
      }
      if (comment.length > 0) remarks.set(created, comment);
    }
    const altered = /^alter table (?:only )?(\w+)/.exec(line)?.[1];
    if (altered) table = altered;
    if (/^\)|;\s*$/.test(line)) table = '';
    // The comment above `alter table x` may describe the column that the next line adds.
    if (!altered || created) comment = [];
  }
}

function createdName(line: string, table: string): string | undefined {
  const [, name] = /^create (?:table|(?:unique )?index) (?:if not exists )?(\w+)/.exec(line) ?? [];
  if (name) return name;
  const [, altered, added] =
    /^(?:alter table (?:only )?(\w+))?\s*add column (?:if not exists )?"?(\w+)/.exec(line) ?? [];
  if (added && (altered ?? table)) return `${altered ?? table}.${added}`;
  const [, column] = /^\s+"?(\w+)/.exec(line) ?? [];
  return column && table ? `${table}.${column}` : undefined;
}
