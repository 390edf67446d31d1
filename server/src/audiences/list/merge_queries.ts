import type { PersonMerge } from '@parley/contract/audiences/merges.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { personColumns } from '../people/queries.ts';

export interface ContactRow {
  id: string;
  audience_id: string;
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
  import_id: string | null;
  create_date: string;
}

/** Both people before the merge, and the changes that it made. */
export interface Before {
  kept: Person;
  merged: Person;
  /** The person after the merge. */
  result: Pick<Person, Values>;
  /** The contacts of the merged person that got the other number. */
  moved: readonly ContactRow[];
  /** Contacts that were removed because the audience already contained the person. */
  removed: readonly ContactRow[];
  /** The entries that the stop list got. */
  stop_ids: readonly string[];
}
export type Values = 'first_name' | 'last_name' | 'custom1' | 'custom2' | 'language' | 'timezone' | 'tags' | 'fields';

export const listSameName = (db: Queryable, { account_id, id, first_name, last_name }: Person) =>
  db.rows<Person>(sql`
    select ${personColumns} from people p
    where p.account_id = ${account_id} and p.first_name <> '' and p.last_name <> ''
      and lower(p.first_name) = lower(${first_name}) and lower(p.last_name) = lower(${last_name}) and p.id <> ${id}
    order by p.id desc limit 20`);

/** Locks the audiences of both numbers, in the order that all writers use. */
export const lockAudiences = (tx: Tx, account_id: string, numbers: readonly string[]) =>
  tx.rows<{ id: string }>(sql`
    select id from audiences where account_id = ${account_id} and id in (
      select audience_id from contacts where account_id = ${account_id} and number = any(${numbers}::text[]))
    order by id for update`);

export const lockPeople = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.rows<Person>(sql`
    select ${personColumns} from people p where p.account_id = ${account_id} and p.id = any(${ids}::uuid[])
    order by p.id for update`);

/** A running campaign reads the contacts of its audiences in batches. Runs of automations have people of their own. */
export const hasRunningCampaign = async (tx: Tx, account_id: string, audience_ids: readonly string[]) =>
  (await tx.maybeOne(sql`
    select from campaigns where account_id = ${account_id} and status in ('in_progress', 'paused')
      and trigger is null
      and (audience_id || audience_ids || excluded_audience_ids) && ${audience_ids}::uuid[] limit 1`)) !== null;

export const isBeingErased = async (tx: Tx, account_id: string, numbers: readonly string[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from person_erasures
    where account_id = ${account_id} and number = any(${numbers}::text[]) and status <> 'completed' limit 1`)) !== null;

const contactColumns = raw(`k.id, k.audience_id, k.number, k.country, k.first_name, k.last_name, k.custom1, k.custom2,
  k.import_id, k.create_date`);

/** Removes the contacts in audiences that already have the other number. */
export const removeContacts = (tx: Tx, account_id: string, from: string, to: string) =>
  tx.rows<ContactRow>(sql`
    delete from contacts k where k.account_id = ${account_id} and k.number = ${from} and exists (
      select from contacts o
      where o.account_id = ${account_id} and o.audience_id = k.audience_id and o.number = ${to})
    returning ${contactColumns}`);

export const moveContact = (tx: Tx, account_id: string, from: string, to: Pick<Person, 'number' | 'country'>) =>
  tx.rows<ContactRow>(sql`
    update contacts k set number = ${to.number}, country = ${to.country}, update_date = ${tx.now}
    where k.account_id = ${account_id} and k.number = ${from} returning ${contactColumns}`);

/** Restores the contacts that the merge moved, where the contact is still there and the number is free. */
export const moveBack = (tx: Tx, account_id: string, { id, audience_id }: ContactRow, to: Person, from: string) =>
  tx.run(sql`
    update contacts k set number = ${to.number}, country = ${to.country}, first_name = ${to.first_name},
      last_name = ${to.last_name}, custom1 = ${to.custom1}, custom2 = ${to.custom2}, update_date = ${tx.now}
    where k.account_id = ${account_id} and k.audience_id = ${audience_id} and k.id = ${id} and k.number = ${from}
      and not exists (select from contacts o where o.account_id = ${account_id} and o.audience_id = ${audience_id}
        and o.number = ${to.number})`);

/** Adds a removed contact again, if the audience still exists. Returns whether it was added. */
export const addBack = async (tx: Tx, account_id: string, row: ContactRow): Promise<boolean> =>
  (await tx.run(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2,
      import_id, create_date, update_date)
    select ${account_id}::uuid, ${row.audience_id}::uuid, ${row.id}::uuid, ${row.number}, ${row.country},
      ${row.first_name}, ${row.last_name}, ${row.custom1}, ${row.custom2}, ${row.import_id}::uuid,
      ${row.create_date}::timestamptz, ${tx.now}
    where exists (select from audiences where account_id = ${account_id} and id = ${row.audience_id})
    on conflict (account_id, audience_id, number) do nothing`)) > 0;

