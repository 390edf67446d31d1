/**
 * Companies of a company. A sub-account is an account like any other, in its parent's currency and approved like its parent, but it can have none
 * of its own. Its owner exists at once, so that the parent can enter it, and gets in personally by an invitation.
 */

import type { Proof } from '@parley/contract/auth/proof.ts';
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
  demandCountry,
  lockSubAccount,
  readTimezone,
} from '../accounts/accounts.ts';
import { demandProof } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { type Paged, paged, pageOf } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceTeam, type Doer } from './announce.ts';
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
    filter?: { search?: string | undefined } | undefined;
  },
): Promise<Paged<SubAccount>> {
  await demandMain(db, account_id);
  const page = pageOf(query);
  const filter = query.filter ?? {};
  const found = await rows.subAccounts(db, account_id, filter, page);
  return paged(page, found, await rows.countSubAccounts(db, account_id, filter));
}

export async function createSubAccount(
  tx: Tx,
  who: Doer,
  body: Parsed<typeof createEndpoint>['body'],
): Promise<SubAccount> {
  const { account_id: parent_id } = who.actor;
  await demandMain(tx, parent_id);
  demandCountry(body.country_code);
  const id = newId();
  const details = {
    company_name: body.company_name,
    country_code: body.country_code,
    timezone: readTimezone(body.timezone),
  };
  await named(rows.insertSubAccount(tx, { id, parent_id, ...details }));
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
  tell(tx, who, 'sub_account.created', { id, ...details }, { owner: body.email });
  await announceAccount(tx, id, 'VERIFIED');
  await announceTeam(tx, parent_id);
  return one(tx, parent_id, id);
}

export async function updateSubAccount(
  tx: Tx,
  who: Doer,
  id: string,
  { blocked, ...change }: Parsed<typeof updateEndpoint>['body'],
): Promise<SubAccount> {
  const { account_id: parent_id } = who.actor;
  const account = await lockSubAccount(tx, parent_id, id);
  if (change.country_code !== undefined) demandCountry(change.country_code);
  const details = {
    company_name: change.company_name,
    country_code: change.country_code,
    timezone: change.timezone === undefined ? undefined : readTimezone(change.timezone),
  };
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  if (given.length > 0) {
    await named(rows.updateSubAccount(tx, id, details));
    tell(tx, who, 'sub_account.updated', account, Object.fromEntries(given));
    await announceAccount(tx, id, account.status);
  }
  if (blocked !== undefined) await blockSubAccount(tx, who, parent_id, id, blocked);
  await announceTeam(tx, parent_id);
  return one(tx, parent_id, id);
}

/** Whoever closes one proves who they are. That it is not there is said before. */
export async function closeSubAccount(ctx: Ctx, id: string, proof: Proof): Promise<null> {
  const { account_id: parent_id } = ctx.actor;
  if (!(await rows.subAccount(ctx.kernel.db, parent_id, id))) throw new Problem('SUBACCOUNT_NOT_FOUND');
  await demandProof(ctx, proof, 'grave');
  await ctx.kernel.db.tx(async (tx) => {
    const account = await lockSubAccount(tx, parent_id, id);
    await close(tx, ctx, parent_id, id);
    tell(tx, ctx, 'sub_account.closed', account, {});
    await announceTeam(tx, parent_id);
  });
  return null;
}

/** In the parent's log; what happens to the sub-account itself stands in its own as well. */
function tell(
  tx: Tx,
  who: Doer,
  action: string,
  account: { id: string; company_name: string },
  detail: Record<string, unknown>,
): void {
  record(tx, who, { action, target: { type: 'account', id: account.id, name: account.company_name }, detail });
}

async function demandMain(db: Queryable, account_id: string): Promise<void> {
  if (!(await rows.isMain(db, account_id)))
    throw new Problem('PERMISSION_REQUIRED', { message: 'A sub-account has no sub-accounts of its own' });
}

async function one(db: Queryable, parent_id: string, id: string): Promise<SubAccount> {
  const found = await rows.subAccount(db, parent_id, id);
  if (!found) throw new Problem('SUBACCOUNT_NOT_FOUND');
  return found;
}

const named = (write: Promise<unknown>): Promise<unknown> =>
  write.catch((error: unknown) => {
    throw violates(error, 'accounts_sibling') ? new Problem('COMPANY_NAME_EXISTS') : error;
  });
