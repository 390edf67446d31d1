/**
 * The contacts in an audience. Each number is in it at most once. Every change locks the audience's row first, so that
 * its count is exact at every commit and a concurrent import neither deadlocks nor misses the change.
 */
import {
  type Audience,
  audienceUpdated,
  type Contact,
  type ContactInput,
} from '@parley/contract/audiences/audiences.ts';
import type { ChannelIds } from '@parley/contract/audiences/person_facts.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Sql, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { selectPeople } from '../conditions/conditions.ts';
import { parseAddress, writeChannelIds } from '../people/channel_ids.ts';
import { type FactInput, readFacts, writeFacts } from '../people/facts.ts';
import { readAccountCountry } from '../phone_numbers/account_country.ts';
import * as queries from './queries.ts';

type Input = z.output<typeof ContactInput>;

export async function listContacts(
  db: Queryable,
  actor: Actor,
  audience_id: string,
  query: Parameters<typeof readPage>[0] & { filter?: { search?: string | undefined } | undefined },
): Promise<Paged<Contact>> {
  const page = readPage(query);
  const search = query.filter?.search ?? '';
  const audience = await queries.findAudience(db, actor.account_id, audience_id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  const contacts = await selectContacts(db, audience);
  const isStored = search === '' && audience.conditions === null;
  const [rows, total] = await Promise.all([
    queries.listContacts(db, contacts, search, page),
    isStored ? audience.contacts_count : queries.countContacts(db, contacts, search, page),
  ]);
  return paged(page, rows, total, (row) => row.id, isStored);
}

const selectContacts = async (db: Queryable, { account_id, id, conditions }: Audience): Promise<Sql> =>
  conditions
    ? queries.peopleAsContacts(id, await selectPeople(db, account_id, conditions, new Date()))
    : queries.ownContacts(account_id, id);

export async function createContact(tx: Tx, actor: Actor, audience_id: string, input: Input): Promise<Contact> {
  const country = await readAccountCountry(tx, actor.account_id);
  const parsed = await parseAddress(tx, actor.account_id, input.number, country);
  if (!parsed) throw new Problem('CONTACT_NUMBER_INVALID');
  const facts = await readFacts(tx, actor.account_id, input);
  await requireLocked(tx, actor, audience_id);
  const [inserted] = await queries.insertContacts(tx, actor.account_id, audience_id, [
    { ...input, id: newId(), number: parsed.number, country: parsed.country },
  ]);
  if (!inserted) throw new Problem('CONTACT_EXISTS');
  const [person] = await queries.listPeopleWithNumbers(tx, actor.account_id, [parsed.number]);
  await writeFacts(tx, person!, facts, 'add');
  await writeChannelIds(tx, person!, { ...input.channel_ids, ...parsed.channel_ids });
  await changeCount(tx, actor, audience_id, 1);
  return requireContact(tx, actor, audience_id, inserted.id);
}

export async function updateContact(
  tx: Tx,
  actor: Actor,
  ids: { id: string; contact_id: string },
  changes: { [K in 'first_name' | 'last_name' | 'custom1' | 'custom2']?: string | undefined } & FactInput & {
      channel_ids?: ChannelIds | undefined;
    },
): Promise<Contact> {
  const facts = await readFacts(tx, actor.account_id, changes);
  const audience = await requireLocked(tx, actor, ids.id);
  const contact = await requireContact(tx, actor, ids.id, ids.contact_id);
  const { tags: _, fields: __, language: ___, timezone: ____, channel_ids = {}, ...texts } = changes;
  const provided = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  await queries.updateContact(tx, { ...contact, ...provided });
  await writeFacts(tx, { account_id: actor.account_id, id: contact.person_id }, facts, 'replace');
  await writeChannelIds(tx, { ...contact, id: contact.person_id }, channel_ids);
  emit(tx, audienceUpdated, actor.account_id, audience);
  return requireContact(tx, actor, ids.id, ids.contact_id);
}

export async function getContact(
  db: Queryable,
  actor: Actor,
  ids: { id: string; contact_id: string },
): Promise<Contact> {
  const audience = await queries.findAudience(db, actor.account_id, ids.id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  const contact = await queries.findContact(db, await selectContacts(db, audience), ids.contact_id);
  if (!contact) throw new Problem('CONTACT_NOT_FOUND');
  return contact;
}

async function requireContact(db: Queryable, actor: Actor, audience_id: string, id: string): Promise<Contact> {
  const contact = await queries.findContact(db, queries.ownContacts(actor.account_id, audience_id), id);
  if (!contact) throw new Problem('CONTACT_NOT_FOUND');
  return contact;
}

export async function removeContact(tx: Tx, actor: Actor, ids: { id: string; contact_id: string }): Promise<void> {
  await requireLocked(tx, actor, ids.id);
  if (!(await queries.deleteContact(tx, actor.account_id, ids.id, ids.contact_id)))
    throw new Problem('CONTACT_NOT_FOUND');
  await changeCount(tx, actor, ids.id, -1);
}

async function requireLocked(tx: Tx, actor: Actor, audience_id: string): Promise<Audience> {
  const audience = await queries.lockAudience(tx, actor.account_id, audience_id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  if (audience.conditions) throw new Problem('AUDIENCE_IS_DYNAMIC');
  return audience;
}

async function changeCount(tx: Tx, actor: Actor, audience_id: string, added: number): Promise<void> {
  emit(tx, audienceUpdated, actor.account_id, await queries.addToCount(tx, actor.account_id, audience_id, added));
}
