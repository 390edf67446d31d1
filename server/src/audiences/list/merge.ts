/**
 * Merges two people into one. The merged person's contacts get the number of the person who stays, and their number
 * becomes another number of that person. Messages, consents, and conversations belong to numbers and never change,
 * and the person has those of all numbers. One transaction does everything, so a crash leaves nothing half done.
 */
import { audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import type { createMerge as CreateMerge, PersonMerge } from '@parley/contract/audiences/merges.ts';
import { type Person, personChanged } from '@parley/contract/audiences/people.ts';
import { idChannel, showNumber } from '@parley/contract/channels/person_ids.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { addTags, readFacts, writeFacts } from '../people/facts.ts';
import { requirePerson } from '../people/people.ts';
import { updateTexts } from '../people/queries.ts';
import { copyNumberStops } from '../stop_list/queries.ts';
import { removeStopListEntry } from '../stop_list/stop_list.ts';
import * as queries from './merge_queries.ts';
import { addToCount } from './queries.ts';

export const listDuplicates = async (db: Queryable, { account_id }: Actor, key: string): Promise<Person[]> =>
  queries.listSameName(db, await requirePerson(db, account_id, key));

export const listMerges = async (db: Queryable, { account_id }: Actor, key: string): Promise<PersonMerge[]> =>
  queries.listMerges(db, account_id, (await requirePerson(db, account_id, key)).number);

export async function createMerge(
  ctx: Ctx,
  key: string,
  body: Parsed<typeof CreateMerge>['body'],
): Promise<PersonMerge> {
  const { tx, actor } = ctx;
  const { account_id, user_id } = actor;
  const { kept, merged } = await lockBoth(tx, account_id, key, body.person);
  const chosen = body.values;
  await readFacts(tx, account_id, chosen, 'values.');
  const result = combine(kept, merged, chosen);
  const removed = await queries.removeContacts(tx, account_id, merged.number, kept.number);
  const moved = await queries.moveContact(tx, account_id, merged.number, kept);
  await queries.replacePerson(tx, merged, kept.id);
  await store(tx, kept, result);
  const stops = new Set(await queries.stopIds(tx, account_id, kept.number));
  // The contacts that moved must not bring messages to a person who has opted out on the other number.
  await copyNumberStops(tx, account_id, merged.number, kept.number);
  const stop_ids = (await queries.stopIds(tx, account_id, kept.number)).filter((id) => !stops.has(id));
  const id = newId();
  await queries.insertMerge(tx, {
    account_id,
    id,
    user_id,
    before: { kept, merged, result, moved, removed, stop_ids },
  });
  await countContacts(tx, account_id, removed, -1);
  await countContacts(tx, account_id, moved, 0);
  const target = { type: 'person', id: kept.id, name: showNumber(kept.number) };
  record(tx, ctx, { action: 'person.merged', target, detail: { merged: showNumber(merged.number) } });
  announce(tx, kept, merged);
  return queries.findMerge(tx, account_id, id);
}

/** Every writer of contacts locks the audiences first. */
async function lockBoth(tx: Tx, account_id: string, key: string, other_key: string) {
  const [one, other] = [
    await requirePerson(tx, account_id, key),
    await requirePerson(tx, account_id, other_key).catch((error: unknown) => {
      throw error instanceof Problem ? new Problem(error.name, { field: 'person' }) : error;
    }),
  ];
  if (one.id === other.id) throw new Problem('PERSON_MERGE_SAME');
  await requireQuiet(tx, account_id, [one.number, other.number]);
  const locked = await queries.lockPeople(tx, account_id, [one.id, other.id]);
  const kept = locked.find(({ id }) => id === one.id);
  const merged = locked.find(({ id }) => id === other.id);
  // Another merge committed first.
  if (!kept || !merged) throw new Problem('PERSON_NOT_FOUND');
  if (idChannel(kept.number) && !idChannel(merged.number)) throw new Problem('PERSON_MERGE_NEEDS_NUMBER');
  return { kept, merged };
}

async function requireQuiet(tx: Tx, account_id: string, numbers: readonly string[]): Promise<void> {
  const audiences = await queries.lockAudiences(tx, account_id, numbers);
  const ids = audiences.map(({ id }) => id);
  if (await queries.hasRunningCampaign(tx, account_id, ids)) throw new Problem('PERSON_MERGE_CAMPAIGN_RUNNING');
  if (await queries.isBeingErased(tx, account_id, numbers)) throw new Problem('PERSON_MERGE_ERASING');
}

type Result = queries.Before['result'];

function combine(kept: Person, merged: Person, chosen: Parsed<typeof CreateMerge>['body']['values']): Result {
  const text = (name: Exclude<queries.Values, 'tags' | 'fields'>) => chosen[name] ?? (kept[name] || merged[name]);
  const fields: Person['fields'] = { ...merged.fields, ...kept.fields };
  for (const [key, value] of Object.entries(chosen.fields ?? {})) {
    if (value === null || value === '') delete fields[key];
    else fields[key] = value;
  }
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    custom1: text('custom1'),
    custom2: text('custom2'),
    language: text('language'),
    timezone: text('timezone'),
    tags: [...(chosen.tags ?? addTags(kept.tags, merged.tags))],
    fields,
  };
}

