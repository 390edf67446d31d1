/** Telling everybody concerned that an account changed: its own people, those who work on it as operators, and its owner by mail. */
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

/** Who acts, and what a mail's links begin with. The context of a request fits. */
export type Who = Acting & { kernel: Pick<Kernel, 'config'> };

/** Heard by the company's people and, in the operators' accounts, by those who look at customers. */
export async function announceAccount(tx: Tx, account_id: string, status: AccountStatus): Promise<void> {
  emit(tx, accountChanged, account_id, { id: account_id, status });
  await announceCustomer(tx, account_id);
}

/** For operators alone: something of a customer changed that only they see, or that its own events tell already. */
export const announceCustomer = (tx: Tx, account_id: string): Promise<void> =>
  tellOperators(tx, customerChanged, { id: account_id });

/** What operators decide on was sent, answered, decided or taken back. Of companies `announceCustomer` tells. */
export const announceRequest = (tx: Tx, kind: RequestKind, id: string): Promise<void> =>
  tellOperators(tx, requestChanged, { kind, id });

export async function tellOperators<P extends z.ZodType>(
  tx: Tx,
  type: EventType<P>,
  payload: z.input<P>,
): Promise<void> {
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, type, id, payload);
}

/** Rights changed: open pages ask again, and are out if that is what they hear. Null: everybody of the account. */
export const announceRights = (tx: Tx, account_id: string, user_id: string | null): void =>
  emit(tx, sessionChanged, account_id, { user_id });

/** The same of one person, wherever they are by right of this company: in a sub-account, or as an operator in a customer's. */
export async function announceRightsOf(tx: Tx, account_id: string, user_id: string): Promise<void> {
  announceRights(tx, account_id, user_id);
  const entered = await tx.rows<{ account_id: string; user_id: string }>(sql`
    select distinct account_id, user_id from sessions
    where real_account_id = ${account_id} and real_user_id = ${user_id} and revoke_date is null and expire_date > ${tx.now}`);
  for (const session of entered) announceRights(tx, session.account_id, session.user_id);
}

export interface Owner {
  id: string;
  email: string;
  first_name: string;
}

export const ownersOf = (tx: Tx, account_id: string): Promise<Owner[]> =>
  tx.rows<Owner>(sql`
    select id, email, first_name from users
    where account_id = ${account_id} and is_owner and remove_date is null order by id`);
