/** The account's own fields for people. The key and the kind of a field never change, so a stored value stays valid. */
import {
  type ContactField,
  type createContactField as CreateField,
  contactFieldChanged,
  type updateContactField as UpdateField,
} from '@parley/contract/audiences/contact_fields.ts';
import { MAX_CONTACT_FIELDS } from '@parley/contract/audiences/limits.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as queries from './field_queries.ts';

/** Removes the values of a deleted field. */
export const clearFieldJob = job<{ account_id: string; key: string }>('contact_fields.clear');
const PORTION = 5_000;

export async function listContactFields(
  db: Queryable,
  { account_id }: Actor,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<ContactField>> {
  const page = readPage(query);
  const fields = await queries.listFields(db, account_id);
  return paged(page, fields.slice(page.offset, page.offset + page.size + 1), fields.length);
}

/** The keys of the account's own fields, which texts use as variables. */
export const listContactFieldKeys = async (db: Queryable, account_id: string): Promise<string[]> =>
  (await queries.listFields(db, account_id)).map(({ key }) => key);

export async function createContactField(
  tx: Tx,
  { account_id }: Actor,
  body: Parsed<typeof CreateField>['body'],
): Promise<ContactField> {
  await queries.lockFields(tx, account_id);
  const { length } = await queries.listFields(tx, account_id);
  if (length >= MAX_CONTACT_FIELDS) throw new Problem('CONTACT_FIELDS_LIMIT_EXCEEDED');
  requireChoices(body.kind, body.choices);
  try {
    const field = await queries.insertField(tx, { ...body, account_id, id: newId() });
    emit(tx, contactFieldChanged, account_id, { id: field.id });
    return field;
  } catch (error) {
    if (violates(error, 'contact_fields_key')) throw new Problem('CONTACT_FIELD_EXISTS');
    throw error;
  }
}

/** People keep the choices that they have, even if the field no longer offers them. */
export async function updateContactField(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  body: Parsed<typeof UpdateField>['body'],
): Promise<ContactField> {
  await queries.lockFields(tx, account_id);
  const current = (await queries.listFields(tx, account_id)).find((field) => field.id === id);
  if (!current) throw new Problem('CONTACT_FIELD_NOT_FOUND');
  const { label = current.label, choices = current.choices } = body;
  requireChoices(current.kind, choices);
  const field = await queries.updateField(tx, { account_id, id, label, choices });
  emit(tx, contactFieldChanged, account_id, { id });
  return field;
}

export async function removeContactField(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  await queries.lockFields(tx, account_id);
  const removed = await queries.deleteField(tx, account_id, id);
  if (!removed) throw new Problem('CONTACT_FIELD_NOT_FOUND');
  if (await queries.isWatched(tx, account_id, 'date', id)) throw new Problem('CONTACT_FIELD_IN_USE');
  if (await queries.isInConditions(tx, account_id, removed.key)) throw new Problem('CONTACT_FIELD_IN_USE');
  await enqueue(tx, clearFieldJob, { account_id, key: removed.key });
  emit(tx, contactFieldChanged, account_id, { id });
}

/** Stops if the account has a new field with the key. */
export async function clearField({ db }: Kernel, { account_id, key }: { account_id: string; key: string }) {
  for (let after: string | null = null, more = true; more; ) {
    const page: { last: string } | null = await db.tx(async (tx) => {
      await queries.lockFields(tx, account_id);
      const isNew = (await queries.listFields(tx, account_id)).some((field) => field.key === key);
      return isNew ? null : queries.clearValues(tx, account_id, key, after, PORTION);
    });
    more = page !== null;
    after = page?.last ?? null;
  }
}

function requireChoices(kind: ContactField['kind'], choices: readonly string[]): void {
  if ((kind === 'choice') !== choices.length > 0) throw new Problem('CONTACT_FIELD_CHOICES_INVALID');
}
