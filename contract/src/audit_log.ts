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

/** Actions in words, as a sentence goes on after the person's name. An action that is missing here is shown by its name. */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  'account.updated': 'changed the company',
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
