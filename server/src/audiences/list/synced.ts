/**
 * Contacts that another system keeps up to date, such as a CRM. The texts and facts of a person change in all
 * audiences.
 */
import { audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import type { FieldValue } from '@parley/contract/audiences/field_values.ts';
import { personChanged } from '@parley/contract/audiences/people.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { readFacts, writeFacts } from '../people/facts.ts';
import { findPerson, updateTexts } from '../people/queries.ts';
import * as queries from './queries.ts';

export interface SyncedContact {
  readonly number: string;
  readonly country: string;
  /** Only the fields that change. */
  readonly texts: { readonly [K in 'first_name' | 'last_name' | 'custom1' | 'custom2']?: string };
  readonly fields: Readonly<Record<string, FieldValue | null>>;
  readonly language?: string;
  readonly timezone?: string;
}

/** Locks the audience, so that its contacts do not change before the transaction ends. */
export async function requireOwnAudience(tx: Tx, account_id: string, id: string): Promise<void> {
  const audience = await queries.lockAudience(tx, account_id, id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  if (audience.conditions) throw new Problem('AUDIENCE_IS_DYNAMIC');
}

export async function storeContacts(
  tx: Tx,
  account_id: string,
  audience_id: string,
  contacts: readonly SyncedContact[],
): Promise<void> {
  const added = await queries.insertContacts(
    tx,
    account_id,
    audience_id,
    contacts.map(({ number, country, texts }) => {
      return { id: newId(), number, country, first_name: '', last_name: '', custom1: '', custom2: '', ...texts };
    }),
  );
  for (const contact of contacts) await storePerson(tx, account_id, contact);
  await changeCount(tx, account_id, audience_id, added.length);
}

async function storePerson(tx: Tx, account_id: string, contact: SyncedContact): Promise<void> {
  const { number, texts, fields, language, timezone } = contact;
  const person = await findPerson(tx, account_id, number);
  if (!person) throw new Problem('PERSON_NOT_FOUND');
  const next = { ...person, ...texts };
  const isChanged = (Object.keys(texts) as (keyof typeof texts)[]).some((key) => person[key] !== next[key]);
  // A contact that was just added has its texts, but other audiences do not have them yet.
  if (Object.keys(texts).length > 0) await updateTexts(tx, next);
  const facts = await readFacts(tx, account_id, { fields, language, timezone });
  await writeFacts(tx, person, facts, 'replace');
  // Screens read the audience again after its event, so single people are announced only to webhooks.
  if (isChanged || Object.keys(fields).length > 0)
    emit(tx, personChanged, account_id, { id: person.id, number }, { live: false });
}

export async function removeContacts(
  tx: Tx,
  account_id: string,
  audience_id: string,
  numbers: readonly string[],
): Promise<void> {
  const removed = await tx.run(sql`
    delete from contacts
    where account_id = ${account_id} and audience_id = ${audience_id} and number = any(${numbers}::text[])`);
  if (removed > 0) await changeCount(tx, account_id, audience_id, -removed);
}

async function changeCount(tx: Tx, account_id: string, audience_id: string, added: number): Promise<void> {
  emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, added));
}
