/**
 * Notifications of new messages by saved inbox view. For a conversation in one or more views with settings, these
 * settings replace the general ones of the user: a notification is sent if one of the views has it. Quiet hours apply
 * to all.
 */
import { z } from 'zod';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CONVERSATION_PROBLEMS } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

export const NotificationChoice = z.object({
  /** Notifications on the user's devices. */
  devices: z.boolean(),
  /** Toasts in the app, while the user works on another page. */
  toasts: z.boolean(),
  /** The sound, on devices where it is turned on. */
  sound: z.boolean(),
  /** Whether the email digest counts these conversations. */
  digest: z.boolean(),
});
export type NotificationChoice = z.output<typeof NotificationChoice>;

export const ViewNotifications = NotificationChoice.extend({ view_id: z.string() });
export type ViewNotifications = z.output<typeof ViewNotifications>;

export const listViewNotifications = endpoint({
  id: 'inbox_view_notifications.list',
  method: 'GET',
  path: '/v1/inbox_view_notifications',
  summary: 'List the saved inbox views for which the caller has notification settings',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(ViewNotifications),
  problems: [],
});

export const updateViewNotifications = endpoint({
  id: 'inbox_view_notifications.update',
  method: 'PUT',
  path: '/v1/inbox_view_notifications/{id}',
  summary: 'Set the caller’s notifications for the conversations in a saved inbox view',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('VIEW_NOT_FOUND'),
  body: NotificationChoice,
  output: ViewNotifications,
  problems: ['VIEW_NOT_FOUND', 'VALUE_INVALID'],
});

export const removeViewNotifications = endpoint({
  id: 'inbox_view_notifications.remove',
  method: 'DELETE',
  path: '/v1/inbox_view_notifications/{id}',
  summary: 'Use the caller’s general notification settings for a saved inbox view again',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('VIEW_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['VIEW_NOT_FOUND'],
});

export const getConversationNotifications = endpoint({
  id: 'inbox_view_notifications.get',
  method: 'GET',
  path: '/v1/conversations/{id}/notifications',
  summary: 'Get the caller’s notifications for a conversation from the saved views that it is in',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  /** Null if the general settings apply, because the conversation is in no view with settings. */
  output: NotificationChoice.nullable(),
  problems: CONVERSATION_PROBLEMS,
});

/** A user's settings for a saved view changed. */
export const viewNotificationsChanged = event({
  id: 'inbox_view_notifications.changed',
  modules: ['inbox_view_notifications'],
  needs: INBOX_NEEDS,
  payload: z.object({ user_id: z.string() }),
  visible: ({ user_id }, viewer) => user_id === viewer.user_id,
});
