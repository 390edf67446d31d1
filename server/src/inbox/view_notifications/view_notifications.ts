/**
 * Notifications of new messages by saved inbox view. Code that sends notifications asks here whether a conversation is
 * in one of the user's views with settings, by the filters that the inbox list uses.
 */
import { BUCKETS, canViewBucket } from '@parley/contract/inbox/inbox.ts';
import { readInboxView } from '@parley/contract/inbox/saved_views.ts';
import {
  type NotificationChoice,
  type ViewNotifications,
  viewNotificationsChanged,
} from '@parley/contract/inbox/view_notifications.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { listViews } from '../../views/views.ts';
import type { Scope } from '../queries.ts';
import * as queries from './view_queries.ts';

export interface Viewer {
  account_id: string;
  user_id: string;
  permissions: Permissions;
}

function requireViewer({ account_id, user_id, permissions }: Actor): Viewer {
  if (user_id === null) throw new Problem('PERMISSION_REQUIRED');
  return { account_id, user_id, permissions };
}

export const listViewNotifications = (db: Queryable, actor: Actor): Promise<ViewNotifications[]> =>
  queries.listSettings(db, requireViewer(actor));

export async function saveViewNotifications(
  tx: Tx,
  actor: Actor,
  view_id: string,
  choice: NotificationChoice,
): Promise<ViewNotifications> {
  const viewer = requireViewer(actor);
  const views = await listViews(tx, actor, 'inbox');
  if (!views.some(({ id }) => id === view_id)) throw new Problem('VIEW_NOT_FOUND');
  await queries.saveSettings(tx, viewer, { view_id, ...choice });
  emit(tx, viewNotificationsChanged, viewer.account_id, { user_id: viewer.user_id });
  return { view_id, ...choice };
}

export async function removeViewNotifications(tx: Tx, actor: Actor, view_id: string): Promise<void> {
  const { account_id, user_id } = requireViewer(actor);
  if ((await queries.deleteSettings(tx, { account_id, user_id }, view_id)) === 0) throw new Problem('VIEW_NOT_FOUND');
  emit(tx, viewNotificationsChanged, account_id, { user_id });
}

/** The settings of a view, with the conversations that it contains for the user. */
export interface WatchedView extends NotificationChoice {
  name: string;
  scope: Scope;
}

/** Views of an inbox that the user may no longer view contain nothing. */
export async function listWatchedViews(db: Queryable, viewer: Viewer): Promise<WatchedView[]> {
  const { account_id, user_id, permissions } = viewer;
  const visible = BUCKETS.filter((bucket) => canViewBucket(bucket, { user_id, permissions }));
  return (await queries.listWatched(db, viewer)).flatMap(({ state, ...settings }) => {
    const { bucket, channel, sender_id, status, label_id, due, unread: _, ...rest } = readInboxView(state.filters);
    const buckets = visible.filter((one) => rest.mentioned || one === bucket);
    if (buckets.length === 0) return [];
    const scope = {
      ...{ account_id, user_id, buckets, ...rest, search: rest.search || undefined },
      ...{ channels: channel ? [channel] : undefined, status: status ? [status] : undefined },
      ...{ sender_id: sender_id ?? undefined, label_id: label_id ?? undefined, due: due ?? undefined },
    };
    return [{ ...settings, scope }];
  });
}

export const findOwnNotifications = (db: Queryable, actor: Actor, conversation_id: string) =>
  findNotifications(db, requireViewer(actor), conversation_id);

/** Null: the general settings of the user apply. */
export async function findNotifications(
  db: Queryable,
  viewer: Viewer,
  conversation_id: string,
): Promise<NotificationChoice | null> {
  const views = await listWatchedViews(db, viewer);
  if (views.length === 0) return null;
  const found = new Set(await queries.findContaining(db, views, conversation_id));
  const own = views.filter((_, n) => found.has(n));
  if (own.length === 0) return null;
  const some = (key: keyof NotificationChoice) => own.some((view) => view[key]);
  return { devices: some('devices'), toasts: some('toasts'), sound: some('sound'), digest: some('digest') };
}
