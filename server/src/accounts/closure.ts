/**
 * Closes the user's own company. This cannot be undone, so only the owner can do it. They must enter the company name
 * and re-authenticate.
 */
import type { closeAccount as endpoint } from '@parley/contract/accounts/company.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { reauthenticate } from '../auth/auth.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { closeAccount } from './lifecycle.ts';
import * as queries from './queries.ts';

export async function closeOwnAccount(ctx: Ctx, body: Parsed<typeof endpoint>['body']): Promise<void> {
  const { kernel, actor } = ctx;
  const owner = actor.user_id ? await queries.selectCloser(kernel.db, actor.account_id, actor.user_id) : null;
  if (!owner?.is_owner) throw new Problem('PERMISSION_REQUIRED', { message: 'Only the owner can close the account' });
  if (owner.kind === 'OPERATOR')
    throw new Problem('PERMISSION_REQUIRED', { message: 'The operator account cannot be closed' });
  if (owner.parent_id)
    throw new Problem('PERMISSION_REQUIRED', { message: 'Only the parent company can close a sub-account' });
  if (normalizeName(body.company_name) !== normalizeName(owner.company_name))
    throw new Problem('COMPANY_NAME_MISMATCH');
  await reauthenticate(ctx, body, 'both');
  await kernel.db.tx((tx) => closeAccount(tx, ctx, actor.account_id));
}

const normalizeName = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
