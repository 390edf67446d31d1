/**
 * Writes a schema as readable SQL: the catalog of a migrated database, table by table in the order of the migrations,
 * with their comments. Running the text makes the same schema again (a test checks it). Objects that cannot be written
 * completely are refused, never left out.
 */
import type pg from 'pg';
import type { Remarks } from './schema_remarks.ts';

type Ask = <T>(text: string) => Promise<T[]>;

interface Column {
  table: string;
  name: string;
  quoted: string;
  type: string;
  required: boolean;
  fallback: string | null;
  generated: string;
  identity: string;
  collation: string | null;
  comment: string | null;
}
interface Constraint {
  table: string;
  name: string;
  kind: 'p' | 'u' | 'c' | 'f' | 'x';
  columns: string[];
  definition: string;
  /** A foreign key to a table that comes later. */
  ahead: boolean;
}
interface Named {
  table: string;
  name: string;
  definition: string;
}
interface Table {
  name: string;
  kind: string;
  options: string[] | null;
  comment: string | null;
  view: string | null;
}

const HEAD = `-- The schema as all migrations together make it, to read. Made by \`npm run schema\`; a test compares. To change it, write a migration.
`;

export async function schemaText(client: pg.ClientBase, remarks: Remarks, schema = 'public'): Promise<string> {
  const inside = `'${schema}'::regnamespace`;
  const ask: Ask = async (text) => (await client.query(text)).rows;
  const tables = await ask<Table>(`
    select relname as name, relkind as kind, reloptions as options, obj_description(oid, 'pg_class') as comment,
      case when relkind = 'v' then pg_get_viewdef(oid, true) end as view
    from pg_class where relnamespace = ${inside} and relkind in ('r', 'v') order by oid`);
  const columns = await ask<Column>(`
    select c.relname as table, a.attname as name, quote_ident(a.attname) as quoted,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      pg_get_expr(d.adbin, d.adrelid, true) as fallback, a.attgenerated as generated, a.attidentity as identity,
      (select l.collname from pg_collation l where l.oid = a.attcollation and l.collname <> 'default') as collation,
      col_description(c.oid, a.attnum) as comment
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (c.oid, a.attnum)
    where c.relnamespace = ${inside} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by c.oid, a.attnum`);
  const constraints = await ask<Constraint>(`
    select c.relname as table, o.conname as name, o.contype as kind, pg_get_constraintdef(o.oid, true) as definition,
      o.confrelid > o.conrelid as ahead,
      array(select a.attname::text from unnest(o.conkey) with ordinality k(number, place)
            join pg_attribute a on (a.attrelid, a.attnum) = (o.conrelid, k.number) order by k.place) as columns
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = ${inside} and o.contype in ('p', 'u', 'c', 'f', 'x')
    order by c.oid, position(o.contype in 'pufcx'), o.oid`);
  const indexes = await ask<Named>(`
    select c.relname as table, x.relname as name, pg_get_indexdef(x.oid, 0, true) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where c.relnamespace = ${inside} and not exists (select from pg_constraint o where o.conindid = x.oid and o.contype in ('p', 'u', 'x'))
    order by x.oid`);
  const triggers = await ask<Named>(`
    select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid, true) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = ${inside} and not t.tgisinternal order by t.oid`);
  const functions = await ask<{ definition: string }>(`
    select pg_get_functiondef(p.oid) as definition from pg_proc p where p.pronamespace = ${inside}
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.oid`);
  await demandWritable(ask, inside);

  const of = <T extends { table: string }>(all: readonly T[], { name }: Table) =>
    all.filter((one) => one.table === name);
  const written = tables.map((table) => {
    const heading = remarks.get(`section ${table.name}`)?.[0];
    const above = heading ? `-- ${heading} ${'-'.repeat(Math.max(3, 116 - heading.length))}\n\n` : '';
    if (table.kind === 'v') return `${above}create view ${table.name} as\n${table.view!.trimEnd()}\n`;
    const after = [...of(indexes, table), ...of(triggers, table)].map(
      ({ name, definition }) => `${said(remarks.get(name))}${plain(definition).replace(' using btree', '')};\n`,
    );
    return `${above}${create(table, of(columns, table), of(constraints, table), remarks)}${after.join('')}`;
  });
  const ahead = constraints
    .filter((one) => one.ahead)
    .map((one) => `alter table ${one.table} add constraint ${one.name} ${plain(one.definition)};\n`);
  return [
    HEAD,
    ...functions.map(({ definition }) => `${functionOf(definition, schema)};\n`),
    ...written,
    ...(ahead.length ? [ahead.join('')] : []),
  ].join('\n');
}

