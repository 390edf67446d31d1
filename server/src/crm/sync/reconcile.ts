/**
 * Brings records and people together: decides value by value, writes Parley in one transaction, and then writes the
 * CRM. The resulting values of each side are stored with the link. After a crash, the next sync decides again: a value
 * that was already written is equal on both sides, so nothing is written twice.
 */
import { type FieldValue, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import type { CrmSyncSettings } from '@parley/contract/crm/sync.ts';
import {
  copyNumberStops,
  moveContacts,
  removeContacts,
  removeStop,
  requireOwnAudience,
  type SyncedContact,
  stopNumber,
  storeConsent,
  storeContacts,
} from '../../audiences/audiences.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { CrmError } from '../providers/provider.ts';
import type { SyncContext } from './context.ts';
import { type Decision, mergeSlot, type Pair, type Slot } from './merge.ts';
import type { Paired, Pairing } from './pairing.ts';
import { deleteLinks, type Link, noteNumbers, putLink } from './queries.ts';
import {
  consentKey,
  crmSource,
  crmStopText,
  OPT_OUT,
  type PersonState,
  readable,
  readStates,
  toCrmValue,
  toParleyText,
  toSlots,
  ValueError,
} from './values.ts';

export type SyncRules = Pick<CrmSyncSettings, 'direction' | 'rule' | 'audience_id'>;

const MAX_ERROR = 300;

/** The changes that the CRM has not received yet. */
interface Push {
  pairing: Pairing;
  link: Omit<Link, 'update_ms'>;
  values: Record<string, string>;
  sent: { key: string; parley: string }[];
}

/** The decision for one person. */
export interface Plan {
  readonly pairing: Pairing;
  readonly state: PersonState;
  readonly slots: readonly Slot[];
  readonly decisions: readonly Decision[];
}

/** Returns null for a person who is not synced. */
export function decide(context: SyncContext, rules: SyncRules, pairing: Pairing, state: PersonState): Plan | null {
  const { link, contact, is_new } = pairing;
  const isMoved = pairing.moved_from !== null;
  // A contact that was removed from the audience stays removed, until it is added again.
  if (!state.is_member && !isMoved && (!is_new || rules.direction === 'to_crm')) return null;
  const slots = toSlots(context.maps, context.own, contact.values, state, link.base);
  const newest = (contact.update_date?.getTime() ?? 0) >= state.update_ms ? 'crm' : 'parley';
  const decisions = slots.map((slot) => {
    const decision = mergeSlot(slot, { ...rules, newest });
    const isStored = decision.to_crm === null || toCrmValue(context.maps, context.definitions, slot.key, '') !== null;
    return isStored ? decision : { ...decision, to_crm: null };
  });
  return { pairing, state, slots, decisions };
}

export async function reconcile(context: SyncContext, rules: SyncRules, paired: Paired): Promise<void> {
  const { kernel } = context;
  const pushes = await kernel.db.tx(async (tx) => {
    await beginWrites(tx, context);
    await requireOwnAudience(tx, context.account_id, rules.audience_id);
    await removeMissing(tx, context, rules, paired.without_number);
    for (const { contact, link, holder } of paired.duplicates) {
      const error = `The number belongs to another CRM record: ${holder}`;
      await putLink(tx, { ...link, number: null, state: 'failed', label: contact.name || null, error });
    }
    const moved = rules.direction === 'to_crm' ? paired.pairings.filter(({ moved_from }) => moved_from !== null) : [];
    for (const pairing of moved) await storeLostNumber(tx, pairing);
    return storePairings(
      tx,
      context,
      rules,
      paired.pairings.filter((pairing) => !moved.includes(pairing)),
    );
  });
  failpoint('crm_after_parley');
  for (const push of pushes) await pushOne(context, push);
}

/** A sync that only goes to the CRM does not change a contact's number. */
const storeLostNumber = (tx: Tx, { link, contact }: Pairing) =>
  putLink(tx, {
    ...{ ...link, state: 'failed', label: contact.name || null },
    error: 'The CRM record no longer has the contact’s number',
  });

/** The writes of this transaction are not noted as changes for the same CRM. */
export const beginWrites = (tx: Tx, { provider }: Pick<SyncContext, 'provider'>) =>
  tx.run(sql`select set_config('parley.crm_sync', ${provider}, true)`);

/** For records that no longer exist or have no number. Data that only Parley has is not deleted. */
export async function removeMissing(
  tx: Tx,
  context: SyncContext,
  rules: SyncRules,
  links: readonly Link[],
): Promise<void> {
  if (links.length === 0) return;
  const numbers = links.flatMap(({ number, state }) => (number && state !== 'erased' ? number : []));
  if (rules.direction === 'to_crm') {
    // The contact stays, but the record is not created again.
    for (const link of links) if (link.state !== 'erased') await putLink(tx, { ...link, state: 'removed' });
    return;
  }
  await removeContacts(tx, context.account_id, rules.audience_id, numbers);
  await deleteLinks(
    tx,
    context,
    links.filter(({ state }) => state !== 'erased').map(({ id }) => id),
  );
}

async function storePairings(
  tx: Tx,
  context: SyncContext,
  rules: SyncRules,
  pairings: readonly Pairing[],
): Promise<Push[]> {
  const { account_id } = context;
  for (const { moved_from, number, country } of pairings)
    if (moved_from) {
      await copyNumberStops(tx, account_id, moved_from, number);
      await moveContacts(tx, account_id, moved_from, { number, country });
      await removeContacts(tx, account_id, rules.audience_id, [moved_from]);
    }
  const request = { account_id, audience_id: rules.audience_id, maps: context.maps, label: context.label };
  const states = await readStates(tx, request, pairings);
  const pushes: Push[] = [];
  const contacts: SyncedContact[] = [];
  for (const pairing of pairings) {
    const plan = decide(context, rules, pairing, states.get(pairing.number)!);
    if (!plan) {
      if (!pairing.is_new) await putLink(tx, { ...pairing.link, state: 'removed' });
      continue;
    }
    const stored = toContact(context, plan);
    if (stored.contact) contacts.push(stored.contact);
    pushes.push(...(await storePlan(tx, context, plan, stored.errors)));
  }
  if (contacts.length > 0) await storeContacts(tx, account_id, rules.audience_id, contacts);
  for (const { moved_from } of pairings) if (moved_from) await noteNumbers(tx, context, [moved_from]);
  return pushes;
}

/** The contact to store; null if nothing changes. Values that Parley cannot store are errors. */
function toContact(
  { maps, own }: SyncContext,
  { pairing, state, decisions }: Plan,
): { contact: SyncedContact | null; errors: Map<string, string> } {
  const errors = new Map<string, string>();
  const texts: Record<string, string> = {};
  const fields: Record<string, FieldValue | null> = {};
  for (const { key, to_parley } of decisions) {
    const map = maps.fields.find(({ parley }) => parley === key);
    if (!map || to_parley === null) continue;
    try {
      const text = toParleyText(map, own, to_parley);
      if (!key.startsWith('fields.')) texts[key] = text;
      else {
        const field = own.find((one) => `fields.${one.key}` === key)!;
        fields[field.key] = text === '' ? null : (readFieldValue(field, text) ?? null);
      }
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors.set(key, error.message);
    }
  }
  const { language, timezone, ...names } = texts;
  const isChanged = !state.is_member || Object.keys(texts).length > 0 || Object.keys(fields).length > 0;
  const { number, country } = pairing;
  const facts = { ...(language === undefined ? {} : { language }), ...(timezone === undefined ? {} : { timezone }) };
  return { contact: isChanged ? { number, country, texts: names, fields, ...facts } : null, errors };
}

/** Stores consents, the opt-out, and the link. Returns the changes for the CRM. */
async function storePlan(
  tx: Tx,
  context: SyncContext,
  { pairing, slots, decisions }: Plan,
  errors: ReadonlyMap<string, string>,
): Promise<Push[]> {
  const { number, contact, link } = pairing;
  const base: Record<string, Pair> = {};
  const values: Record<string, string> = {};
  const sent: Push['sent'] = [];
  let isDecided = false;
  for (const [at, slot] of slots.entries()) {
    const { key, to_parley, to_crm } = decisions[at]!;
    const waits = errors.has(key) || to_crm !== null;
    if (waits && slot.base) base[key] = slot.base;
    if (!waits) base[key] = to_parley === null ? [slot.crm, slot.parley] : [slot.crm, slot.crm];
    if (to_parley !== null && !errors.has(key) && (await storeDecision(tx, context, pairing, key, to_parley)))
      isDecided = true;
    const value = to_crm === null ? null : toCrmValue(context.maps, context.definitions, key, to_crm);
    if (!value) continue;
    values[value.crm] = value.text;
    sent.push({ key, parley: slot.parley });
  }
  const error = [...errors.values()].join('. ').slice(0, MAX_ERROR) || null;
  const stored = {
    ...{ ...link, number, base, error, label: error ? contact.name || null : null },
    state: error ? ('failed' as const) : ('synced' as const),
  };
  await putLink(tx, stored);
  // An opt-out also changes the consents, which the CRM gets in the next step.
  if (isDecided) await noteNumbers(tx, context, [number]);
  return sent.length > 0 ? [{ pairing, link: stored, values, sent }] : [];
}

/** Returns true for a consent or an opt-out. */
async function storeDecision(
  tx: Tx,
  context: SyncContext,
  { number }: Pairing,
  key: string,
  value: string,
): Promise<boolean> {
  const { account_id, label, maps } = context;
  if (key === OPT_OUT) {
    const text = crmStopText(label);
    if (value === 'yes') await stopNumber(tx, { account_id, number, sender_id: null, reason: 'api', text });
    else await removeStop(tx, { account_id, number, text });
    return true;
  }
  const map = maps.consents.find((one) => consentKey(one) === key);
  if (!map) return false;
  const { channel, purpose } = map;
  await storeConsent(tx, {
    ...{ account_id, number, channel, purpose, text: map.text, source: crmSource(label), date: tx.now },
    change: value === 'yes' ? 'given' : 'withdrawn',
    ...{ method: 'import', address: '', sender_id: null, message_id: null, user_id: null },
  });
  return true;
}

async function pushOne(context: SyncContext, push: Push): Promise<void> {
  const { kernel, crm, call, definitions } = context;
  const { link, values, pairing } = push;
  try {
    const contact = await crm.updateContact(call, definitions, pairing.contact, values);
    failpoint('crm_after_push');
    await storePushed(context, push, contact.values);
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault === 'busy' || error.fault === 'signed_out') throw error;
    const text = error.fault === 'missing' ? 'The record no longer exists in the CRM' : error.message;
    await kernel.db.tx((tx) =>
      putLink(tx, {
        ...link,
        state: 'failed',
        label: pairing.contact.name || null,
        error: text.slice(0, MAX_ERROR),
      }),
    );
  }
}

/** The CRM may have stored a text different from the one it got. Both are the state after the sync. */
async function storePushed(
  { kernel, maps, own }: SyncContext,
  { link, sent }: Push,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const base = { ...link.base };
  for (const { key, parley } of sent) {
    const map = maps.fields.find((one) => one.parley === key);
    base[key] = [map ? readable(map, own, values[map.crm] ?? '') : parley, parley];
  }
  await kernel.db.tx((tx) => putLink(tx, { ...link, base }));
}
