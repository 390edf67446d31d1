/** Moves the comments of renamed tables, columns, and indexes to the new names. */
const TABLE = /^alter table (\w+) rename to (\w+);$/;
const COLUMN = /^alter table (\w+) rename column (\w+) to (\w+);$/;
const INDEX = /^alter index (\w+) rename to (\w+);$/;

/** `text` is one migration. `remarks` contains the comments from all migrations up to and including this one. */
export function applyRenames(text: string, remarks: Map<string, readonly string[]>): void {
  for (const line of text.split('\n')) {
    const [, table, newTable] = TABLE.exec(line) ?? [];
    if (table && newTable) renameTable(remarks, table, newTable);
    const [, owner, column, newColumn] = COLUMN.exec(line) ?? [];
    if (owner) move(remarks, `${owner}.${column}`, `${owner}.${newColumn}`);
    const [, index, newIndex] = INDEX.exec(line) ?? [];
    if (index && newIndex) move(remarks, index, newIndex);
  }
}

function renameTable(remarks: Map<string, readonly string[]>, table: string, newTable: string): void {
  move(remarks, table, newTable);
  move(remarks, `section ${table}`, `section ${newTable}`);
  for (const key of [...remarks.keys()])
    if (key.startsWith(`${table}.`)) move(remarks, key, `${newTable}${key.slice(table.length)}`);
}

function move(remarks: Map<string, readonly string[]>, key: string, newKey: string): void {
  const comment = remarks.get(key);
  if (!comment) return;
  remarks.delete(key);
  remarks.set(newKey, comment);
}
