/** Responses: texts that users insert into their replies. A private response exists only for its user. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/inbox/responses.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { getConversation } from './inbox.ts';
import * as queries from './response_queries.ts';

export async function listResponses(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof contract.listResponses>['query'],
): Promise<Paged<contract.SavedResponse>> {
  const owner = requireOwner(actor);
  const page = readPage(query);
  const filter = query.filter ?? {};
  const rows = await queries.listResponseRows(db, owner, filter, page);
  return paged(
    page,
    rows.map((row) => toResponse(owner, row)),
    await queries.countResponses(db, owner, filter),
  );
}

export async function getResponse(db: Queryable, actor: Actor, id: string): Promise<contract.SavedResponse> {
  const owner = requireOwner(actor);
  return toResponse(owner, await requireResponse(db, owner, id));
}

export const listResponseFolders = (db: Queryable, actor: Actor) => queries.listFolders(db, requireOwner(actor));

export async function createResponse(
  tx: Tx,
  actor: Actor,
  body: Parsed<typeof contract.createResponse>['body'],
): Promise<contract.SavedResponse> {
  const owner = requireOwner(actor);
  return save(tx, owner, { id: newId(), user_id: owner.user_id, ...body });
}

export async function updateResponse(
  tx: Tx,
  actor: Actor,
  id: string,
  body: Parsed<typeof contract.updateResponse>['body'],
): Promise<contract.SavedResponse> {
  const owner = requireOwner(actor);
  const before = await requireResponse(tx, owner, id);
  const isOwn = before.user_id === owner.user_id;
  if (!isOwn && (body.shared === false || !permits(actor.permissions, 'MESSAGES:edit')))
    throw new Problem('RESPONSE_NOT_EDITABLE');
  const saved = await save(tx, owner, { ...before, ...body });
  // The users who no longer see the response are also notified.
  if (before.shared && !saved.shared)
    emit(tx, contract.responseChanged, owner.account_id, { id, user_id: before.user_id, shared: true });
  return saved;
}

type Fields = Parameters<typeof queries.saveResponse>[2];

async function save(tx: Tx, owner: queries.Owner, response: Fields): Promise<contract.SavedResponse> {
  const { account_id } = owner;
  const { id, user_id, shared } = response;
  await queries.lockResponses(tx, account_id);
  const names = await queries.listOtherNames(tx, { account_id, user_id }, id);
  if (names.some(({ name }) => name === response.name.toLowerCase())) throw new Problem('RESPONSE_EXISTS');
  if (names.length >= contract.RESPONSES_PER_USER) throw new Problem('RESPONSES_LIMIT_EXCEEDED');
  if (response.shortcut !== null && (await queries.hasShortcut(tx, account_id, response)))
    throw new Problem('RESPONSE_SHORTCUT_EXISTS');
  await queries.saveResponse(tx, account_id, response);
  emit(tx, contract.responseChanged, account_id, { id, user_id, shared });
  return toResponse(owner, await requireResponse(tx, owner, id));
}

export async function removeResponse(tx: Tx, actor: Actor, id: string): Promise<void> {
  const owner = requireOwner(actor);
  const { user_id, shared } = await requireResponse(tx, owner, id);
  if (user_id !== owner.user_id && !permits(actor.permissions, 'MESSAGES:delete'))
    throw new Problem('RESPONSE_NOT_OWN');
  await queries.deleteResponse(tx, owner.account_id, id);
  emit(tx, contract.responseChanged, owner.account_id, { id, user_id, shared });
}

/** Replaces the variables that have a value. The others stay in the text, so that the user notices them. */
export async function fillResponse(
  tx: Tx,
  actor: Actor,
  id: string,
  conversation_id: string,
): Promise<{ text: string; missing: string[] }> {
  const owner = requireOwner(actor);
  const response = await requireResponse(tx, owner, id);
  const { number } = await getConversation(tx, actor, conversation_id);
  const values = await queries.readVariableValues(tx, owner, number);
  await queries.countUse(tx, owner.account_id, id);
  const missing = new Set<string>();
  const text = response.text.replace(/\{(\w+)\}/g, (variable, name: string) => {
    if (!contract.RESPONSE_VARIABLES.some((known) => known === name)) return variable;
    const value = values[name];
    if (!value) missing.add(name);
    return value || variable;
  });
  return { text, missing: [...missing] };
}

function requireOwner({ account_id, user_id }: Actor): queries.Owner {
  if (user_id === null) throw new Problem('PERMISSION_REQUIRED');
  return { account_id, user_id };
}

async function requireResponse(db: Queryable, owner: queries.Owner, id: string): Promise<queries.StoredResponse> {
  const response = await queries.findVisibleResponse(db, owner, id);
  if (!response) throw new Problem('RESPONSE_NOT_FOUND');
  return response;
}

const toResponse = (
  owner: queries.Owner,
  { user_id, ...response }: queries.StoredResponse,
): contract.SavedResponse => ({ ...response, is_own: user_id === owner.user_id });
