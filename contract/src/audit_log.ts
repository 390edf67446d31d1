/** The log of what was done: sign-ins, security, team, keys, money. */
import { z } from 'zod';
import { commaList, listQuery, search, timestamp, timestampInput, uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const AuditEntry = z.object({
  id: z.string(),
  action: z.string(),
  user_id: z.string().nullable(),
  /** The operator, or the parent's user, who acted in the user's name. */
  real_user_id: z.string().nullable(),
  key_id: z.string().nullable(),
  actor_name: z.string(),
  target_type: z.string(),
  target_id: z.string(),
  target_name: z.string(),
  detail: z.record(z.string(), z.unknown()),
  address: z.string(),
  agent: z.string(),
  request_id: z.string(),
  create_date: timestamp,
});
export type AuditEntry = z.output<typeof AuditEntry>;

/**
 * Every act in words, as a sentence goes on after the person's name; what it was done to stands behind. A test finds an act of the server that is
 * missing here.
 */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  'account.signed_up': 'signed up',
  'account.updated': 'changed the company',
  'account.form_submitted': 'sent the form for approval',
  'account.approved': 'approved the account',
  'account.rejected': 'rejected the account',
  'account.more_asked': 'asked for more about the company',
  'account.blocked': 'blocked the account',
  'account.unblocked': 'unblocked the account',
  'account.closed': 'closed the account',
  'account.reopened': 'opened the account again',
  'account.erased': 'erased the personal data of the account',
  'account.second_factor_required': 'made a second factor required',
  'account.second_factor_optional': 'made the second factor optional',
  'email.verified': 'confirmed an e-mail address',
  'email.changed': 'changed the e-mail address',
  'phone.verified': 'verified a phone number',
  'phone.changed': 'changed the phone number',
  'password.changed': 'changed the password',
  'password.reset': 'chose a new password by mail',
  'totp.added': 'set up an authenticator',
  'totp.removed': 'removed the authenticator',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'recovery_code.used': 'used a recovery code',
  'recovery_codes.renewed': 'made new recovery codes',
  'social_network.connected': 'connected a sign-in provider',
  'social_network.disconnected': 'disconnected a sign-in provider',
  'session.signed_in': 'signed in',
  'session.sign_in_failed': 'failed to sign in',
  'session.signed_out': 'signed out',
  'session.switched': 'went over to another company of theirs',
  'session.ended': 'ended a session',
  'session.others_ended': 'ended all other sessions',
  'impersonation.requested': 'asked to enter the account for support',
  'impersonation.started': 'entered the account for support',
  'impersonation.ended': 'left the account',
  'user.created': 'created a user',
  'user.updated': 'changed a user',
  'user.renamed': 'changed their name',
  'user.blocked': 'blocked a user',
  'user.unblocked': 'unblocked a user',
  'user.removed': 'deleted a user',
  'user.personal_data_exported': 'took along their personal data',
  'invitation.created': 'invited somebody',
  'invitation.sent_again': 'sent an invitation again',
  'invitation.revoked': 'revoked an invitation',
  'invitation.accepted': 'accepted an invitation',
  'sub_account.created': 'created a sub-account',
  'sub_account.updated': 'changed a sub-account',
  'sub_account.closed': 'closed a sub-account',
  'sub_account.entered': 'entered a sub-account',
  'sub_account.left': 'left a sub-account',
  'sender.created': 'was given a sender',
};

const auditFilter = {
  search,
  actions: commaList(z.string()),
  user_id: uuid(1130),
  from_date: timestampInput(1705),
  to_date: timestampInput(1705),
};
export const listAudit = endpoint({
  id: 'audit_log.list',
  method: 'GET',
  path: '/v1/audit_log',
  summary: 'Sign-ins and acts that touch security, team, keys or money; only ever added to',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  query: listQuery(auditFilter),
  list: true,
  output: AuditEntry,
  problems: [],
});
export const exportAudit = endpoint({
  id: 'audit_log.export',
  method: 'GET',
  path: '/v1/audit_log/export',
  summary: 'The same as a CSV file',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  query: listQuery(auditFilter),
  raw: 'text/csv',
  output: z.null(),
  problems: [],
});
