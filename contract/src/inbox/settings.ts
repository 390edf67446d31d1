/** The settings of the inbox, which apply to all users of the account. */
import { z } from 'zod';
import { range } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from './needs.ts';
import { MAX_AUTO_CLOSE_DAYS } from './statuses.ts';

export const InboxSettings = z.object({
  /** Days without a message until a conversation that is not waiting for a reply closes. Null turns this off. */
  auto_close_days: range(1, MAX_AUTO_CLOSE_DAYS).nullable(),
});
export type InboxSettings = z.output<typeof InboxSettings>;

export const getInboxSettings = endpoint({
  id: 'inbox_settings.get',
  method: 'GET',
  path: '/v1/inbox_settings',
  summary: 'Get the inbox settings',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: InboxSettings,
  problems: [],
});

export const updateInboxSettings = endpoint({
  id: 'inbox_settings.update',
  method: 'PUT',
  path: '/v1/inbox_settings',
  summary: 'Change the inbox settings for all users. Omitted fields stay unchanged',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: InboxSettings.partial(),
  output: InboxSettings,
  problems: [],
});

export const inboxSettingsChanged = event({
  id: 'inbox_settings.changed',
  modules: ['inbox_settings'],
  needs: INBOX_NEEDS,
  payload: InboxSettings,
});
