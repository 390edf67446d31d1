/**
 * The stop list: numbers that receive no messages from one sender or from all senders. Every change is recorded in the
 * history in the same transaction, with its reason, text, and author. A stop for a member of a number pool is stored
 * for the pool, even if the number joins the pool at the same moment.
 */

import { type StopListEntry, stopListChanged } from '@parley/contract/audiences/stop_list.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { readAccountCountry } from '../phone_numbers/account_country.ts';
import { parseNumber } from '../phone_numbers/number.ts';
import type { Stop } from './queries.ts';
import * as queries from './queries.ts';

/** Stops a number. Returns false if it was already stopped for this sender or for all. */
export async function stopNumber(tx: Tx, stop: Stop): Promise<boolean> {
  return (await storeStop(tx, stop)) !== null;
}

const PORTION = 5_000;

/** Stops numbers for all senders. Returns how many were not stopped yet. */
export async function stopNumbers(
  tx: Tx,
  { account_id, user_id, kind }: Pick<Actor, 'account_id' | 'user_id' | 'kind'>,
  numbers: readonly string[],
): Promise<number> {
  const reason = kind === 'key' ? 'api' : 'manual';
  let added = 0;
  for (let from = 0; from < numbers.length; from += PORTION)
    added += await queries.insertStops(tx, { account_id, user_id, reason }, numbers.slice(from, from + PORTION));
  // Screens read the whole list again after any event.
  if (added > 0) emit(tx, stopListChanged, account_id, { number: numbers[0]!, sender_id: null, change: 'stopped' });
  return added;
}

async function storeStop(tx: Tx, stop: Stop): Promise<string | null> {
  const sender_id = stop.sender_id && (await queries.findPoolId(tx, stop.account_id, stop.sender_id));
  const row = { text: '', message_id: null, user_id: null, ...stop, sender_id };
  const id = newId();
  if (!(await queries.insertStop(tx, id, row))) return null;
  await recordChange(tx, row, 'stopped');
  return id;
}

/**
 * Removes a recipient's opt-out or a carrier's block for this sender. Entries that were added manually, by an operator,
 * or through the API stay. Returns false if there was nothing to remove.
 */
export async function startNumber(
  tx: Tx,
  start: Omit<Stop, 'reason' | 'sender_id'> & { sender_id: string },
): Promise<boolean> {
  const sender_id = await queries.findPoolId(tx, start.account_id, start.sender_id);
  const row = { text: '', message_id: null, user_id: null, reason: 'keyword' as const, ...start, sender_id };
  if (!(await queries.deleteOptOuts(tx, row))) return false;
  await recordChange(tx, row, 'started');
  return true;
}

/** Returns the numbers that must not receive messages from this sender. */
export async function listStoppedNumbers(
  db: Queryable,
  account_id: string,
  sender_id: string,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  return new Set((await queries.listStopped(db, account_id, sender_id, numbers)).map(({ number }) => number));
}

/** Returns a test for whether a number must not receive messages from a sender, for several senders at once. */
export async function stopTest(
  db: Queryable,
  account_id: string,
  numbers: readonly string[],
): Promise<(number: string, sender_id: string) => boolean> {
  const stops = new Set<string>();
  for (const { number, sender_id } of await queries.listStopsWithNumber(db, account_id, numbers))
    stops.add(`${number} ${sender_id ?? ''}`);
  return (number, sender_id) => stops.has(`${number} `) || stops.has(`${number} ${sender_id}`);
}

export async function listStopList(
  db: Queryable,
  actor: Actor,
  query: Parameters<typeof readPage>[0] & {
    filter?: { search?: string | undefined; sender_id?: string | undefined } | undefined;
  },
): Promise<Paged<StopListEntry>> {
  const page = readPage(query);
  const filter = { search: query.filter?.search ?? '', sender_id: query.filter?.sender_id ?? '' };
  const [rows, total] = await Promise.all([
    queries.listStops(db, actor.account_id, filter, page),
    queries.countStops(db, actor.account_id, filter, page),
  ]);
  return paged(page, rows.map(withCountry), total);
}

export async function createStopListEntry(
  tx: Tx,
  actor: Actor,
  body: { number: string; sender_id: string | null },
): Promise<StopListEntry> {
  const country = await readAccountCountry(tx, actor.account_id);
  const parsed = parseNumber(body.number, country);
  if (!parsed) throw new Problem('CONTACT_NUMBER_INVALID');
  if (body.sender_id && !(await queries.hasSender(tx, actor.account_id, body.sender_id)))
    throw new Problem('SENDER_NOT_FOUND');
  const id = await storeStop(tx, {
    account_id: actor.account_id,
    number: parsed.number,
    sender_id: body.sender_id,
    reason: actor.kind === 'key' ? 'api' : 'manual',
    user_id: actor.user_id,
  });
  if (!id) throw new Problem('STOP_LIST_ENTRY_EXISTS');
  return withCountry(await queries.findStop(tx, actor.account_id, id));
}

export async function removeStopListEntry(
  tx: Tx,
  actor: Pick<Actor, 'account_id' | 'user_id' | 'kind'>,
  id: string,
): Promise<void> {
  const entry = await queries.deleteStop(tx, actor.account_id, id);
  if (!entry) throw new Problem('STOP_LIST_ENTRY_NOT_FOUND');
  const reason = actor.kind === 'key' ? 'api' : 'manual';
  await recordChange(
    tx,
    { ...entry, account_id: actor.account_id, reason, text: '', message_id: null, user_id: actor.user_id },
    'started',
  );
}

/** Removes the entry for all senders that was added through the API with exactly this text. */
export async function removeStop(
  tx: Tx,
  { account_id, number, text }: { account_id: string; number: string; text: string },
): Promise<void> {
  const id = await queries.findApiStop(tx, account_id, number, text);
  if (id) await removeStopListEntry(tx, { account_id, user_id: null, kind: 'key' }, id);
}

async function recordChange(tx: Tx, stop: Required<Stop>, change: 'stopped' | 'started'): Promise<void> {
  await queries.insertStopHistory(tx, newId(), stop, change);
  emit(tx, stopListChanged, stop.account_id, { number: stop.number, sender_id: stop.sender_id, change });
}

/** Adds the country, which is not stored because numbering plans can change. */
const withCountry = (row: Omit<StopListEntry, 'country'>): StopListEntry => ({
  ...row,
  country: parseNumber(row.number)?.country ?? '',
});