export async function replacePerson(tx: Tx, merged: Person, person_id: string): Promise<void> {
  const { account_id, id, number } = merged;
  await tx.run(sql`delete from people where account_id = ${account_id} and id = ${id}`);
  // If both have an ID on a channel, the merged person's ID becomes another number.
  await tx.run(sql`
    update person_numbers n set person_id = ${person_id}, channel = case
      when not exists (select from person_numbers o where o.account_id = n.account_id and o.person_id = ${person_id}
        and o.channel = n.channel) then n.channel end
    where n.account_id = ${account_id} and n.person_id = ${id}`);
  await tx.run(sql`
    insert into person_numbers (account_id, number, person_id) values (${account_id}, ${number}, ${person_id})
    on conflict (account_id, number) do update set person_id = excluded.person_id`);
}

/** Stores the person again, unless there is one with the number, and the IDs that the merge took over. */
export async function restorePerson(tx: Tx, row: Person, kept_id: string): Promise<void> {
  await tx.run(sql`
    insert into people (account_id, id, number, country, first_name, last_name, custom1, custom2, language, timezone,
      tags, fields, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.number}, ${row.country}, ${row.first_name}, ${row.last_name},
      ${row.custom1}, ${row.custom2}, ${row.language}, ${row.timezone}, ${row.tags}::text[],
      ${JSON.stringify(row.fields)}::jsonb, ${row.create_date}::timestamptz, ${tx.now})
    on conflict (account_id, number) do nothing`);
  // A merge from before people had IDs has none.
  for (const [channel, id] of Object.entries(row.channel_ids ?? {}))
    await tx.run(sql`
      insert into person_numbers as n (account_id, number, person_id, channel)
      select p.account_id, ${id}, p.id, ${channel} from people p
      where p.account_id = ${row.account_id} and p.number = ${row.number}
      on conflict (account_id, number) do update set person_id = excluded.person_id, channel = excluded.channel
      where n.person_id = ${kept_id}`);
}

export const insertMerge = (tx: Tx, row: { account_id: string; id: string; user_id: string | null; before: Before }) =>
  tx.run(sql`
    insert into person_merges (account_id, id, person_id, number, merged_number, before, user_id, create_date)
    values (${row.account_id}, ${row.id}, ${row.before.kept.id}, ${row.before.kept.number},
      ${row.before.merged.number}, ${JSON.stringify(row.before)}::jsonb, ${row.user_id}, ${tx.now})`);

const columns = raw(`
  m.id, m.account_id, m.person_id, m.number, m.merged_number, m.create_date,
  nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name, m.create_date + interval '30 days' as undo_date`);
const withUser = raw('person_merges m left join users u on u.account_id = m.account_id and u.id = m.user_id');
const CAN_BE_UNDONE = raw(`m.undo_date is null and m.create_date > now() - interval '30 days'`);

/** The merges that can still be undone. */
export const listMerges = (db: Queryable, account_id: string, number: string) =>
  db.rows<PersonMerge>(sql`
    select ${columns} from ${withUser}
    where m.account_id = ${account_id} and m.number = ${number} and ${CAN_BE_UNDONE} order by m.id desc`);

export const findMerge = (db: Queryable, account_id: string, id: string) =>
  db.one<PersonMerge>(sql`select ${columns} from ${withUser} where m.account_id = ${account_id} and m.id = ${id}`);

export const lockMerge = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<{ before: Before }>(sql`
    select m.before from person_merges m
    where m.account_id = ${account_id} and m.id = ${id} and ${CAN_BE_UNDONE} for update`);

/** The contents are no longer needed. */
export const closeMerge = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update person_merges set undo_date = ${tx.now}, before = '{}'
    where account_id = ${account_id} and id = ${id}`);

export const deleteNumber = (tx: Tx, account_id: string, number: string) =>
  tx.run(sql`delete from person_numbers where account_id = ${account_id} and number = ${number}`);

/** The entries of the stop list for a number. */
export const stopIds = async (tx: Tx, account_id: string, number: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      sql`select id from stop_list where account_id = ${account_id} and number = ${number} order by id`,
    )
  ).map(({ id }) => id);
