/** What an entry of the audit log says in words. An act that is not listed reads as its own name. */
import type { AuditEntry } from '@parley/contract/audit_log.ts';

export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  'session.started': 'Signed in',
  'session.ended': 'Signed out',
  'session.revoked': 'Session ended',
  'session.refused': 'Sign-in refused',
  'login.locked': 'Sign-in locked for a while',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'email.changed': 'E-mail changed',
  'phone.changed': 'Phone changed',
  'phone.verified': 'Phone verified',
  'second_factor.enabled': 'Second factor set up',
  'second_factor.disabled': 'Second factor removed',
  'recovery_codes.created': 'Recovery codes made',
  'recovery_code.used': 'Recovery code used',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'social_network.connected': 'Sign-in provider connected',
  'social_network.disconnected': 'Sign-in provider disconnected',
  'personal_data.exported': 'Personal data exported',
  'user.invited': 'User invited',
  'user.created': 'User created',
  'user.updated': 'User changed',
  'user.blocked': 'User blocked',
  'user.unblocked': 'User unblocked',
  'user.removed': 'User deleted',
  'invitation.created': 'Invitation sent',
  'invitation.resent': 'Invitation sent again',
  'invitation.revoked': 'Invitation revoked',
  'invitation.accepted': 'Invitation accepted',
  'account.updated': 'Company changed',
  'account.form_submitted': 'Verification form sent',
  'account.approved': 'Company approved',
  'account.rejected': 'Company not approved',
  'account.blocked': 'Company blocked',
  'account.unblocked': 'Company unblocked',
  'account.closed': 'Account closed',
  'account.reopened': 'Account opened again',
  'subaccount.created': 'Sub-account created',
  'subaccount.updated': 'Sub-account changed',
  'subaccount.blocked': 'Sub-account blocked',
  'subaccount.unblocked': 'Sub-account unblocked',
  'subaccount.removed': 'Sub-account closed',
  'key.created': 'API key created',
  'key.updated': 'API key changed',
  'key.revoked': 'API key revoked',
};

export function auditWord(action: string): string {
  const known = AUDIT_WORDS[action];
  if (known) return known;
  const text = action.replace(/[._]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who did it: the real person behind somebody else's name comes first. */
export const actorWord = (entry: Pick<AuditEntry, 'actor_name' | 'key_id' | 'user_id'>): string =>
  entry.actor_name || (entry.key_id ? 'An API key' : entry.user_id ? 'A user' : 'Parley');

/** "permissions: CAMPAIGNS 15" — one line for each thing that is told. */
export function detailLines(detail: Readonly<Record<string, unknown>>): { label: string; text: string }[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '' && value !== undefined)
    .map(([key, value]) => ({
      label: key.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()),
      text: textOf(value),
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
