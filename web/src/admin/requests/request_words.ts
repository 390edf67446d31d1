/** Labels for customer requests. */
import {
  KIND_LABELS,
  REQUEST_KINDS,
  REQUEST_STATES,
  REQUEST_STATUS,
  type Request,
} from '@parley/contract/admin/requests.ts';

export const STATUS_OPTIONS = REQUEST_STATES.map((value) => ({ value, label: REQUEST_STATUS[value].label }));
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
