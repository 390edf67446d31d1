/** The label, tone, and icon of every status. An unlisted status shows its own name in gray. */
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconClock,
  IconClockPause,
  IconPencil,
  IconPlayerPause,
  IconProgress,
  type IconProps,
  IconRefresh,
  IconSend,
  IconSnowflake,
  IconX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/**
 * ok: green, succeeded. flight: blue, in progress. wait: amber, waiting or frozen. fail: red, failed or rejected. off:
 * gray, ended or idle.
 */
export type Tone = 'ok' | 'flight' | 'wait' | 'fail' | 'off' | 'accent';

export interface StatusStyle {
  label: string;
  tone: Tone;
  icon: ComponentType<IconProps>;
}

const style = (label: string, tone: Tone, icon: ComponentType<IconProps>): StatusStyle => ({ label, tone, icon });

export const STATUSES: Readonly<Record<string, StatusStyle>> = {
  // Messages
  accepted: style('Accepted', 'flight', IconCircleDashed),
  queued: style('Queued', 'flight', IconCircleDashed),
  claimed: style('Sending', 'flight', IconSend),
  submitting: style('Sending', 'flight', IconSend),
  enroute: style('En route', 'flight', IconSend),
  sent: style('Sent', 'flight', IconCheck),
  delivered: style('Delivered', 'ok', IconChecks),
  read: style('Read', 'ok', IconChecks),
  answered: style('Answered', 'ok', IconChecks),
  received: style('Received', 'ok', IconCheck),
  undelivered: style('Undelivered', 'fail', IconX),
  failed: style('Failed', 'fail', IconX),
  rejected: style('Rejected', 'fail', IconX),
  blocked: style('Blocked', 'fail', IconBan),
  unsubscribed: style('Unsubscribed', 'off', IconBan),
  expired: style('Expired', 'off', IconClock),
  unknown: style('Unknown', 'off', IconCircleDashed),
  // Campaigns, imports, exports
  draft: style('Draft', 'off', IconPencil),
  in_complete: style('Incomplete', 'off', IconPencil),
  scheduled: style('Scheduled', 'wait', IconClock),
  preparing: style('Preparing', 'flight', IconProgress),
  in_progress: style('In progress', 'flight', IconProgress),
  running: style('Running', 'flight', IconProgress),
  paused: style('Paused', 'wait', IconPlayerPause),
  completed: style('Completed', 'ok', IconCheck),
  canceled: style('Canceled', 'off', IconBan),
  error: style('Error', 'fail', IconAlertTriangle),
  // Senders, templates
  pending: style('Pending', 'wait', IconClock),
  in_process: style('Pending', 'wait', IconClock),
  approved: style('Approved', 'ok', IconCheck),
  available: style('Available', 'ok', IconCheck),
  unregistered: style('Unregistered', 'off', IconCircleDashed),
  deleted: style('Deleted', 'off', IconX),
  // Payments
  paid: style('Paid', 'ok', IconCheck),
  frozen: style('In Review', 'wait', IconSnowflake),
  refunded: style('Refunded', 'off', IconRefresh),
  partially_refunded: style('Partially refunded', 'off', IconRefresh),
  // Users, accounts, connections
  active: style('Active', 'ok', IconCheck),
  verified: style('Verified', 'ok', IconCheck),
  unverified: style('Unverified', 'wait', IconClockPause),
  form_submitted: style('In review', 'wait', IconClock),
  new: style('New', 'wait', IconCircleDashed),
  bound: style('Bound', 'ok', IconCheck),
  connecting: style('Connecting', 'wait', IconProgress),
  throttled: style('Throttled', 'wait', IconPlayerPause),
  waiting: style('Waiting', 'fail', IconClock),
  stopped: style('Stopped', 'off', IconPlayerPause),
  disconnected: style('Disconnected', 'fail', IconX),
  disabled: style('Disabled', 'off', IconBan),
};

/**
 * The statuses of sender requests, for which COMPLETED and CANCELED have different meanings than they do for campaigns.
 */
export const SENDER_REQUEST: Readonly<Record<string, StatusStyle>> = {
  completed: style('Available', 'ok', IconCheck),
  canceled: style('Rejected', 'fail', IconX),
  in_process: style('Pending', 'wait', IconClock),
  deleted: style('Deleted', 'off', IconX),
};

export function statusStyle(status: string, words: Readonly<Record<string, StatusStyle>> = STATUSES): StatusStyle {
  const key = status.toLowerCase();
  const text = key.replaceAll('_', ' ');
  return words[key] ?? STATUSES[key] ?? style(text.charAt(0).toUpperCase() + text.slice(1), 'off', IconCircleDashed);
}