/** Stores all values of a person. Fields that it does not have are removed. */
async function store(tx: Tx, person: Person, { tags, fields, language, timezone, ...texts }: Result): Promise<void> {
  const { account_id, id } = person;
  await updateTexts(tx, { ...person, ...texts });
  const removed = Object.keys(person.fields).filter((key) => !(key in fields));
  await writeFacts(tx, { account_id, id }, { tags, set: { ...fields }, removed, language, timezone }, 'replace');
}

async function countContacts(tx: Tx, account_id: string, rows: readonly queries.ContactRow[], added: number) {
  for (const { audience_id } of rows)
    emit(tx, audienceUpdated, account_id, await addToCount(tx, account_id, audience_id, added));
}

function announce(tx: Tx, ...people: readonly Person[]): void {
  for (const { account_id, id, number } of people) emit(tx, personChanged, account_id, { id, number });
}

/** A value that has changed since the merge stays, and so does a contact that has changed its place. */
export async function undoMerge(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const merge = await queries.lockMerge(tx, account_id, id);
  if (!merge) throw new Problem('PERSON_MERGE_NOT_FOUND');
  const { kept, merged, result, moved, removed, stop_ids } = merge.before;
  await requireQuiet(tx, account_id, [kept.number, merged.number]);
  const [now] = await queries.lockPeople(tx, account_id, [kept.id]);
  await queries.deleteNumber(tx, account_id, merged.number);
  await queries.restorePerson(tx, merged, kept.id);
  for (const row of moved) await queries.moveBack(tx, account_id, row, merged, kept.number);
  for (const row of removed)
    if (await queries.addBack(tx, account_id, row)) await countContacts(tx, account_id, [row], 1);
  if (now) await store(tx, now, before(now, kept, result));
  const present = new Set(await queries.stopIds(tx, account_id, kept.number));
  for (const stop_id of stop_ids) if (present.has(stop_id)) await removeStopListEntry(tx, actor, stop_id);
  await queries.closeMerge(tx, account_id, id);
  const target = { type: 'person', id: kept.id, name: showNumber(kept.number) };
  record(tx, ctx, { action: 'person.unmerged', target, detail: { merged: showNumber(merged.number) } });
  announce(tx, kept, merged);
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The values of the person before the merge, except those that have changed since. */
function before(now: Person, kept: Person, result: Result): Result {
  const value = <K extends queries.Values>(name: K): Person[K] =>
    isEqual(now[name], result[name]) ? kept[name] : now[name];
  const keys = new Set([...Object.keys(now.fields), ...Object.keys(kept.fields)]);
  const fields: Person['fields'] = {};
  for (const key of keys) {
    const one = isEqual(now.fields[key], result.fields[key]) ? kept.fields[key] : now.fields[key];
    if (one !== undefined) fields[key] = one;
  }
  return {
    ...{ first_name: value('first_name'), last_name: value('last_name'), custom1: value('custom1') },
    ...{ custom2: value('custom2'), language: value('language'), timezone: value('timezone') },
    tags: value('tags'),
    fields,
  };
}
