/** Requests of customers in the operators' words. */
import { KIND_LABELS, REQUEST_KINDS, type Request } from '@parley/contract/admin/requests.ts';
import { IconBan, IconCheck, IconClock, IconHelp, IconX } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const REQUEST_LOOKS: Readonly<Record<Request['status'], StatusStyle>> = {
  waiting: { label: 'Waiting', tone: 'wait', icon: IconClock },
  asked: { label: 'Asked', tone: 'flight', icon: IconHelp },
  approved: { label: 'Approved', tone: 'ok', icon: IconCheck },
  rejected: { label: 'Rejected', tone: 'fail', icon: IconX },
  withdrawn: { label: 'Withdrawn', tone: 'off', icon: IconBan },
};
export const REQUEST_STATES = Object.entries(REQUEST_LOOKS).map(([value, { label }]) => ({ value, label }));
export const KINDS = REQUEST_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

/** Of what somebody else did while one had it open. */
export const DONE: Readonly<Record<Request['status'], string>> = {
  waiting: 'has changed it',
  asked: 'has asked the customer',
  approved: 'has approved it',
  rejected: 'has rejected it',
  withdrawn: 'has withdrawn it',
};

/** How long it has waited: "12 min", "5 h", "3 days". Days are what one looks at first. */
export function age(create_date: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(`${create_date.replace(' ', 'T')}Z`)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}
