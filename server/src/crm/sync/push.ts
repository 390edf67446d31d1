/**
 * Brings contacts of the audience to the CRM. A contact that the CRM does not have is created once: its link is stored
 * before the call, and if the call got no response, the next attempt first looks for the record.
 */
import { requireOwnAudience } from '../../audiences/audiences.ts';
import { newId } from '../../kernel/clock.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { type CrmContact, CrmError } from '../providers/provider.ts';
import { readNumbers, type SyncContext } from './context.ts';
import type { Pair } from './merge.ts';
import { pairRecords } from './pairing.ts';
import { type Link, listLinksByNumber, listLinksByRecord, putLink } from './queries.ts';
import { beginWrites, reconcile, removeMissing, type SyncRules } from './reconcile.ts';
import { type PersonState, readable, readStates, toCrmValue, toSlots } from './values.ts';

const MAX_ERROR = 300;
/** The search of a CRM finds a new record only after a while. */
const SEARCHABLE_MS = 60_000;

/** Contacts that Parley has not changed since the last sync are passed over, without a call of the CRM. */
export async function pushNumbers(context: SyncContext, rules: SyncRules, numbers: readonly string[]): Promise<void> {
  const { kernel, account_id, maps, label } = context;
  const request = { account_id, audience_id: rules.audience_id, maps, label };
  const states = await readStates(
    kernel.db,
    request,
    numbers.map((number) => ({ number, country: '' })),
  );
  const links = new Map((await listLinksByNumber(kernel.db, context, numbers)).map((link) => [link.number, link]));
  const linked: Link[] = [];
  const unlinked: { state: PersonState; link: Link | null }[] = [];
  for (const number of new Set(numbers)) {
    const state = states.get(number)!;
    const link = links.get(number) ?? null;
    if (link?.record_id) {
      if (!isUnchanged(context, state, link)) linked.push(link);
    } else if (state.is_member && rules.direction !== 'to_parley') unlinked.push({ state, link });
  }
  await updateLinked(context, rules, linked);
  for (const { state, link } of unlinked) await findOrCreate(context, rules, state, link);
}

function isUnchanged({ maps, own }: SyncContext, state: PersonState, link: Link): boolean {
  if (!state.is_member || link.state !== 'synced') return link.state === 'removed' && !state.is_member;
  return toSlots(maps, own, {}, state, link.base).every(({ base, parley }) => base !== undefined && parley === base[1]);
}

async function updateLinked(context: SyncContext, rules: SyncRules, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const ids = links.map(({ record_id }) => record_id!);
  await syncRecords(context, rules, ids);
}

/** Reads records, and syncs them. Those that no longer exist are removed. */
export async function syncRecords(context: SyncContext, rules: SyncRules, ids: readonly string[]): Promise<void> {
  const contacts = await context.crm.contacts(context.call, context.definitions, ids);
  await reconcile(context, rules, await pairRecords(context, contacts));
  const found = new Set(contacts.map(({ id }) => id));
  const missing = await listLinksByRecord(
    context.kernel.db,
    context,
    ids.filter((id) => !found.has(id)),
  );
  if (missing.length === 0) return;
  await context.kernel.db.tx(async (tx) => {
    await beginWrites(tx, context);
    await requireOwnAudience(tx, context.account_id, rules.audience_id);
    await removeMissing(tx, context, rules, missing);
  });
}

async function findOrCreate(
  context: SyncContext,
  rules: SyncRules,
  state: PersonState,
  before: Link | null,
): Promise<void> {
  const { kernel, crm, call, definitions } = context;
  const { number } = state;
  const people = await crm.searchPeople(call, number.slice(-7));
  const matches = people.filter((person) => readNumbers(context, person).some((one) => one.number === number));
  const found = await crm.contacts(
    call,
    definitions,
    matches.map(({ id }) => id),
  );
  const paired = await pairRecords(context, found);
  const own = paired.pairings.filter((pairing) => pairing.number === number);
  if (own.length > 0) return reconcile(context, rules, { ...paired, pairings: own, duplicates: [] });
  const link = before ?? emptyLink(context, number);
  if (found.length > 0)
    return storeFailure(context, link, state, 'Another CRM record with this number is synced with a different number');
  const age = kernel.clock.now().getTime() - link.update_ms;
  if (link.state === 'creating' && age < SEARCHABLE_MS)
    throw new CrmError('busy', 'A record was being created', Math.ceil((SEARCHABLE_MS - age) / 1_000));
  await create(context, state, link);
}

const emptyLink = ({ account_id, provider }: SyncContext, number: string): Link => ({
  ...{ account_id, provider, id: newId(), record_id: null, number, state: 'failed' },
  ...{ base: {}, label: null, error: null, update_ms: 0 },
});

async function create(context: SyncContext, state: PersonState, link: Link): Promise<void> {
  const { kernel, crm, call, maps, own, definitions } = context;
  await kernel.db.tx((tx) => putLink(tx, { ...link, state: 'creating', error: null }));
  failpoint('crm_before_create');
  try {
    const slots = toSlots(maps, own, {}, state, {});
    const values: Record<string, string> = {};
    for (const { key, parley } of slots) {
      // Only known consents, because most people have not opted out.
      const value = parley === '' || parley === 'no' ? null : toCrmValue(maps, definitions, key, parley);
      if (value) values[value.crm] = value.text;
    }
    const contact = await crm.createContact(call, definitions, { number: state.number, values });
    failpoint('crm_after_create');
    await kernel.db.tx((tx) =>
      putLink(tx, {
        ...link,
        ...{ record_id: contact.id, state: 'synced', error: null, label: null },
        base: createdPairs(context, contact, state),
      }),
    );
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault === 'busy' || error.fault === 'signed_out') throw error;
    await storeFailure(context, link, state, error.message);
  }
}

function createdPairs({ maps, own }: SyncContext, contact: CrmContact, state: PersonState): Record<string, Pair> {
  const pairs = toSlots(maps, own, contact.values, state, {}).map(({ key, crm, parley }) => {
    const map = maps.fields.find((one) => one.parley === key);
    return [key, [map ? readable(map, own, contact.values[map.crm] ?? '') : crm, parley]] as const;
  });
  return Object.fromEntries(pairs);
}

const storeFailure = (context: SyncContext, link: Link, state: PersonState, error: string): Promise<void> =>
  context.kernel.db.tx(async (tx) => {
    await putLink(tx, { ...link, state: 'failed', label: state.name || null, error: error.slice(0, MAX_ERROR) });
  });
