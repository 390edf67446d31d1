import type {
  Audience,
  listAudiences as audienceList,
  Contact,
  listContacts as contactList,
} from '@parley/contract/audiences/audiences.ts';
import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import type { Person } from '@parley/contract/audiences/people.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { afterKey, CAP, likePattern, orderBy, type Page, prefixPattern, type Sorts } from '../../kernel/db/list.ts';
import { CHANNEL_IDS } from '../people/queries.ts';

const audienceColumns = raw('id, account_id, name, channel, contacts_count, conditions, create_date, update_date');
const contactColumns = raw(
  `k.id, k.account_id, k.audience_id, k.number, k.country, k.first_name, k.last_name, k.custom1, k.custom2,
  coalesce(p.id, k.id) as person_id, coalesce(p.tags, '{}') as tags, coalesce(p.fields, '{}') as fields,
  coalesce(p.language, '') as language, coalesce(p.timezone, '') as timezone, (${CHANNEL_IDS}) as channel_ids,
  k.create_date, k.update_date`,
);
/** A contact from before people existed has no person until the job has stored one. */
const withPerson = raw('left join people p on p.account_id = k.account_id and p.number = k.number');

interface AudienceFilter {
  search: string;
  name: string;
  channels: readonly string[];
}

const audienceConditions = (account_id: string, { search, name, channels }: AudienceFilter) =>
  and([
    sql`account_id = ${account_id}`,
    search !== '' && sql`name ilike ${likePattern(search)}`,
    name !== '' && sql`name ilike ${likePattern(name)}`,
    channels.length > 0 && sql`channel = any(${channels}::text[])`,
  ]);

const AUDIENCE_SORTS: Sorts<typeof audienceList> = {
  name: 'lower(name)',
  contacts_count: 'contacts_count',
  create_date: 'id',
  update_date: 'update_date',
};

export const listAudiences = (db: Queryable, account_id: string, filter: AudienceFilter, page: Page) =>
  db.rows<Audience>(sql`
    select ${audienceColumns} from audiences where ${audienceConditions(account_id, filter)}
    order by ${orderBy(page, AUDIENCE_SORTS, 'id', 'id desc')} offset ${page.offset} limit ${page.size + 1}`);

export const countAudiences = async (db: Queryable, account_id: string, filter: AudienceFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from audiences where ${audienceConditions(account_id, filter)}
        limit ${CAP + 1}) capped`)
  ).count;

export const findAudience = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Audience>(sql`select ${audienceColumns} from audiences where account_id = ${account_id} and id = ${id}`);

/** Locks an audience. Its contacts and their count may change only under this lock. */
export const lockAudience = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Audience>(
    sql`select ${audienceColumns} from audiences where account_id = ${account_id} and id = ${id} for update`,
  );

export const isNameTaken = async (db: Queryable, account_id: string, name: string): Promise<boolean> =>
  (await db.maybeOne(
    sql`select 1 from audiences where account_id = ${account_id} and lower(name) = lower(${name})`,
  )) !== null;

export const insertAudience = (
  tx: Tx,
  row: Pick<Audience, 'account_id' | 'id' | 'name' | 'channel' | 'contacts_count'> & { conditions?: Conditions | null },
) =>
  tx.one<Audience>(sql`
    insert into audiences (account_id, id, name, channel, contacts_count, conditions, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.name}, ${row.channel}, ${row.contacts_count},
            ${row.conditions ? JSON.stringify(row.conditions) : null}::jsonb, ${tx.now}, ${tx.now})
    returning ${audienceColumns}`);

export const setConditions = (tx: Tx, account_id: string, id: string, conditions: Conditions, count: number) =>
  tx.run(sql`
    update audiences set conditions = ${JSON.stringify(conditions)}::jsonb, contacts_count = ${count}
    where account_id = ${account_id} and id = ${id}`);

export const renameAudience = (tx: Tx, account_id: string, id: string, name: string) =>
  tx.maybeOne<Audience>(sql`
    update audiences set name = ${name}, update_date = ${tx.now} where account_id = ${account_id} and id = ${id}
    returning ${audienceColumns}`);

export const addToCount = (tx: Tx, account_id: string, id: string, added: number) =>
  tx.one<Audience>(sql`
    update audiences set contacts_count = contacts_count + ${added}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} returning ${audienceColumns}`);

export const deleteAudience = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from audiences where account_id = ${account_id} and id = ${id}`);

export const deleteContacts = (tx: Tx, account_id: string, audience_id: string) =>
  tx.run(sql`delete from contacts where account_id = ${account_id} and audience_id = ${audience_id}`);

/**
 * True if a campaign or a running import still needs the audience. A scheduled or paused campaign may not have read its
 * recipients yet.
 */
export const isInUse = async (tx: Tx, account_id: string, audience_id: string): Promise<boolean> =>
  (
    await tx.one<{ used: boolean }>(sql`
      select exists (select 1 from campaigns where account_id = ${account_id}
                     and ${audience_id}::uuid = any(audience_id || audience_ids || excluded_audience_ids)
                     and status in ('in_progress', 'scheduled', 'paused'))
          or exists (select 1 from audience_imports where account_id = ${account_id} and audience_id = ${audience_id}
                     and status = 'running') as used`)
  ).used;