/** Throws for kinds of objects that this file cannot write. */
async function demandWritable(ask: Ask, inside: string): Promise<void> {
  const strange = await ask<{ name: string }>(`
    select relname as name from pg_class c where relnamespace = ${inside}
      and (relkind not in ('r', 'v', 'i', 'S', 't', 'c') or relrowsecurity or relispartition
        -- The sequence of an identity column is part of the column.
        or relkind = 'S' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i'))
    union all select typname from pg_type where typnamespace = ${inside} and typtype in ('d', 'e', 'r')
    union all select extname from pg_extension where extnamespace = ${inside}`);
  if (strange.length > 0)
    throw new Error(`kernel/schema_text.ts cannot write ${strange.map(({ name }) => name).join(', ')} yet: teach it`);
}

function create(
  table: Table,
  columns: readonly Column[],
  constraints: readonly Constraint[],
  remarks: Remarks,
): string {
  const here = constraints.filter((one) => !one.ahead);
  const beside = here.filter((one) => isOfColumn(one));
  const lines = columns.map((column) => {
    const own = beside.filter((one) => one.columns[0] === column.name);
    const required = column.required && !own.some(({ kind }) => kind === 'p') && !column.identity ? ' not null' : '';
    const rest = own.map((one) => ` ${ofColumn(one)}`).join('');
    const words = column.comment?.split('\n') ?? remarks.get(`${table.name}.${column.name}`);
    return { words, text: `${column.quoted} ${typeOf(column)}${required}${defaultOf(column)}${rest}` };
  });
  for (const one of here.filter((each) => !beside.includes(each)))
    lines.push({
      words: one.kind === 'p' ? remarks.get(`${table.name}.primary`) : undefined,
      text: `${named(one)}${plain(one.definition)}`,
    });
  const body = lines.map(
    ({ words, text }, index) => `${said(words, '  ')}  ${text}${index < lines.length - 1 ? ',' : ''}\n`,
  );
  const options = table.options ? ` with (${table.options.map((one) => one.replace('=', ' = ')).join(', ')})` : '';
  return `${said(table.comment?.split('\n') ?? remarks.get(table.name))}create table ${table.name} (\n${body.join('')})${options};\n`;
}

const SHORT: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'double precision': 'float8',
};
const typeOf = ({ type, collation }: Column): string =>
  `${SHORT[type] ?? type}${collation ? ` collate "${collation}"` : ''}`;

function defaultOf({ fallback, generated, identity, type }: Column): string {
  if (identity) return ` generated ${identity === 'a' ? 'always' : 'by default'} as identity`;
  if (fallback === null) return '';
  if (generated) return ` generated always as (${plain(fallback)}) ${generated === 's' ? 'stored' : 'virtual'}`;
  // The column type is already written.
  const value =
    fallback.startsWith("'") && fallback.endsWith(`'::${type}`) ? fallback.slice(0, -type.length - 2) : fallback;
  return ` default ${plain(value)}`;
}

/** True for a constraint of one column, which is written beside the column. */
function isOfColumn({ kind, columns, definition }: Constraint): boolean {
  if (columns.length !== 1) return false;
  return (
    kind === 'c' ||
    kind === 'f' ||
    ((kind === 'p' || kind === 'u') && /^(PRIMARY KEY|UNIQUE) \([^()]*\)$/.test(definition))
  );
}

function ofColumn(one: Constraint): string {
  const text = plain(one.definition);
  if (one.kind === 'f') return named(one) + text.replace(/^foreign key \([^()]*\) /, '');
  return named(one) + (one.kind === 'c' ? text : text.replace(/ \([^()]*\)$/, ''));
}

/** Writes the name only if it differs from the one PostgreSQL generates. */
function named({ table, columns, kind, name }: Constraint): string {
  const end = { p: 'pkey', u: 'key', f: 'fkey', c: 'check', x: 'excl' }[kind];
  const middle = kind === 'p' || (kind === 'c' && columns.length !== 1) ? [] : columns;
  const usual = [table, ...middle, end].join('_');
  return name.replace(/\d+$/, '') === usual ? '' : `constraint ${name} `;
}

/** Formats an expression as people write it: lower case outside of quotes, `in (...)`, no casts of plain texts. */
function plain(text: string): string {
  return text
    .replace(/('(?:[^']|'')*')::text(?!\[)/g, '$1')
    .replace(/= ANY \(ARRAY\[([^[\]]*)\]\)/g, 'in ($1)')
    .split(/('(?:[^']|'')*'|"[^"]*")/)
    .map((part, index) => (index % 2 ? part : part.toLowerCase()))
    .join('');
}

function functionOf(definition: string, schema: string): string {
  const [head = '', body = '', tail = ''] = definition.split(/(?<=AS )(\$\w*\$[\s\S]*)$/);
  const signature = plain(head.replace('OR REPLACE ', '').replace(`${schema}.`, ''))
    .replace(/\s+/g, ' ')
    .replace(/ $/, '');
  return `${signature} ${body.trimEnd()}${tail.trimEnd()}`;
}

const said = (words: readonly string[] | undefined, indent = ''): string =>
  (words ?? []).map((line) => `${indent}-- ${line}\n`).join('');
