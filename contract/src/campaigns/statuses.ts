/** The statuses of campaigns, and the groups of recipients that a campaign's figures count. */
import { MESSAGE_GROUPS, MESSAGE_STATUS, STATUSES, type Status, statusesInGroup } from '../messages/statuses.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const CAMPAIGN_STATUSES = [
  'in_complete',
  'scheduled',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'canceled',
  'error',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export const CAMPAIGN_STATUS: Readonly<Record<CampaignStatus, StatusWord>> = {
  in_complete: statusWord('Incomplete', 'off', 'pencil'),
  scheduled: statusWord('Scheduled', 'wait', 'clock'),
  in_progress: statusWord('In progress', 'flight', 'progress'),
  paused: statusWord('Paused', 'wait', 'paused'),
  completed: statusWord('Completed', 'ok', 'check'),
  failed: statusWord('Failed', 'fail', 'cross'),
  canceled: statusWord('Canceled', 'off', 'ban'),
  error: statusWord('Error', 'fail', 'alert'),
};

export const RECIPIENT_BUCKETS = ['all', 'waiting', 'sent', 'delivered', 'failed', 'canceled'] as const;
type Bucket = (typeof RECIPIENT_BUCKETS)[number];
/** The statuses in each bucket on the campaign page. */
export const BUCKETS: Readonly<Record<Bucket, readonly Status[]>> = {
  all: STATUSES,
  waiting: ['scheduled', 'enroute'],
  sent: ['sent'],
  delivered: statusesInGroup('delivered'),
  failed: statusesInGroup('undelivered'),
  canceled: statusesInGroup('canceled'),
};
export const BUCKET_LABELS: Readonly<Record<Bucket, string>> = {
  all: 'All',
  waiting: 'Waiting',
  sent: `${MESSAGE_STATUS.sent.label}, awaiting receipt`,
  delivered: MESSAGE_GROUPS.delivered.label,
  failed: MESSAGE_GROUPS.undelivered.label,
  canceled: MESSAGE_GROUPS.canceled.label,
};
