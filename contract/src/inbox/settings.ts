/** The settings of the inbox, which apply to all users of the account. */
import { z } from 'zod';
import { TIME_OF_DAY } from '../accounts/quiet_hours.ts';
import { problem, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from './needs.ts';
import { MAX_AUTO_CLOSE_DAYS } from './statuses.ts';
import { resolutionTarget, responseTarget } from './targets.ts';

const time = z.string().regex(TIME_OF_DAY);
const OfficeHours = z
  .object({
    /** 1 is Monday, and 7 is Sunday. */
    days: z.array(range(1, 7)).min(1).max(7),
    /** In the account's time zone. `until` is later than `from`, at most 24:00. */
    from: time,
    until: time,
  })
  .refine(({ from, until }) => from < until, { error: problem('VALUE_INVALID') });
export type OfficeHours = z.output<typeof OfficeHours>;

export const InboxSettings = z.object({
  /** Days without a message until a conversation that is not waiting for a reply closes. Null turns this off. */
  auto_close_days: range(1, MAX_AUTO_CLOSE_DAYS).nullable(),
  /** When the office is open, for the conditions of rules. Null means always. */
  office_hours: z.array(OfficeHours).max(14).nullable(),
  /**
   * Minutes until a user replies to the first message of a conversation, and until it is closed. Null means no target.
   */
  response_target_minutes: responseTarget,
  resolution_target_minutes: resolutionTarget,
  /** Whether the targets count only office hours. */
  targets_in_office_hours: z.boolean(),
  /** A label that conversations get when they miss a target. */
  overdue_label_id: uuid('LABEL_NOT_FOUND').nullable(),
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
  problems: ['VALUE_INVALID', 'LABEL_NOT_FOUND'],
});

export const inboxSettingsChanged = event({
  id: 'inbox_settings.changed',
  modules: ['inbox_settings'],
  needs: INBOX_NEEDS,
  payload: InboxSettings,
});
