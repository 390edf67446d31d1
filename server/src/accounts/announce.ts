/** Announces account changes to the account's own users and to operators. */
import { accountChanged, sessionChanged } from '@parley/contract/accounts/accounts.ts';
import { customerChanged } from '@parley/contract/admin/customers.ts';
import { type RequestKind, requestChanged } from '@parley/contract/admin/requests.ts';
import type { EventType } from '@parley/contract/event.ts';
import type { z } from 'zod';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Acting } from '../kernel/security/audit.ts';
import type { AccountStatus } from './queries.ts';

/** The acting user, and the settings that mail links need. Every request context has both. */
export type Who = Acting & { kernel: Pick<Kernel, 'config'> };

/** Notifies the company's users, and the operators who can view customers. */
export async function announceAccount(tx: Tx, account_id: string, status: AccountStatus): Promise<void> {
  emit(tx, accountChanged, account_id, { id: account_id, status });
  await announceCustomer(tx, account_id);
}

/**
 * Notifies operators only. Used for changes that only operators see, or that the company learns about from other
 * events.
 */
export const announceCustomer = (tx: Tx, account_id: string): Promise<void> =>
  emitToOperators(tx, customerChanged, { id: account_id });

/**
 * Announces that a review request was created, answered, decided, or withdrawn. Reviews of companies use
 * `announceCustomer` instead.
 */
export const announceRequest = (tx: Tx, kind: RequestKind, id: string): Promise<void> =>
  emitToOperators(tx, requestChanged, { kind, id });

export async function emitToOperators<P extends z.ZodType>(
  tx: Tx,
  type: EventType<P>,
  payload: z.input<P>,
): Promise<void> {
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, type, id, payload);
}

/**
 * Tells open pages that permissions have changed. The pages reload the permissions, and sign out if the user has lost
 * access. A null `user_id` means all users of the account.
 */
export const announceRights = (tx: Tx, account_id: string, user_id: string | null): void =>
  emit(tx, sessionChanged, account_id, { user_id });

/**
 * Announces one user's changed permissions, including in the accounts they have entered: sub-accounts or, for an
 * operator, customers.
 */
export async function announceUserRights(tx: Tx, account_id: string, user_id: string): Promise<void> {
  announceRights(tx, account_id, user_id);
  const entered = await tx.rows<{ account_id: string; user_id: string }>(sql`
    select distinct account_id, user_id from sessions
    where real_account_id = ${account_id} and real_user_id = ${user_id} and revoke_date is null
      and expire_date > ${tx.now}`);
  for (const session of entered) announceRights(tx, session.account_id, session.user_id);
}

interface Owner {
  id: string;
  email: string;
  first_name: string;
}

export const selectOwners = (tx: Tx, account_id: string): Promise<Owner[]> =>
  tx.rows<Owner>(sql`
    select id, email, first_name from users
    where account_id = ${account_id} and is_owner and remove_date is null order by id`);
