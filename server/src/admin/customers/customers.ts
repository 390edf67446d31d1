/**
 * Lets operators view and change customers. Every change is recorded in the customer's audit log under the operator's
 * name and reaches the customer's open pages within a second. The status rules are in accounts/, and the money rules
 * are in billing/.
 */
import type { AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import type * as contract from '@parley/contract/admin/customers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import type { TeamUser } from '@parley/contract/team/team.ts';
import {
  announceAccount,
  announceCustomer,
  announceRights,
  blockAccount,
  blockUser,
  correctForm,
  listAudit,
  reopenAccount,
  requireCountry,
  toAccountView,
} from '../../accounts/accounts.ts';
import { countAcceptedMessages, setCreditLimit } from '../../billing/billing.ts';
import { type Queryable, violates } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { createSender, findSenders } from '../../senders/senders.ts';
import { getTeamUser, listUsers } from '../../team/team.ts';
import * as queries from './customer_queries.ts';

type Listed = Omit<contract.Customer, 'messages_30_days'>;

const MESSAGE_DAYS = 30;

export async function listCustomers(
  db: Queryable,
  query: Parsed<typeof contract.listCustomers>['query'],
): Promise<Paged<Listed>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, count] = await Promise.all([
    queries.listCustomerRows(db, filter, page),
    queries.countCustomers(db, filter),
  ]);
  return paged(page, rows.map(toCustomer), count, ({ id }) => id);
}

export function toCustomer({ owner_phone, ...row }: queries.CustomerRow): Listed {
  const { is_restricted_onboarding } = toAccountView(row, owner_phone);
  return { ...row, is_restricted_onboarding };
}

export async function getCustomer(db: Queryable, id: string): Promise<contract.Customer> {
  const row = await requireCustomer(db, id);
  return { ...toCustomer(row), messages_30_days: await countAcceptedMessages(db, id, MESSAGE_DAYS) };
}

async function requireCustomer(db: Queryable, id: string): Promise<queries.CustomerRow> {
  const row = await queries.findCustomer(db, id);
  if (!row) throw new Problem('ACCOUNT_NOT_FOUND');
  return row;
}

/**
 * Throws ACCOUNT_CLOSED if the account is closed. The log entry contains the values before and after the change, and
 * the reason.
 */
export async function updateCustomer(
  ctx: Ctx,
  id: string,
  { reason = '', credit_limit_micros, ...input }: Parsed<typeof contract.updateCustomer>['body'],
): Promise<contract.Customer> {
  const { tx } = ctx;
  if (credit_limit_micros !== undefined && !permits(ctx.actor.permissions, 'PAYMENTS:edit'))
    throw new Problem('PERMISSION_REQUIRED', { message: needReason('PAYMENTS:edit'), field: 'credit_limit_micros' });
  const before = await queries.lockCustomer(tx, id);
  if (!before) throw new Problem('ACCOUNT_NOT_FOUND');
  if (before.closed) throw new Problem('ACCOUNT_CLOSED');
  if (input.country_code) requireCountry(input.country_code);
  const after = { ...before, ...input, ...(input.tags ? { tags: [...new Set(input.tags)] } : {}) };
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const name of ['company_name', 'country_code', 'tags', 'channels', 'tax_rate', 'import_rows'] as const)
    if (String(before[name]) !== String(after[name])) changes[name] = { from: before[name], to: after[name] };
  if (changes.tax_rate && !permits(ctx.actor.permissions, 'PAYMENTS:edit'))
    throw new Problem('PERMISSION_REQUIRED', { message: needReason('PAYMENTS:edit'), field: 'tax_rate' });
  if (Object.keys(changes).length > 0) {
    // Only the owner may change the operators' account. Its credit limit works like any other account's, because it
    // pays for verification codes sent to phones.
    if (before.kind === 'OPERATOR' && !(await queries.isOwner(tx, id, ctx.actor.user_id)))
      throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'Only its owner can change the operators’ account' });
    await requireNewName(() => queries.updateCustomer(tx, id, after));
    if (changes.company_name || changes.country_code) {
      const { company_name, country_code } = after;
      await correctForm(tx, id, { company_name, country_code });
    }
  }
  if (credit_limit_micros !== undefined) {
    const from = await setCreditLimit(tx, id, credit_limit_micros);
    if (from !== credit_limit_micros) changes.credit_limit_micros = { from, to: credit_limit_micros };
  }
  if (Object.keys(changes).length === 0) return getCustomer(tx, id);
  record(tx, ctx, {
    action: 'account.updated',
    account_id: id,
    target: { type: 'account', id, name: after.company_name },
    detail: { changes, ...(reason ? { reason } : {}) },
  });
  await announceAccount(tx, id, before.status);
  // A tag can end a trial, and a channel can unlock a page.
  if (changes.tags || changes.channels) announceRights(tx, id, null);
  return getCustomer(tx, id);
}

async function requireNewName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error)) throw new Problem('COMPANY_NAME_EXISTS');
    throw error;
  }
}

export async function blockCustomer(
  ctx: Ctx,
  id: string,
  { blocked, reason }: { blocked: boolean; reason: string },
): Promise<contract.Customer> {
  await blockAccount(ctx.tx, ctx, id, blocked, reason);
  return getCustomer(ctx.tx, id);
}

export async function reopenCustomer(ctx: Ctx, id: string): Promise<contract.Customer> {
  await reopenAccount(ctx.tx, ctx, id);
  return getCustomer(ctx.tx, id);
}

export async function listCustomerUsers(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof contract.listCustomerUsers>['query'],
): Promise<Paged<TeamUser>> {
  await requireCustomer(db, account_id);
  return listUsers(db, account_id, query);
}

export async function blockCustomerUser(
  ctx: Ctx,
  { id, user_id }: { id: string; user_id: string },
  { blocked, reason }: { blocked: boolean; reason: string },
): Promise<TeamUser> {
  await blockUser(ctx.tx, ctx, id, user_id, blocked, reason);
  return getTeamUser(ctx.tx, id, user_id);
}

export async function listCustomerSenders(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof contract.listCustomerSenders>['query'],
): Promise<Paged<Sender>> {
  await requireCustomer(db, account_id);
  return findSenders(db, { account_id }, query);
}

export async function createCustomerSender(
  ctx: Ctx,
  account_id: string,
  body: Parsed<typeof contract.createCustomerSender>['body'],
): Promise<Sender> {
  const { tx, kernel } = ctx;
  const account = await queries.lockCustomer(tx, account_id);
  if (!account) throw new Problem('ACCOUNT_NOT_FOUND');
  if (account.closed) throw new Problem('ACCOUNT_CLOSED');
  const sender = await createSender(tx, kernel, account_id, body);
  record(tx, ctx, {
    action: 'sender.created',
    account_id,
    target: { type: 'sender', id: sender.id, name: sender.code },
    detail: { name: sender.name, type: sender.type, channel: sender.channel },
  });
  await announceCustomer(tx, account_id);
  return sender;
}

export async function listCustomerAudit(
  db: Queryable,
  account_id: string,
  query: Parsed<typeof contract.listCustomerAudit>['query'],
): Promise<Paged<AuditEntry>> {
  await requireCustomer(db, account_id);
  return listAudit(db, account_id, query);
}
