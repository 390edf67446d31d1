/**
 * Test-key audiences. They follow the rules of live audiences, but have their own tables, so that their
 * contacts are not people of the account (decision 123).
 */
import type {
  Audience,
  Contact,
  ContactInput,
  createAudience,
  listAudiences,
  updateAudience,
} from '@parley/contract/audiences/audiences.ts';
import { MAX_TAGS, MAX_TEST_AUDIENCES, MAX_TEST_CONTACTS } from '@parley/contract/audiences/limits.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Sql, sql, type Tx, violates } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { isUsedInConditions, requireConditions } from '../conditions/conditions.ts';
import { insertContacts } from '../list/queries.ts';
import { addTags, type FactInput, readFacts } from '../people/facts.ts';
import { readAccountCountry } from '../phone_numbers/account_country.ts';
import { parseNumber } from '../phone_numbers/number.ts';
import { countTestPeople, readTestPeople, selectTestPeople } from './dynamic.ts';
import * as queries from './test_queries.ts';

type Input = z.output<typeof ContactInput>;
type Texts = { [K in 'first_name' | 'last_name' | 'custom1' | 'custom2']?: string | undefined };

export async function listTestAudiences(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listAudiences>['query'],
): Promise<Paged<Audience>> {
  const page = readPage(query);
  const { search = '', name = '', channel = [] } = query.filter ?? {};
  const filter = { search, name, channels: channel };
  const [rows, total] = await runTogether(
    queries.listTestAudiences(db, account_id, filter, page),
    queries.countAudiences(db, account_id, filter),
  );
  return paged(page, rows, total);
}

export async function getTestAudience(db: Queryable, { account_id }: Actor, id: string): Promise<Audience> {
  const audience = await queries.findTestAudience(db, account_id, id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  return audience;
}

export async function createTestAudience(
  tx: Tx,
  actor: Actor,
  { name, channel, contacts, conditions }: Parsed<typeof createAudience>['body'],
): Promise<Audience> {
  const { account_id } = actor;
  if (conditions && contacts.length > 0) throw new Problem('AUDIENCE_IS_DYNAMIC', { field: 'contacts' });
  await queries.lockAudiences(tx, account_id);
  if ((await queries.countAudiences(tx, account_id, ALL)) >= MAX_TEST_AUDIENCES) throw new Problem('TEST_DATA_FULL');
  const id = newId();
  const country = await readAccountCountry(tx, account_id);
  const byNumber = new Map<string, Contact>();
  for (const [index, input] of contacts.entries()) {
    const contact = await readContact(tx, { account_id, id }, country, input, `contacts.${index}.`);
    if (!byNumber.has(contact.number)) byNumber.set(contact.number, contact);
  }
  if (conditions) await requireConditions(tx, account_id, conditions, 'test_audiences');
  const contacts_count = conditions ? await countTestPeople(tx, account_id, conditions) : byNumber.size;
  const row = { account_id, id, name, channel, contacts_count, conditions };
  const audience = await rejectSameName(() =>
    queries.insertAudience(tx, { ...row, create_date: '', update_date: '', is_test: true }),
  );
  await queries.insertContacts(tx, [...byNumber.values()]);
  return audience;
}

const ALL: queries.TestAudienceFilter = { search: '', name: '', channels: [] };

async function rejectSameName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violates(error, 'test_audiences_name')) throw new Problem('AUDIENCE_EXISTS');
    throw error;
  }
}

export async function updateTestAudience(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  { name, conditions }: Parsed<typeof updateAudience>['body'],
): Promise<Audience> {
  if (conditions) {
    const current = await queries.lockAudience(tx, account_id, id);
    if (!current) throw new Problem('AUDIENCE_NOT_FOUND');
    if (!current.conditions) throw new Problem('AUDIENCE_IS_FIXED');
    await requireConditions(tx, account_id, conditions, 'test_audiences');
    const count = await countTestPeople(tx, account_id, conditions);
    await queries.setConditions(tx, account_id, id, conditions, count);
  }
  const audience = await rejectSameName(() => queries.renameAudience(tx, account_id, id, name));
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  return audience;
}

export async function removeTestAudience(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if (!(await queries.lockAudience(tx, account_id, id))) throw new Problem('AUDIENCE_NOT_FOUND');
  if (await queries.isInUse(tx, account_id, id)) throw new Problem('AUDIENCE_IN_USE');
  if (await isUsedInConditions(tx, account_id, id, 'test_audiences')) throw new Problem('AUDIENCE_IN_CONDITIONS');
  await queries.deleteAudience(tx, account_id, id);
}

export async function listTestContacts(
  db: Queryable,
  actor: Actor,
  id: string,
  query: Parameters<typeof readPage>[0] & { filter?: { search?: string | undefined } | undefined },
): Promise<Paged<Contact>> {
  const page = readPage(query, 'number');
  const contacts = await selectContacts(db, await getTestAudience(db, actor, id));
  const search = query.filter?.search ?? '';
  const [rows, total] = await runTogether(
    queries.listTestContacts(db, contacts, search, page),
    queries.countContacts(db, contacts, search),
  );
  return paged(page, rows, total);
}

const selectContacts = (db: Queryable, audience: Audience): Sql | Promise<Sql> =>
  audience.conditions ? selectTestPeople(db, audience) : queries.ownContacts(audience.account_id, audience.id);

interface ContactKey {
  id: string;
  contact_id: string;
}

export async function getTestContact(db: Queryable, actor: Actor, { id, contact_id }: ContactKey): Promise<Contact> {
  const contacts = await selectContacts(db, await getTestAudience(db, actor, id));
  const contact = await queries.findTestContact(db, contacts, contact_id);
  if (!contact) throw new Problem('CONTACT_NOT_FOUND');
  return contact;
}

