/**
 * People. A number has one person in an account, and so has an ID on a channel. Every contact has a person: triggers of
 * the database keep them together, regardless of the writer. Changing a person changes the texts in all audiences.
 */
import {
  type createPerson as CreatePerson,
  type listPeople as ListPeople,
  type Person,
  type PersonDetail,
  personChanged,
  type updatePerson as UpdatePerson,
} from '@parley/contract/audiences/people.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { readAccountCountry } from '../phone_numbers/account_country.ts';
import { parseAddress, writeChannelIds } from './channel_ids.ts';
import { readFacts, writeFacts } from './facts.ts';
import * as queries from './queries.ts';

const NO_TEXTS = { first_name: '', last_name: '', custom1: '', custom2: '' };

export async function listPeople(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof ListPeople>['query'],
): Promise<Paged<Person>> {
  const page = readPage(query);
  const filter = { search: query.filter?.search ?? '', tag: query.filter?.tag ?? '' };
  const [rows, total] = await runTogether(
    queries.listPeople(db, account_id, filter, page),
    queries.countPeople(db, account_id, filter),
  );
  return paged(page, rows, total, (row) => row.id, filter.search === '' && filter.tag === '');
}

export async function getPerson(db: Queryable, { account_id }: Actor, key: string): Promise<PersonDetail> {
  const person = await requirePerson(db, account_id, key);
  const [audiences, other_numbers] = await runTogether(
    queries.listPersonAudiences(db, person),
    queries.listOtherNumbers(db, person),
  );
  return { ...person, audiences, other_numbers };
}

export async function requirePerson(db: Queryable, account_id: string, key: string): Promise<Person> {
  const person = await queries.findPerson(db, account_id, key);
  if (!person) throw new Problem('PERSON_NOT_FOUND');
  return person;
}

export async function createPerson(
  tx: Tx,
  actor: Actor,
  body: Parsed<typeof CreatePerson>['body'],
): Promise<PersonDetail> {
  const { account_id } = actor;
  const parsed = await parseAddress(tx, account_id, body.number, await readAccountCountry(tx, account_id));
  if (!parsed) throw new Problem('CONTACT_NUMBER_INVALID');
  const facts = await readFacts(tx, account_id, body);
  const { first_name = '', last_name = '', custom1 = '', custom2 = '' } = body;
  const texts = { ...NO_TEXTS, first_name, last_name, custom1, custom2 };
  const { number, country } = parsed;
  const person = await queries.insertPerson(tx, { account_id, id: newId(), number, country, ...texts });
  if (!person) throw new Problem('PERSON_EXISTS');
  await writeFacts(tx, person, facts, 'replace');
  await writeChannelIds(tx, person, { ...body.channel_ids, ...parsed.channel_ids });
  emit(tx, personChanged, account_id, { id: person.id, number });
  return getPerson(tx, actor, person.id);
}

export async function updatePerson(
  tx: Tx,
  actor: Actor,
  key: string,
  body: Parsed<typeof UpdatePerson>['body'],
): Promise<PersonDetail> {
  const { account_id } = actor;
  const person = await requirePerson(tx, account_id, key);
  const facts = await readFacts(tx, account_id, body);
  const { first_name, last_name, custom1, custom2 } = body;
  const texts = Object.entries({ first_name, last_name, custom1, custom2 }).filter(([, value]) => value !== undefined);
  if (texts.length > 0) await queries.updateTexts(tx, { ...person, ...Object.fromEntries(texts) });
  await writeFacts(tx, person, facts, 'replace');
  await writeChannelIds(tx, person, body.channel_ids ?? {});
  emit(tx, personChanged, account_id, { id: person.id, number: person.number });
  return getPerson(tx, actor, person.id);
}
