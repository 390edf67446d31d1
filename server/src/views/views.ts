/**
 * Saved views. A private view exists only for its user. A shared view is visible to all users who may view the list,
 * and users who may share can change it.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { canShareViews, type ViewList, viewRule } from '@parley/contract/views/lists.ts';
import * as contract from '@parley/contract/views/views.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Actor, requireAccess } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

/** Removes the private views of a user who leaves the company. Shared views stay. */
export { deleteViews as removePrivateViews } from './queries.ts';

type Method = 'GET' | 'POST';

export async function listViews(db: Queryable, actor: Actor, list: ViewList): Promise<contract.View[]> {
  const owner = requireOwner(actor);
  requireList(actor, list, 'GET');
  return (await queries.listVisibleViews(db, owner, list)).map((view) => toView(actor, view));
}

export async function createView(
  tx: Tx,
  actor: Actor,
  body: Parsed<typeof contract.createView>['body'],
): Promise<contract.View> {
  const owner = requireOwner(actor);
  requireList(actor, body.list, 'POST');
  if (body.shared) requireSharing(actor, body.list);
  await queries.lockViews(tx, owner, body.list);
  const others = await queries.listTakenNames(tx, owner, body.list);
  refuseName(others, body.name);
  if (others.length >= contract.VIEWS_PER_LIST) throw new Problem('VIEWS_LIMIT_EXCEEDED');
  const id = newId();
  await queries.insertView(tx, { ...owner, ...body, id });
  return announce(tx, actor, await requireView(tx, actor, id));
}

export async function updateView(
  tx: Tx,
  actor: Actor,
  id: string,
  body: Parsed<typeof contract.updateView>['body'],
): Promise<contract.View> {
  const view = await requireView(tx, actor, id);
  const owner = { account_id: actor.account_id, user_id: view.user_id };
  const shared = body.shared ?? view.shared;
  // The user who shared a view can always make it private again.
  const isWithdrawn = view.user_id === actor.user_id && !shared;
  if ((view.shared || shared) && !isWithdrawn) requireSharing(actor, view.list);
  await queries.lockViews(tx, owner, view.list);
  const name = body.name ?? view.name;
  const others = await queries.listTakenNames(tx, owner, view.list);
  refuseName(
    others.filter((other) => other.id !== id),
    name,
  );
  await queries.setView(tx, actor.account_id, { id, name, shared, state: body.state ?? view.state });
  const changed = { ...view, name, shared, state: body.state ?? view.state };
  return announce(tx, actor, changed, view.shared || shared);
}

export async function removeView(tx: Tx, actor: Actor, id: string): Promise<void> {
  const view = await requireView(tx, actor, id);
  if (view.user_id !== actor.user_id) requireSharing(actor, view.list);
  await queries.deleteView(tx, actor.account_id, id);
  announce(tx, actor, view);
}

/** API keys have no views. */
function requireOwner({ account_id, user_id }: Actor): queries.Owner {
  if (user_id === null) throw new Problem('PERMISSION_REQUIRED');
  return { account_id, user_id };
}

function requireList(actor: Actor, list: ViewList, method: Method): void {
  const { needs, operators } = viewRule(list);
  requireAccess(actor, { needs, method });
  if (operators && !actor.operator) throw new Problem('PERMISSION_REQUIRED');
}

function requireSharing(actor: Actor, list: ViewList): void {
  if (!canShareViews(list, actor.permissions))
    throw new Problem('PERMISSION_REQUIRED', { message: 'You cannot share views of this list' });
}

/** Throws VIEW_NOT_FOUND for views of other users that are not shared, and PERMISSION_REQUIRED without the list. */
async function requireView(tx: Tx, actor: Actor, id: string): Promise<queries.StoredView> {
  const view = await queries.findView(tx, actor.account_id, id);
  if (!view || !(view.shared || view.user_id === actor.user_id)) throw new Problem('VIEW_NOT_FOUND');
  requireList(actor, view.list, 'POST');
  return view;
}

function refuseName(others: readonly { name: string }[], name: string): void {
  if (others.some((other) => other.name === name.toLowerCase())) throw new Problem('VIEW_EXISTS');
}

function announce(tx: Tx, actor: Actor, view: queries.StoredView, shared: boolean = view.shared): contract.View {
  const { id, list, user_id } = view;
  emit(tx, contract.viewChanged, actor.account_id, { id, list, user_id, shared });
  return toView(actor, view);
}

const toView = (actor: Actor, { user_id, ...view }: queries.StoredView): contract.View => ({
  ...view,
  is_own: user_id === actor.user_id,
});
