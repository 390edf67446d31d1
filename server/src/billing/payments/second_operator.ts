/**
 * Above an amount, a change of a customer's balance needs two operators (decision 107). The installation sets the
 * amount for each currency. What one operator changes in one account within a day counts together, so that splitting an
 * amount does not avoid the approval.
 */
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';

/** A change that two operators agreed on. The audit log of the account names both. */
export interface Approval {
  readonly proposal_id: string;
  readonly proposed_by: string;
}

const DAY_MS = 86_400_000;
/** The actions that `requireOneOperator` precedes. Their entries in the audit log have the amounts. */
const ACTIONS = ['balance.topped_up', 'balance.corrected', 'payment.confirmed', 'payment.refunded'];

interface Account {
  company_name: string;
  currency: string;
  closed: boolean;
  kind: 'CUSTOMER' | 'OPERATOR';
}

/** The account stays locked, so that a concurrent change of it waits and then finds this one. */
export async function lockAccount(tx: Tx, account_id: string): Promise<Account> {
  const account = await tx.maybeOne<Account>(sql`
    select company_name, currency, close_date is not null as closed, kind from accounts
    where id = ${account_id} for update`);
  if (!account) throw new Problem('ACCOUNT_NOT_FOUND');
  return account;
}

interface Change {
  account_id: string;
  currency: string;
  amount_micros: number;
}

/** Throws SECOND_OPERATOR_REQUIRED if the caller may not make the change alone. */
export async function requireOneOperator(
  { kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>,
  db: Queryable,
  { account_id, currency, amount_micros }: Change,
): Promise<void> {
  const limit = kernel.config.SECOND_OPERATOR_ABOVE.find((amount) => amount.currency === currency);
  if (!limit) return;
  const since = new Date(kernel.db.clock.now().getTime() - DAY_MS);
  const { sum } = await db.one<{ sum: number }>(sql`
    select coalesce(sum(coalesce(detail->>'refunded_micros', detail->>'amount_micros')::bigint), 0)::bigint as sum
    from audit_log
    where account_id = ${account_id} and create_date > ${since} and user_id is not distinct from ${actor.user_id}::uuid
      and action = any(${ACTIONS}::text[]) and not detail ? 'proposal_id'`);
  if (sum + amount_micros > limit.micros) throw new Problem('SECOND_OPERATOR_REQUIRED');
}
