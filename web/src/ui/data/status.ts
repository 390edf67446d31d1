/** Every status of the product: its word, tone and icon, on one page. A status that is not listed is shown as its own words in grey. */
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

/** Green done well, blue in flight, amber waiting or frozen, red failed or refused, grey ended or idle. */
export type Tone = 'ok' | 'flight' | 'wait' | 'fail' | 'off' | 'accent';

export interface StatusLook {
  label: string;
  tone: Tone;
  icon: ComponentType<IconProps>;
}

const look = (label: string, tone: Tone, icon: ComponentType<IconProps>): StatusLook => ({ label, tone, icon });

export const STATUSES: Readonly<Record<string, StatusLook>> = {
  // Messages
  accepted: look('Accepted', 'flight', IconCircleDashed),
  queued: look('Queued', 'flight', IconCircleDashed),
  claimed: look('Sending', 'flight', IconSend),
  submitting: look('Sending', 'flight', IconSend),
  enroute: look('En route', 'flight', IconSend),
  sent: look('Sent', 'flight', IconCheck),
  delivered: look('Delivered', 'ok', IconChecks),
  read: look('Read', 'ok', IconChecks),
  answered: look('Answered', 'ok', IconChecks),
  received: look('Received', 'ok', IconCheck),
  undelivered: look('Undelivered', 'fail', IconX),
  failed: look('Failed', 'fail', IconX),
  rejected: look('Rejected', 'fail', IconX),
  blocked: look('Blocked', 'fail', IconBan),
  unsubscribed: look('Unsubscribed', 'off', IconBan),
  expired: look('Expired', 'off', IconClock),
  unknown: look('Unknown', 'off', IconCircleDashed),
  // Campaigns, imports, exports
  draft: look('Draft', 'off', IconPencil),
  in_complete: look('Incomplete', 'off', IconPencil),
  scheduled: look('Scheduled', 'wait', IconClock),
  preparing: look('Preparing', 'flight', IconProgress),
  in_progress: look('In progress', 'flight', IconProgress),
  running: look('Running', 'flight', IconProgress),
  paused: look('Paused', 'wait', IconPlayerPause),
  completed: look('Completed', 'ok', IconCheck),
  canceled: look('Canceled', 'off', IconBan),
  error: look('Error', 'fail', IconAlertTriangle),
  // Senders, templates
  pending: look('Pending', 'wait', IconClock),
  in_process: look('Pending', 'wait', IconClock),
  approved: look('Approved', 'ok', IconCheck),
  available: look('Available', 'ok', IconCheck),
  unregistered: look('Unregistered', 'off', IconCircleDashed),
  deleted: look('Deleted', 'off', IconX),
  // Payments
  paid: look('Paid', 'ok', IconCheck),
  frozen: look('In Review', 'wait', IconSnowflake),
  refunded: look('Refunded', 'off', IconRefresh),
  partially_refunded: look('Partially refunded', 'off', IconRefresh),
  // Users, accounts, connections
  active: look('Active', 'ok', IconCheck),
  verified: look('Verified', 'ok', IconCheck),
  unverified: look('Unverified', 'wait', IconClockPause),
  form_submitted: look('In review', 'wait', IconClock),
  new: look('New', 'wait', IconCircleDashed),
  bound: look('Bound', 'ok', IconCheck),
  connecting: look('Connecting', 'wait', IconProgress),
  throttled: look('Throttled', 'wait', IconPlayerPause),
  waiting: look('Waiting', 'fail', IconClock),
  stopped: look('Stopped', 'off', IconPlayerPause),
  disconnected: look('Disconnected', 'fail', IconX),
  disabled: look('Disabled', 'off', IconBan),
};

/** Statuses of sender requests use the upper-case words COMPLETED and CANCELED for other things than campaigns do. */
export const SENDER_REQUEST: Readonly<Record<string, StatusLook>> = {
  completed: look('Available', 'ok', IconCheck),
  canceled: look('Rejected', 'fail', IconX),
  in_process: look('Pending', 'wait', IconClock),
  deleted: look('Deleted', 'off', IconX),
};

export function statusLook(status: string, words: Readonly<Record<string, StatusLook>> = STATUSES): StatusLook {
  const key = status.toLowerCase();
  const text = key.replaceAll('_', ' ');
  return words[key] ?? STATUSES[key] ?? look(text.charAt(0).toUpperCase() + text.slice(1), 'off', IconCircleDashed);
}
