/**
 * Dynamic test-key audiences. Their conditions are the same as for live audiences, evaluated only on test-key contacts
 * and messages: the tables that the conditions read are replaced by test data with the same columns.
 */
import type { Audience, Contact } from '@parley/contract/audiences/audiences.ts';
import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import { MAX_TEST_CONTACTS } from '@parley/contract/audiences/limits.ts';
import { type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { selectPeople } from '../conditions/conditions.ts';

/** A number is one person, with the facts of its latest contact. */
const people = (account_id: string): Sql => sql`
  select distinct on (t.number) t.account_id, t.id, t.number, t.contact ->> 'country' as country,
    t.contact ->> 'first_name' as first_name, t.contact ->> 'last_name' as last_name,
    t.contact ->> 'custom1' as custom1, t.contact ->> 'custom2' as custom2,
    array(select jsonb_array_elements_text(t.contact -> 'tags')) as tags, t.contact -> 'fields' as fields,
    t.contact ->> 'language' as language, t.contact ->> 'timezone' as timezone,
    (t.contact ->> 'create_date')::timestamp at time zone 'UTC' as create_date, t.contact
  from test_contacts t where t.account_id = ${account_id} order by t.number, t.id desc`;

/** Test messages have no replies, clicks, or consents, so conditions on them match no contact. */
const testData = (account_id: string): Sql => sql`
  people as (${people(account_id)}),
  contacts as (select account_id, audience_id, number from test_contacts where account_id = ${account_id}),
  messages as (
    select account_id, id, "to" as number, channel, status, 'MT' as direction, create_date
    from test_messages where account_id = ${account_id}
  ),
  consents as (
    select null::uuid as account_id, null::uuid as id, null::text as number, null::uuid as sender_id,
      null::text as channel, null::text as purpose, null::text as change, null::timestamptz as create_date
    where false
  ),
  link_clicks as (
    select null::uuid as account_id, null::text as number, null::text as kind, null::timestamptz as click_date
    where false
  )`;

const selectMatching = async (db: Queryable, account_id: string, conditions: Conditions): Promise<Sql> =>
  selectPeople(db, account_id, conditions, new Date(), 'test_audiences');

export async function countTestPeople(db: Queryable, account_id: string, conditions: Conditions): Promise<number> {
  const where = await selectMatching(db, account_id, conditions);
  return (
    await db.one<{ count: number }>(sql`
      with ${testData(account_id)} select count(*)::int as count from people p where ${where}`)
  ).count;
}

/** The contacts that match, as contacts of the dynamic audience. */
export async function selectTestPeople(
  db: Queryable,
  { account_id, id, conditions }: Pick<Audience, 'account_id' | 'id' | 'conditions'>,
): Promise<Sql> {
  const where = await selectMatching(db, account_id, conditions!);
  return sql`
    with ${testData(account_id)}
    select p.account_id, ${id}::uuid as audience_id, p.id, p.number,
      p.contact || jsonb_build_object('audience_id', ${id}::uuid) as contact
    from people p where ${where}`;
}

/** At most one more than a test-key campaign can have. */
export async function readTestPeople(
  db: Queryable,
  audience: Pick<Audience, 'account_id' | 'id' | 'conditions'>,
): Promise<Contact[]> {
  const rows = await db.rows<{ contact: Contact }>(sql`
    select contact from (${await selectTestPeople(db, audience)}) k order by id limit ${MAX_TEST_CONTACTS + 1}`);
  return rows.map(({ contact }) => contact);
}
