/**
 * The facts about people in the rows of a file: values of the account's own fields, and IDs on channels. The reader has
 * checked them, and they are in `import_contacts` next to the contacts.
 */
import type { ImportOptions } from '@parley/contract/audiences/imports.ts';
import { ID_CHANNELS, idColumn, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import { Problem, problemCode, problemMessage } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { listFields } from '../people/field_queries.ts';
import { normalizeHeading } from '../reader/columns.ts';
import type { Preview } from '../reader/preview.ts';
import type { FactColumn } from '../reader/rows.ts';
import type { ReportedRow, RowCounts } from '../reader/task.ts';
import type { ImportRow } from './queries.ts';

type Columns = z.output<typeof ImportOptions>['columns'];

const CONTACT_COLUMNS = ['number', 'first_name', 'last_name', 'custom1', 'custom2'];

/** The mapped columns that are not texts of contacts. Throws IMPORT_FIELD_UNKNOWN if a field does not exist. */
export async function readFactColumns(db: Queryable, account_id: string, columns: Columns): Promise<FactColumn[]> {
  const mapped = Object.entries(columns).filter(([name]) => !CONTACT_COLUMNS.includes(name));
  if (mapped.length === 0) return [];
  const fields = new Map((await listFields(db, account_id)).map((field) => [`fields.${field.key}`, field]));
  const channels = new Map(ID_CHANNELS.map((channel) => [idColumn(channel), channel]));
  return mapped.map(([name, column]) => {
    const field = fields.get(name);
    const channel = channels.get(name);
    if (channel) return { kind: 'id', channel, column: column! };
    if (!field) throw new Problem('IMPORT_FIELD_UNKNOWN', { field: `options.columns.${name}` });
    const { key, label, kind, choices } = field;
    return { kind: 'field', field: { key, label, kind, choices }, column: column! };
  });
}

/** Adds guesses for columns whose heading is the name of an ID, or the label or key of a field. */
export async function guessFacts(db: Queryable, account_id: string, preview: Preview): Promise<Preview> {
  if (!preview.has_header) return preview;
  const names = new Map<string, string>();
  for (const { key, label } of await listFields(db, account_id))
    for (const text of [label, key]) names.set(normalizeHeading(text), `fields.${key}`);
  for (const channel of ID_CHANNELS)
    for (const text of [PERSON_IDS[channel]!.label, idColumn(channel)])
      names.set(normalizeHeading(text), idColumn(channel));
  const used = new Set(preview.columns.map(({ guess }) => guess));
  const columns = preview.columns.map((column) => {
    const guess = column.guess ?? names.get(normalizeHeading(column.name));
    if (column.guess || !guess || used.has(guess)) return column;
    used.add(guess);
    return { ...column, guess };
  });
  return { ...preview, columns };
}

/**
 * Gives rows with only an ID the number of its person, and removes rows whose ID belongs to another person. Runs before
 * the contacts are stored. Returns the removed rows and changes the counts.
 */
export async function settleIds(
  tx: Tx,
  account_id: string,
  facts: readonly FactColumn[],
  counts: RowCounts,
): Promise<ReportedRow[]> {
  if (!facts.some(({ kind }) => kind === 'id')) return [];
  await tx.run(sql`
    update import_contacts s set number = p.number, country = p.country
    from person_numbers n join people p on p.account_id = n.account_id and p.id = n.person_id
    where n.account_id = ${account_id} and n.number = s.number and s.facts->'ids' <> '{}'`);
  const repeated = await tx.rows<Removed>(sql`
    delete from import_contacts s
    where s.facts->'ids' <> '{}' and exists (
      select from import_contacts o where o.number = s.number and o.id < s.id)
    returning (s.facts->>'line')::int as line, s.facts->'cells' as cells`);
  const taken = await tx.rows<Removed>(sql`
    delete from import_contacts s
    where s.facts->'ids' <> '{}' and exists (
      select from jsonb_each_text(s.facts->'ids') i
      where exists (
        select from person_numbers n join people p on p.account_id = n.account_id and p.id = n.person_id
        where n.account_id = ${account_id} and n.number = i.value and p.number <> s.number)
      or exists (
        select from people p where p.account_id = ${account_id} and p.number = i.value and p.number <> s.number))
    returning (s.facts->>'line')::int as line, s.facts->'cells' as cells`);
  counts.contacts -= repeated.length + taken.length;
  counts.duplicate += repeated.length;
  counts.invalid += taken.length;
  const reason = problemMessage('PERSON_CHANNEL_ID_EXISTS');
  return [
    ...repeated.map((row) => ({
      ...row,
      ...{ kind: 'duplicate' as const, code: null, reason: 'Another row has the number of this person' },
    })),
    ...taken.map((row) => ({
      ...row,
      ...{ kind: 'invalid' as const, code: problemCode('PERSON_CHANNEL_ID_EXISTS'), reason },
    })),
  ];
}

interface Removed {
  line: number;
  cells: string[];
}

type Source = Pick<ImportRow, 'account_id' | 'id' | 'options'> & { audience_id: string; isNew: boolean };

/** Runs after the contacts have been stored, so that every number has a person. */
export async function storeRowFacts(tx: Tx, source: Source): Promise<void> {
  const { account_id, id, audience_id, isNew, options } = source;
  const fills = !isNew && options.existing === 'merge';
  const rows = sql`
    select p.id, p.number, p.fields, s.facts from import_contacts s
    cross join lateral (
      select id, number, fields from people where account_id = ${account_id} and number = s.number offset 0
    ) p
    where s.facts is not null and (${isNew || options.existing !== 'skip'} or exists (
      select from contacts k
      where k.account_id = ${account_id} and k.audience_id = ${audience_id} and k.id = s.id))`;
  await tx.run(sql`
    with given as (
      select id, fields as before, case when ${fills} then (facts->'fields') - array(select jsonb_object_keys(fields))
        else facts->'fields' end as added
      from (${rows}) r
    ), changed as (
      update people p set fields = p.fields || g.added, update_date = ${tx.now}
      from given g
      where p.account_id = ${account_id} and p.id = g.id and not p.fields @> g.added
      returning p.id, g.added, (
        select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(g.before) where g.added ? key) as before
    )
    insert into import_changes as c (account_id, import_id, kind, id, detail, create_date)
    select ${account_id}::uuid, ${id}::uuid, 'person', id, jsonb_build_object('fields', added, 'before', before),
           ${tx.now}
    from changed
    on conflict (account_id, import_id, kind, id) do update set detail = c.detail || excluded.detail`);
  await tx.run(sql`
    create temporary table import_ids on commit drop as
    select r.id, r.number, i.key as channel, i.value as given, o.number as before
    from (${rows}) r cross join lateral jsonb_each_text(r.facts->'ids') i
    left join person_numbers o on o.account_id = ${account_id} and o.person_id = r.id and o.channel = i.key
    -- A person without a number keeps the ID that stands in its place.
    where o.number is null or (o.number <> i.value and o.number <> r.number and not ${fills})`);
  await tx.run(sql`
    delete from person_numbers n using import_ids i
    where n.account_id = ${account_id} and n.number = i.before and n.person_id = i.id`);
  await tx.run(sql`
    insert into person_numbers as n (account_id, number, person_id, channel)
    select ${account_id}::uuid, given, id, channel from import_ids
    on conflict (account_id, number) do update set person_id = excluded.person_id, channel = excluded.channel`);
  await tx.run(sql`
    insert into import_changes as c (account_id, import_id, kind, id, detail, create_date)
    select ${account_id}::uuid, ${id}::uuid, 'person', id, jsonb_build_object(
      'ids', jsonb_object_agg(channel, given),
      'ids_before', coalesce(jsonb_object_agg(channel, before) filter (where before is not null), '{}')), ${tx.now}
    from import_ids group by id
    on conflict (account_id, import_id, kind, id) do update set detail = c.detail || excluded.detail`);
}

/** A field that changed again after the import keeps its value. */
export const restoreFields = (tx: Tx, account_id: string, id: string): Promise<number> =>
  tx.run(sql`
    update people p set update_date = ${tx.now}, fields = (p.fields - u.keys) || (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(u.before) where key = any(u.keys))
    from (
      select c.id, c.detail->'before' as before, array(
        select f.key from jsonb_each(c.detail->'fields') f where o.fields->f.key = f.value) as keys
      from import_changes c join people o on o.account_id = c.account_id and o.id = c.id
      where c.account_id = ${account_id} and c.import_id = ${id} and c.kind = 'person' and c.detail ? 'fields'
    ) u
    where p.account_id = ${account_id} and p.id = u.id and u.keys <> '{}'`);

/** Removes the IDs that the import set, and restores the earlier ones, unless they belong to another person by now. */
export async function restoreIds(tx: Tx, account_id: string, id: string): Promise<void> {
  const changes = sql`
    select c.id, i.key as channel, i.value as given, c.detail->'ids_before'->>i.key as before
    from import_changes c cross join lateral jsonb_each_text(c.detail->'ids') i
    where c.account_id = ${account_id} and c.import_id = ${id} and c.kind = 'person' and c.detail ? 'ids'`;
  await tx.run(sql`
    delete from person_numbers n using (${changes}) u
    where n.account_id = ${account_id} and n.number = u.given and n.person_id = u.id and n.channel = u.channel`);
  await tx.run(sql`
    insert into person_numbers (account_id, number, person_id, channel)
    select ${account_id}::uuid, u.before, u.id, u.channel from (${changes}) u
    where u.before is not null and not exists (
      select from person_numbers n
      where n.account_id = ${account_id} and n.person_id = u.id and n.channel = u.channel)
    on conflict do nothing`);
}
