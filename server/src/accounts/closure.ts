/**
 * Closing one's own company: the owner, in person, with the name of the company, their password and second factor, because it cannot be undone by
 * them.
 */
import type { closeAccount as endpoint } from '@parley/contract/accounts/company.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { demandProof } from '../auth/auth.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { closeAccount } from './lifecycle.ts';
import * as queries from './queries.ts';

export async function closeOwnAccount(ctx: Ctx, body: Parsed<typeof endpoint>['body']): Promise<void> {
  const { kernel, actor } = ctx;
  const owner = actor.user_id ? await queries.closerOf(kernel.db, actor.account_id, actor.user_id) : null;
  if (!owner?.is_owner) throw new Problem('PERMISSION_REQUIRED', { message: 'Only the owner can close the account' });
  if (owner.kind === 'OPERATOR')
    throw new Problem('PERMISSION_REQUIRED', { message: 'The operators’ account cannot be closed' });
  if (owner.parent_id)
    throw new Problem('PERMISSION_REQUIRED', { message: 'A sub-account is closed by its parent company' });
  if (plain(body.company_name) !== plain(owner.company_name)) throw new Problem('COMPANY_NAME_MISMATCH');
  await demandProof(ctx, body, 'grave');
  await kernel.db.tx((tx) => closeAccount(tx, ctx, actor.account_id));
}

const plain = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
