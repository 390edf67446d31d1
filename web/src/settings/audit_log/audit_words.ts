/** Labels for the entries of the audit log. An action without a label shows its own name. */

import { AUDIT_PHRASES, type AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import { brandName } from '../../ui/brand.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Follows the user's name, as in "blocked a user". */
export const actionLabel = (action: string): string => AUDIT_PHRASES[action] ?? action.replace(/[._]+/g, ' ').trim();
/** The label as a title, such as "Blocked a user". */
export const actionTitle = (action: string): string => capital(actionLabel(action));

export const AUDIT_OPTIONS = Object.keys(AUDIT_PHRASES).map((value) => ({ value, label: actionTitle(value) }));

/** The name of the user who performed the action. In an entered account, this is the person who entered it. */
export const actorLabel = (entry: Pick<AuditEntry, 'actor_name' | 'key_id' | 'user_id'>): string =>
  entry.actor_name || (entry.key_id ? 'An API key' : entry.user_id ? 'A user' : brandName());

/** The details whose values are field names. */
const NAME_KEYS: ReadonlySet<string> = new Set(['part', 'fields']);

/** One row per detail, such as "Permissions: CAMPAIGNS 15". */
export function detailRows(detail: Readonly<Record<string, unknown>>): { label: string; text: string }[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '' && value !== undefined)
    .map(([key, value]) => ({
      label: capital(key.replaceAll('_', ' ')),
      text: NAME_KEYS.has(key) ? formatDetail(value).replaceAll('_', ' ') : formatDetail(value),
    }));
}

function formatDetail(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(formatDetail).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${key.replaceAll('_', ' ')} ${formatDetail(inner)}`)
      .join(', ');
  return String(value);
}