export async function createTestContact(tx: Tx, { account_id }: Actor, id: string, input: Input): Promise<Contact> {
  const contact = await readContact(tx, { account_id, id }, await readAccountCountry(tx, account_id), input, '');
  const audience = await requireLocked(tx, account_id, id);
  if (audience.contacts_count >= MAX_TEST_CONTACTS) throw new Problem('TEST_DATA_FULL');
  if ((await queries.insertContacts(tx, [contact])) === 0) throw new Problem('CONTACT_EXISTS');
  await queries.addToCount(tx, account_id, id, 1);
  return contact;
}

export async function updateTestContact(
  tx: Tx,
  actor: Actor,
  key: ContactKey,
  { first_name, last_name, custom1, custom2, ...given }: Texts & FactInput,
): Promise<Contact> {
  const { account_id } = actor;
  const facts = await readFacts(tx, account_id, given);
  await requireLocked(tx, account_id, key.id);
  const before = await getTestContact(tx, actor, key);
  const texts = { first_name, last_name, custom1, custom2 };
  const changed = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  const fields = { ...before.fields, ...facts.set };
  for (const removed of facts.removed) delete fields[removed];
  const after: Contact = {
    ...{ ...before, ...changed, fields },
    tags: [...(facts.tags ?? before.tags)],
    language: facts.language ?? before.language,
    timezone: facts.timezone ?? before.timezone,
    update_date: wireTime(tx.now),
  };
  await queries.updateContact(tx, after);
  return after;
}

export async function removeTestContact(tx: Tx, { account_id }: Actor, { id, contact_id }: ContactKey): Promise<void> {
  await requireLocked(tx, account_id, id);
  if (!(await queries.deleteContact(tx, account_id, id, contact_id))) throw new Problem('CONTACT_NOT_FOUND');
  await queries.addToCount(tx, account_id, id, -1);
}

async function requireLocked(tx: Tx, account_id: string, id: string): Promise<Audience> {
  const audience = await queries.lockAudience(tx, account_id, id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  if (audience.conditions) throw new Problem('AUDIENCE_IS_DYNAMIC');
  return audience;
}

const wireTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

async function readContact(
  tx: Tx,
  audience: Pick<Audience, 'account_id' | 'id'>,
  country: string,
  input: Input,
  path: string,
): Promise<Contact> {
  const parsed = parseNumber(input.number, country);
  if (!parsed) throw new Problem('CONTACT_NUMBER_INVALID', { field: `${path}number` });
  const facts = await readFacts(tx, audience.account_id, input, path);
  const tags = addTags([], facts.tags ?? []);
  if (tags.length > MAX_TAGS) throw new Problem('TAGS_LIMIT_EXCEEDED', { field: `${path}tags` });
  const id = newId();
  const { first_name, last_name, custom1, custom2 } = input;
  return {
    ...{ id, account_id: audience.account_id, audience_id: audience.id, number: parsed.number },
    ...{ country: parsed.country, first_name, last_name, custom1, custom2, person_id: id, tags },
    ...{
      fields: facts.set,
      language: facts.language ?? '',
      timezone: facts.timezone ?? '',
      channel_ids: {},
      is_test: true,
    },
    ...{ create_date: wireTime(tx.now), update_date: wireTime(tx.now) },
  };
}

/** Throws CAMPAIGN_AUDIENCE_INVALID if one of them is not a test audience. */
export async function requireTestAudiences(
  db: Queryable,
  account_id: string,
  ids: readonly string[],
): Promise<Audience[]> {
  const audiences = await queries.listAudiencesById(db, account_id, ids);
  if (audiences.length < new Set(ids).size) throw new Problem('CAMPAIGN_AUDIENCE_INVALID');
  return audiences;
}

/**
 * Writes test audiences into the tables of live ones, in a transaction that undoes it. Their names are IDs there,
 * because live audiences may have the same names. A dynamic audience becomes a list of its present people.
 */
export async function lendTestAudiences(trial: Tx, account_id: string, audiences: readonly Audience[]): Promise<void> {
  for (const audience of audiences) {
    const { id, channel, conditions } = audience;
    const contacts = conditions
      ? await readTestPeople(trial, audience)
      : await queries.listAllContacts(trial, account_id, id);
    await trial.run(sql`
      insert into audiences (account_id, id, name, channel, contacts_count)
      values (${account_id}, ${id}, ${id}, ${channel}, ${contacts.length})`);
    if (contacts.length === 0) continue;
    await insertContacts(trial, account_id, id, contacts);
    await trial.run(sql`
      update people p set tags = array(select jsonb_array_elements_text(c -> 'tags')), fields = c -> 'fields',
        language = c ->> 'language', timezone = c ->> 'timezone'
      from jsonb_array_elements(${JSON.stringify(contacts)}::jsonb) as c
      where p.account_id = ${account_id} and p.number = c ->> 'number'`);
  }
}

/** Deletes audiences that did not change for a while, unless a campaign still needs them. */
export const deleteOldTestAudiences = (tx: Tx, account_id: string, days: number): Promise<number> =>
  tx.run(sql`
    with old as (
      delete from test_audiences a
      where a.account_id = ${account_id} and a.update_date < now() - make_interval(days => ${days})
        and not exists (
          select from test_campaigns c where c.account_id = a.account_id and a.id = any(c.audience_ids))
        and not exists (
          select from test_audiences d where d.account_id = a.account_id and d.conditions is not null
            and strpos(lower(d.conditions::text), a.id::text) > 0)
      returning a.id
    )
    delete from test_contacts k using old where k.account_id = ${account_id} and k.audience_id = old.id`);
