import { isPersonId, type Person, type PersonDetail, plainNumber } from '@parley/contract/audiences/people.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { afterKey, CAP, likePattern, type Page, prefixPattern } from '../../kernel/db/list.ts';

/** The IDs of the person `p` by channel. */
export const CHANNEL_IDS = `select coalesce(jsonb_object_agg(n.channel, n.number), '{}') from person_numbers n
  where n.account_id = p.account_id and n.person_id = p.id and n.channel is not null`;

export const personColumns = raw(
  `p.id, p.account_id, p.number, p.country, p.first_name, p.last_name, p.custom1, p.custom2, p.tags, p.fields,
  p.language, p.timezone, (${CHANNEL_IDS}) as channel_ids, p.create_date, p.update_date`,
);

export interface PeopleFilter {
  search: string;
  tag: string;
}

/** Digits match the start of the number. Other text matches the full name. */
const conditions = (account_id: string, { search, tag }: PeopleFilter): Sql => {
  const digits = /^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : '';
  const name = sql`p.first_name || ' ' || p.last_name ilike ${likePattern(search)}`;
  return and([
    sql`p.account_id = ${account_id}`,
    search !== '' && (digits === '' ? name : sql`(p.number like ${prefixPattern(digits)} or ${name})`),
    tag !== '' && sql`p.tags @> array[${tag}]::text[]`,
  ]);
};

export const listPeople = (db: Queryable, account_id: string, filter: PeopleFilter, page: Page) =>
  db.rows<Person>(sql`
    select ${personColumns} from people p where ${conditions(account_id, filter)} and ${afterKey(page, 'p.id')}
    order by p.id desc offset ${page.offset} limit ${page.size + 1}`);

export const countPeople = async (db: Queryable, account_id: string, filter: PeopleFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from people p where ${conditions(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

/** Finds a person by ID or by number. */
export const findPerson = (db: Queryable, account_id: string, key: string) =>
  db.maybeOne<Person>(sql`
    select ${personColumns} from people p where p.account_id = ${account_id}
      and ${isPersonId(key) ? sql`p.id = ${key}` : hasNumber(account_id, plainNumber(key))}`);

/** A person's own number or one of the other numbers, unless there is a person with that number again. */
const hasNumber = (account_id: string, number: string): Sql => sql`p.number = coalesce(
  (select o.number from people o where o.account_id = ${account_id} and o.number = ${number}),
  (select o.number from person_numbers n join people o on o.account_id = n.account_id and o.id = n.person_id
   where n.account_id = ${account_id} and n.number = ${number}))`;

interface FurtherNumber {
  number: string;
  /** The channel of an ID; null for a number that came from a merge. */
  channel: string | null;
}

const listFurtherNumbers = (db: Queryable, { account_id, id }: Pick<Person, 'account_id' | 'id'>) =>
  db.rows<FurtherNumber>(sql`
    select number, channel from person_numbers where account_id = ${account_id} and person_id = ${id} order by number`);

/** The numbers of people who were merged into this one. */
export const listOtherNumbers = async (db: Queryable, person: Pick<Person, 'account_id' | 'id'>): Promise<string[]> =>
  (await listFurtherNumbers(db, person)).flatMap(({ number, channel }) => (channel === null ? [number] : []));

/** All numbers and IDs of the person who has this number; the number alone if there is no such person. */
export async function listAllNumbers(db: Queryable, account_id: string, number: string): Promise<string[]> {
  const person = await findPerson(db, account_id, number);
  if (!person) return [number];
  const further = await listFurtherNumbers(db, person);
  return [...new Set([person.number, ...further.map((row) => row.number)])];
}

/** True if the number came from a merge. */
export const isMerged = async (db: Queryable, account_id: string, number: string): Promise<boolean> =>
  (await db.maybeOne(sql`select from person_numbers where account_id = ${account_id} and number = ${number}`)) !== null;

export const lockPerson = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<Person>(sql`
    select ${personColumns} from people p where p.account_id = ${account_id} and p.id = ${id} for update`);

export const listPersonAudiences = (db: Queryable, { account_id, number }: Pick<Person, 'account_id' | 'number'>) =>
  db.rows<PersonDetail['audiences'][number]>(sql`
    select a.id, a.name, a.channel, k.id as contact_id
    from contacts k join audiences a on a.account_id = k.account_id and a.id = k.audience_id
    where k.account_id = ${account_id} and k.number = ${number} order by lower(a.name)`);

export const insertPerson = (
  tx: Tx,
  row: Pick<Person, 'account_id' | 'id' | 'number' | 'country' | 'first_name' | 'last_name' | 'custom1' | 'custom2'>,
) =>
  tx.maybeOne<Person>(sql`
    insert into people as p (account_id, id, number, country, first_name, last_name, custom1, custom2, create_date,
      update_date)
    values (${row.account_id}, ${row.id}, ${row.number}, ${row.country}, ${row.first_name}, ${row.last_name},
            ${row.custom1}, ${row.custom2}, ${tx.now}, ${tx.now})
    on conflict (account_id, number) do nothing returning ${personColumns}`);

export const updateFacts = (
  tx: Tx,
  row: Pick<Person, 'account_id' | 'id' | 'tags' | 'fields' | 'language' | 'timezone'>,
) =>
  tx.run(sql`
    update people set tags = ${row.tags}::text[], fields = ${JSON.stringify(row.fields)}::jsonb,
      language = ${row.language}, timezone = ${row.timezone}, update_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id}`);

/** Sets the texts of a person and of the person's contacts in all audiences. */
export async function updateTexts(
  tx: Tx,
  row: Pick<Person, 'account_id' | 'id' | 'number' | 'first_name' | 'last_name' | 'custom1' | 'custom2'>,
): Promise<void> {
  const texts = sql`first_name = ${row.first_name}, last_name = ${row.last_name}, custom1 = ${row.custom1},
    custom2 = ${row.custom2}, update_date = ${tx.now}`;
  await tx.run(sql`update contacts set ${texts} where account_id = ${row.account_id} and number = ${row.number}`);
  // The trigger on contacts ignores empty texts, so the person is set last.
  await tx.run(sql`update people set ${texts} where account_id = ${row.account_id} and id = ${row.id}`);
}
