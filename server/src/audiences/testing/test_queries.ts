import type { Audience, Contact, listAudiences, listContacts } from '@parley/contract/audiences/audiences.ts';
import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, prefixPattern, type Sorts } from '../../kernel/db/list.ts';

export interface TestAudienceFilter {
  search: string;
  name: string;
  channels: readonly string[];
}

const columns = raw(`
  id, account_id, name, channel, contacts_count, conditions, true as is_test, create_date, update_date`);

const matches = (account_id: string, { search, name, channels }: TestAudienceFilter): Sql =>
  and([
    sql`account_id = ${account_id}`,
    search !== '' && sql`name ilike ${likePattern(search)}`,
    name !== '' && sql`name ilike ${likePattern(name)}`,
    channels.length > 0 && sql`channel = any(${channels}::text[])`,
  ]);

const SORTS: Sorts<typeof listAudiences> = {
  name: 'lower(name)',
  contacts_count: 'contacts_count',
  create_date: 'id',
  update_date: 'update_date',
};

export const listTestAudiences = (db: Queryable, account_id: string, filter: TestAudienceFilter, page: Page) =>
  db.rows<Audience>(sql`
    select ${columns} from test_audiences where ${matches(account_id, filter)}
    order by ${orderBy(page, SORTS, 'id', 'id desc')} offset ${page.offset} limit ${page.size + 1}`);

export const countAudiences = async (db: Queryable, account_id: string, filter: TestAudienceFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from test_audiences where ${matches(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findTestAudience = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Audience>(sql`select ${columns} from test_audiences where account_id = ${account_id} and id = ${id}`);

export const listAudiencesById = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Audience>(sql`
    select ${columns} from test_audiences where account_id = ${account_id} and id = any(${ids}::uuid[]) order by id`);

/** Contacts and their count change only under this lock. */
export const lockAudience = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Audience>(sql`
    select ${columns} from test_audiences where account_id = ${account_id} and id = ${id} for update`);

/** Serializes the creation of audiences, so that their limit holds for simultaneous calls. */
export const lockAudiences = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`test audiences ${account_id}`}, 7))`);

export const insertAudience = (tx: Tx, row: Audience) =>
  tx.one<Audience>(sql`
    insert into test_audiences (account_id, id, name, channel, contacts_count, conditions, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.name}, ${row.channel}, ${row.contacts_count},
      ${row.conditions && JSON.stringify(row.conditions)}::jsonb, ${tx.now}, ${tx.now})
    returning ${columns}`);

export const renameAudience = (tx: Tx, account_id: string, id: string, name: string) =>
  tx.maybeOne<Audience>(sql`
    update test_audiences set name = ${name}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id} returning ${columns}`);

export const setConditions = (tx: Tx, account_id: string, id: string, conditions: Conditions, count: number) =>
  tx.run(sql`
    update test_audiences set conditions = ${JSON.stringify(conditions)}::jsonb, contacts_count = ${count},
      update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const addToCount = (tx: Tx, account_id: string, id: string, added: number) =>
  tx.run(sql`
    update test_audiences set contacts_count = contacts_count + ${added}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const isInUse = async (tx: Tx, account_id: string, id: string): Promise<boolean> =>
  (
    await tx.one<{ used: boolean }>(sql`
      select exists (
        select from test_campaigns where account_id = ${account_id} and ${id}::uuid = any(audience_ids)
          and run_date is null and status in ('in_progress', 'scheduled', 'paused')) as used`)
  ).used;

export async function deleteAudience(tx: Tx, account_id: string, id: string): Promise<void> {
  await tx.run(sql`delete from test_contacts where account_id = ${account_id} and audience_id = ${id}`);
  await tx.run(sql`delete from test_audiences where account_id = ${account_id} and id = ${id}`);
}

const CONTACT_SORTS: Sorts<typeof listContacts> = {
  number: 'number',
  first_name: `lower(contact ->> 'first_name')`,
  last_name: `lower(contact ->> 'last_name')`,
  create_date: 'id',
};

const searched = (search: string): Sql => {
  const digits = /^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : '';
  const name = sql`(contact ->> 'first_name') || ' ' || (contact ->> 'last_name') ilike ${likePattern(search)}`;
  return and([search !== '' && (digits === '' ? name : sql`(number like ${prefixPattern(digits)} or ${name})`)]);
};

/** The contacts that are stored in an audience. */
export const ownContacts = (account_id: string, audience_id: string): Sql => sql`
  select * from test_contacts where account_id = ${account_id} and audience_id = ${audience_id}`;

export const listTestContacts = async (db: Queryable, contacts: Sql, search: string, page: Page) =>
  toContacts(
    await db.rows<{ contact: Contact }>(sql`
      select contact from (${contacts}) k where ${searched(search)}
      order by ${orderBy(page, CONTACT_SORTS, 'id', 'id desc')} offset ${page.offset} limit ${page.size + 1}`),
  );

export const countContacts = async (db: Queryable, contacts: Sql, search: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from (${contacts}) k where ${searched(search)}`)).count;

export const findTestContact = async (db: Queryable, contacts: Sql, id: string) =>
  (await db.maybeOne<{ contact: Contact }>(sql`select contact from (${contacts}) k where id = ${id}`))?.contact ?? null;

export const listAllContacts = async (db: Queryable, account_id: string, audience_id: string) =>
  toContacts(
    await db.rows<{ contact: Contact }>(sql`
      select contact from test_contacts where account_id = ${account_id} and audience_id = ${audience_id} order by id`),
  );

const toContacts = (rows: readonly { contact: Contact }[]): Contact[] => rows.map(({ contact }) => contact);

/** Returns the number of inserted contacts. A number that the audience already has is left out. */
export const insertContacts = (tx: Tx, contacts: readonly Contact[]): Promise<number> =>
  tx.run(sql`
    insert into test_contacts (account_id, audience_id, id, number, contact)
    select (c ->> 'account_id')::uuid, (c ->> 'audience_id')::uuid, (c ->> 'id')::uuid, c ->> 'number', c
    from jsonb_array_elements(${JSON.stringify(contacts)}::jsonb) as c
    on conflict do nothing`);

export const updateContact = (tx: Tx, row: Contact) =>
  tx.run(sql`
    update test_contacts set contact = ${JSON.stringify(row)}::jsonb
    where account_id = ${row.account_id} and audience_id = ${row.audience_id} and id = ${row.id}`);

export const deleteContact = async (tx: Tx, account_id: string, audience_id: string, id: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from test_contacts where account_id = ${account_id} and audience_id = ${audience_id} and id = ${id}`)) > 0;