export const hasOptInForm = async (tx: Tx, account_id: string, audience_id: string): Promise<boolean> =>
  (await tx.maybeOne(
    sql`select from opt_in_forms where account_id = ${account_id} and audience_id = ${audience_id} limit 1`,
  )) !== null;

// Contacts ------------------------------------------------------------------------------------------------------------

/** The people of a dynamic audience that match a condition on `people p`, as contacts. */
export const peopleAsContacts = (audience_id: string, where: Sql): Sql => sql`
  select p.id, p.account_id, ${audience_id}::uuid as audience_id, p.number, p.country, p.first_name, p.last_name,
    p.custom1, p.custom2, p.create_date, p.update_date
  from people p where ${where}`;

/** The contacts that are stored in an audience. */
export const ownContacts = (account_id: string, audience_id: string): Sql => sql`
  select * from contacts where account_id = ${account_id} and audience_id = ${audience_id}`;

/**
 * Digits match the start of the number. Other text matches the full name, so "John Smith" matches across both names.
 */
const searchCondition = (search: string): Sql => {
  const digits = /^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : '';
  return and([
    search !== '' &&
      (digits !== ''
        ? sql`(k.number like ${prefixPattern(digits)}
               or k.first_name || ' ' || k.last_name ilike ${likePattern(search)})`
        : sql`k.first_name || ' ' || k.last_name ilike ${likePattern(search)}`),
  ]);
};

const CONTACT_SORTS: Sorts<typeof contactList> = {
  number: { digits: 'k.number' },
  first_name: 'lower(k.first_name)',
  last_name: 'lower(k.last_name)',
  create_date: 'k.id',
};

export const listContacts = (db: Queryable, contacts: Sql, search: string, page: Page) =>
  db.rows<Contact>(sql`
    select ${contactColumns} from (
      select * from (${contacts}) k where ${searchCondition(search)} and ${afterKey(page, 'k.id')}
      order by ${orderBy(page, CONTACT_SORTS, 'k.id', 'k.id desc')} offset ${page.offset} limit ${page.size + 1}
    ) k ${withPerson}
    order by ${orderBy(page, CONTACT_SORTS, 'k.id', 'k.id desc')}`);

export const countContacts = async (db: Queryable, contacts: Sql, search: string, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from (${contacts}) k where ${searchCondition(search)} limit ${page.count_limit}) capped`)
  ).count;

export interface NewContact {
  id: string;
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
}

/** Inserts the contacts whose numbers are not yet in the audience, and returns their IDs. */
export const insertContacts = (tx: Tx, account_id: string, audience_id: string, contacts: readonly NewContact[]) => {
  const column = (name: keyof NewContact) => contacts.map((contact) => contact[name]);
  return tx.rows<{ id: string }>(sql`
    insert into contacts (account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2,
      create_date, update_date)
    select ${account_id}::uuid, ${audience_id}::uuid, c.*, ${tx.now}, ${tx.now}
    from unnest(${column('id')}::uuid[], ${column('number')}::text[], ${column('country')}::text[],
                ${column('first_name')}::text[], ${column('last_name')}::text[], ${column('custom1')}::text[],
                ${column('custom2')}::text[]) as c
    on conflict (account_id, audience_id, number) do nothing
    returning id`);
};

export const findContact = (db: Queryable, contacts: Sql, id: string) =>
  db.maybeOne<Contact>(sql`select ${contactColumns} from (${contacts}) k ${withPerson} where k.id = ${id}`);

export const updateContact = (tx: Tx, row: Contact) =>
  tx.run(sql`
    update contacts set first_name = ${row.first_name}, last_name = ${row.last_name}, custom1 = ${row.custom1},
                        custom2 = ${row.custom2}, update_date = ${tx.now}
    where account_id = ${row.account_id} and audience_id = ${row.audience_id} and id = ${row.id}`);

/** Sets the names that are not empty. */
export const replaceNames = (
  tx: Tx,
  row: Pick<Contact, 'account_id' | 'audience_id' | 'number' | 'first_name' | 'last_name'>,
) =>
  tx.run(sql`
    update contacts set first_name = coalesce(nullif(${row.first_name}, ''), first_name),
      last_name = coalesce(nullif(${row.last_name}, ''), last_name), update_date = ${tx.now}
    where account_id = ${row.account_id} and audience_id = ${row.audience_id} and number = ${row.number}`);

/** The people with these numbers. */
export const listPeopleWithNumbers = (db: Queryable, account_id: string, numbers: readonly string[]) =>
  db.rows<Pick<Person, 'account_id' | 'id' | 'number' | 'channel_ids'>>(sql`
    select p.account_id, p.id, p.number, (${raw(CHANNEL_IDS)}) as channel_ids
    from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select account_id, id, number from people where account_id = ${account_id} and number = n.number offset 0
    ) p
    order by p.number`);

export const deleteContact = async (tx: Tx, account_id: string, audience_id: string, id: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from contacts where account_id = ${account_id} and audience_id = ${audience_id} and id = ${id}`)) > 0;
