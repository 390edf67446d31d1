/** Labels for customer requests. */
import { KIND_LABELS, REQUEST_KINDS, type Request } from '@parley/contract/admin/requests.ts';
import { IconBan, IconCheck, IconClock, IconHelp, IconX } from '@tabler/icons-react';
import type { StatusStyle } from '../../ui/data/status.ts';

export const REQUEST_STATUS_WORDS: Readonly<Record<Request['status'], StatusStyle>> = {
  waiting: { label: 'Waiting', tone: 'wait', icon: IconClock },
  asked: { label: 'Information requested', tone: 'flight', icon: IconHelp },
  approved: { label: 'Approved', tone: 'ok', icon: IconCheck },
  rejected: { label: 'Rejected', tone: 'fail', icon: IconX },
  withdrawn: { label: 'Withdrawn', tone: 'off', icon: IconBan },
};
export const REQUEST_STATES = Object.entries(REQUEST_STATUS_WORDS).map(([value, { label }]) => ({ value, label }));
export const KINDS = REQUEST_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

/** Describes what another operator or the customer did while the request was open here: "Olive Marlow approved it". */
export const DECISION_WORDS: Readonly<Record<Request['status'], string>> = {
  waiting: 'changed it',
  asked: 'requested more information',
  approved: 'approved it',
  rejected: 'rejected it',
  withdrawn: 'withdrew it',
};

/** How long a request has waited: "12 min", "5 h", "3 days". */
export function waitingTime(create_date: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(`${create_date.replace(' ', 'T')}Z`)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}
