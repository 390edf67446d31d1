/** What an entry of the audit log says in words. An act that is not listed reads as its own name. */
import { AUDIT_WORDS, type AuditEntry } from '@parley/contract/accounts/audit_log.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Goes on after the person's name: "blocked a user". */
export const auditWord = (action: string): string => AUDIT_WORDS[action] ?? action.replace(/[._]+/g, ' ').trim();
/** By itself: "Blocked a user". */
export const auditTitle = (action: string): string => capital(auditWord(action));

export const AUDIT_OPTIONS = Object.keys(AUDIT_WORDS).map((value) => ({ value, label: auditTitle(value) }));

/** Who did it: the real person behind somebody else's name comes first. */
export const actorWord = (entry: Pick<AuditEntry, 'actor_name' | 'key_id' | 'user_id'>): string =>
  entry.actor_name || (entry.key_id ? 'An API key' : entry.user_id ? 'A user' : 'Parley');

/** What holds names of fields. */
const NAMES: ReadonlySet<string> = new Set(['part', 'fields']);

/** "permissions: CAMPAIGNS 15" — one line for each thing that is told. */
export function detailLines(detail: Readonly<Record<string, unknown>>): { label: string; text: string }[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '' && value !== undefined)
    .map(([key, value]) => ({
      label: capital(key.replaceAll('_', ' ')),
      text: NAMES.has(key) ? textOf(value).replaceAll('_', ' ') : textOf(value),
    }));
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${key.replaceAll('_', ' ')} ${textOf(inner)}`)
      .join(', ');
  return String(value);
}
