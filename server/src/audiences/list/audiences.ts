/** Lists of contacts. An audience that a campaign or an import still needs cannot be deleted. */
import {
  type Audience,
  audienceCreated,
  audienceDeleted,
  audienceUpdated,
  type createAudience as CreateAudience,
  type listAudiences as ListAudiences,
  type updateAudience as UpdateAudience,
} from '@parley/contract/audiences/audiences.ts';
import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import type { ChannelIds } from '@parley/contract/audiences/person_facts.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { countPeople, isUsedInConditions, requireConditions } from '../conditions/conditions.ts';
import { parseAddress, writeChannelIds } from '../people/channel_ids.ts';
import { type Facts, hasFacts, readFacts, writeFacts } from '../people/facts.ts';
import { readAccountCountry } from '../phone_numbers/account_country.ts';
import * as queries from './queries.ts';

export async function listAudiences(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof ListAudiences>['query'],
): Promise<Paged<Audience>> {
  const page = readPage(query);
  const filter = {
    search: query.filter?.search ?? '',
    name: query.filter?.name ?? '',
    channels: query.filter?.channel ?? [],
  };
  const [rows, total] = await Promise.all([
    queries.listAudiences(db, actor.account_id, filter, page),
    queries.countAudiences(db, actor.account_id, filter),
  ]);
  return paged(page, rows, total);
}

export async function getAudience(db: Queryable, actor: Actor, id: string): Promise<Audience> {
  const audience = await queries.findAudience(db, actor.account_id, id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  return audience;
}

/**
 * Creates an audience, of contacts or by conditions. If a number occurs in `contacts` more than once, its first entry
 * is used.
 */
export async function createAudience(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  { name, channel, contacts, conditions }: Parsed<typeof CreateAudience>['body'],
): Promise<Audience> {
  if (conditions) {
    if (contacts.length > 0) throw new Problem('AUDIENCE_IS_DYNAMIC', { field: 'contacts' });
    return createDynamic(tx, kernel, actor, { name, channel, conditions });
  }
  const country = await readAccountCountry(tx, actor.account_id);
  const contactsByNumber = new Map<string, queries.NewContact>();
  const factsByNumber = new Map<string, Facts & { path: string; channel_ids: ChannelIds }>();
  for (const [index, input] of contacts.entries()) {
    const parsed = await parseAddress(tx, actor.account_id, input.number, country);
    if (!parsed) throw new Problem('CONTACT_NUMBER_INVALID', { field: `contacts.${index}.number` });
    const facts = await readFacts(tx, actor.account_id, input, `contacts.${index}.`);
    if (contactsByNumber.has(parsed.number)) continue;
    contactsByNumber.set(parsed.number, { ...input, id: newId(), number: parsed.number, country: parsed.country });
    const channel_ids = { ...input.channel_ids, ...parsed.channel_ids };
    if (hasFacts(facts) || Object.keys(channel_ids).length > 0)
      factsByNumber.set(parsed.number, { ...facts, path: `contacts.${index}.`, channel_ids });
  }
  const id = newId();
  const audience = await insertAudience(tx, {
    account_id: actor.account_id,
    id,
    name,
    channel,
    contacts_count: contactsByNumber.size,
  });
  if (contactsByNumber.size > 0) await queries.insertContacts(tx, actor.account_id, id, [...contactsByNumber.values()]);
  if (factsByNumber.size > 0)
    for (const person of await queries.listPeopleWithNumbers(tx, actor.account_id, [...factsByNumber.keys()])) {
      const { path, channel_ids, ...facts } = factsByNumber.get(person.number)!;
      await writeFacts(tx, person, facts, 'add');
      await writeChannelIds(tx, person, channel_ids, path);
    }
  emit(tx, audienceCreated, actor.account_id, audience);
  return audience;
}

async function createDynamic(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  row: { name: string; channel: string; conditions: Conditions },
): Promise<Audience> {
  const { account_id } = actor;
  await requireConditions(tx, account_id, row.conditions);
  const { count } = await countPeople(kernel, actor, row.conditions);
  const audience = await insertAudience(tx, { ...row, account_id, id: newId(), contacts_count: count });
  emit(tx, audienceCreated, account_id, audience);
  return audience;
}

/**
 * Creates an audience of contacts whose numbers were checked before, such as a campaign's recipients. Its name is
 * followed by a number if it is taken. Returns null if there are no contacts.
 */
export async function createAudienceFrom(
  tx: Tx,
  { account_id, name, channel }: { account_id: string; name: string; channel: string },
  portions: AsyncIterable<readonly Omit<queries.NewContact, 'id'>[]>,
): Promise<Audience | null> {
  const id = newId();
  let free = name;
  for (let number = 2; await queries.isNameTaken(tx, account_id, free); number++) free = `${name} (${number})`;
  await insertAudience(tx, { account_id, id, name: free, channel, contacts_count: 0 });
  let count = 0;
  for await (const portion of portions) {
    const contacts = portion.map((contact) => ({ ...contact, id: newId() }));
    count += (await queries.insertContacts(tx, account_id, id, contacts)).length;
  }
  const audience = await queries.addToCount(tx, account_id, id, count);
  if (count === 0) {
    await queries.deleteAudience(tx, account_id, id);
    return null;
  }
  emit(tx, audienceCreated, account_id, audience);
  return audience;
}

/** Inserts an audience. If two requests use the same name at the same time, the second request fails. */
export async function insertAudience(tx: Tx, row: Parameters<typeof queries.insertAudience>[1]): Promise<Audience> {
  try {
    return await queries.insertAudience(tx, row);
  } catch (error) {
    if (violates(error, 'audiences_name')) throw new Problem('AUDIENCE_EXISTS');
    throw error;
  }
}

export async function updateAudience(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  id: string,
  { name, conditions }: Parsed<typeof UpdateAudience>['body'],
): Promise<Audience> {
  if (conditions) {
    const current = await queries.lockAudience(tx, actor.account_id, id);
    if (!current) throw new Problem('AUDIENCE_NOT_FOUND');
    if (!current.conditions) throw new Problem('AUDIENCE_IS_FIXED');
    await requireConditions(tx, actor.account_id, conditions);
    const { count } = await countPeople(kernel, actor, conditions);
    await queries.setConditions(tx, actor.account_id, id, conditions, count);
  }
  try {
    const audience = await queries.renameAudience(tx, actor.account_id, id, name);
    if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
    emit(tx, audienceUpdated, actor.account_id, audience);
    return audience;
  } catch (error) {
    if (violates(error, 'audiences_name')) throw new Problem('AUDIENCE_EXISTS');
    throw error;
  }
}

export async function removeAudience(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await queries.lockAudience(tx, actor.account_id, id))) throw new Problem('AUDIENCE_NOT_FOUND');
  if (await queries.isInUse(tx, actor.account_id, id)) throw new Problem('AUDIENCE_IN_USE');
  if (await isUsedInConditions(tx, actor.account_id, id)) throw new Problem('AUDIENCE_IN_CONDITIONS');
  if (await queries.hasOptInForm(tx, actor.account_id, id)) throw new Problem('AUDIENCE_HAS_OPT_IN_FORM');
  await queries.deleteContacts(tx, actor.account_id, id);
  await queries.deleteAudience(tx, actor.account_id, id);
  emit(tx, audienceDeleted, actor.account_id, { id });
}
