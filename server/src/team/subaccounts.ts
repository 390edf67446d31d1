/**
 * Sub-accounts belong to a parent company, and use its currency and verification. They cannot have their own
 * sub-accounts. The owner is created immediately, so that the parent can enter the account. The owner can sign in after
 * accepting an invitation.
 */

import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type {
  createSubAccount as createEndpoint,
  SubAccount,
  updateSubAccount as updateEndpoint,
} from '@parley/contract/team/subaccounts.ts';
import {
  announceAccount,
  blockSubAccount,
  closeSubAccount as close,
  lockSubAccount,
  readTimezone,
  requireCountry,
} from '../accounts/accounts.ts';
import { reauthenticate } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceTeam, type TeamActor } from './announce.ts';
import { insertInvitation } from './invitations.ts';
import { insertUser } from './queries.ts';
import * as rows from './subaccount_queries.ts';

export async function listSubAccounts(
  db: Queryable,
  { account_id }: Actor,
  query: {
    page?: number | undefined;
    page_size?: number | undefined;
    page_token?: string | undefined;
    sort?: string | undefined;
    filter?: { search?: string | undefined } | undefined;
  },
): Promise<Paged<SubAccount>> {
  await requireMainAccount(db, account_id);
  const page = readPage(query);
  const filter = query.filter ?? {};
  const subAccounts = await rows.listSubAccountRows(db, account_id, filter, page);
  return paged(page, subAccounts, await rows.countSubAccounts(db, account_id, filter));
}

export async function createSubAccount(
  tx: Tx,
  who: TeamActor,
  body: Parsed<typeof createEndpoint>['body'],
): Promise<SubAccount> {
  const { account_id: parent_id } = who.actor;
  await requireMainAccount(tx, parent_id);
  requireCountry(body.country_code);
  const id = newId();
  const details = {
    company_name: body.company_name,
    country_code: body.country_code,
    timezone: readTimezone(body.timezone),
  };
  await rejectTakenName(rows.insertSubAccount(tx, { id, parent_id, ...details }));
  const user_id = newId();
  const owner = {
    account_id: id,
    email: body.email,
    first_name: body.first_name,
    last_name: body.last_name,
    position: '',
    permissions: allPermissions(),
  };
  await insertInvitation(tx, who, { ...owner, user_id, is_owner: true }, () =>
    insertUser(tx, { ...owner, id: user_id, login_id: null, is_owner: true }),
  );
  report(tx, who, 'sub_account.created', { id, ...details }, { owner: body.email });
  await announceAccount(tx, id, 'VERIFIED');
  await announceTeam(tx, parent_id);
  return getSubAccount(tx, parent_id, id);
}

export async function updateSubAccount(
  tx: Tx,
  who: TeamActor,
  id: string,
  { blocked, ...change }: Parsed<typeof updateEndpoint>['body'],
): Promise<SubAccount> {
  const { account_id: parent_id } = who.actor;
  const account = await lockSubAccount(tx, parent_id, id);
  if (change.country_code !== undefined) requireCountry(change.country_code);
  const details = {
    company_name: change.company_name,
    country_code: change.country_code,
    timezone: change.timezone === undefined ? undefined : readTimezone(change.timezone),
  };
  const changes = Object.entries(details).filter(([, value]) => value !== undefined);
  if (changes.length > 0) {
    await rejectTakenName(rows.updateSubAccount(tx, id, details));
    report(tx, who, 'sub_account.updated', account, Object.fromEntries(changes));
    await announceAccount(tx, id, account.status);
  }
  if (blocked !== undefined) await blockSubAccount(tx, who, parent_id, id, blocked);
  await announceTeam(tx, parent_id);
  return getSubAccount(tx, parent_id, id);
}

/** Checks that the sub-account exists, then requires re-authentication. */
export async function closeSubAccount(ctx: Ctx, id: string, credentials: Reauthentication): Promise<null> {
  const { account_id: parent_id } = ctx.actor;
  if (!(await rows.findSubAccount(ctx.kernel.db, parent_id, id))) throw new Problem('SUBACCOUNT_NOT_FOUND');
  await reauthenticate(ctx, credentials, 'both');
  await ctx.kernel.db.tx(async (tx) => {
    const account = await lockSubAccount(tx, parent_id, id);
    await close(tx, ctx, parent_id, id);
    report(tx, ctx, 'sub_account.closed', account, {});
    await announceTeam(tx, parent_id);
  });
  return null;
}

/** Records the action in the parent's audit log. Changes to the sub-account's status also appear in its own log. */
function report(
  tx: Tx,
  who: TeamActor,
  action: string,
  account: { id: string; company_name: string },
  detail: Record<string, unknown>,
): void {
  record(tx, who, { action, target: { type: 'account', id: account.id, name: account.company_name }, detail });
}

async function requireMainAccount(db: Queryable, account_id: string): Promise<void> {
  if (!(await rows.isMain(db, account_id)))
    throw new Problem('PERMISSION_REQUIRED', { message: 'A sub-account cannot have sub-accounts' });
}

async function getSubAccount(db: Queryable, parent_id: string, id: string): Promise<SubAccount> {
  const subAccount = await rows.findSubAccount(db, parent_id, id);
  if (!subAccount) throw new Problem('SUBACCOUNT_NOT_FOUND');
  return subAccount;
}

const rejectTakenName = (write: Promise<unknown>): Promise<unknown> =>
  write.catch((error: unknown) => {
    throw violates(error, 'accounts_sibling') ? new Problem('COMPANY_NAME_EXISTS') : error;
  });
