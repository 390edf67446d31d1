/** Moves money between a company and its sub-accounts. Both entries are in one transaction and have the same key. */
import type { createTransfer as Endpoint, Transfer } from '@parley/contract/billing/transfers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { lockSubAccount } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { findBalance } from './balance.ts';
import { move } from './movements.ts';

export async function createTransfer(
  ctx: Ctx,
  sub_account_id: string,
  { direction, amount_micros }: Parsed<typeof Endpoint>['body'],
): Promise<Transfer> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const sub = await lockSubAccount(tx, account_id, sub_account_id);
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  // In the order of their ids, so that two transfers in opposite directions cannot deadlock.
  await tx.run(sql`
    select 1 from balances where account_id in (${account_id}, ${sub_account_id}) order by account_id for update`);
  const id = newId();
  const parent = { account_id, company_name };
  const other = { account_id: sub_account_id, company_name: sub.company_name };
  const [payer, payee] = direction === 'to' ? [parent, other] : [other, parent];
  await transferMoney(tx, { payer, payee, amount_micros, key: `transfer:${id}` });
  record(tx, ctx, {
    action: 'balance.transferred',
    account_id,
    target: { type: 'account', id: sub_account_id, name: sub.company_name },
    detail: { direction, amount_micros },
  });
  const balances = [await findBalance(tx, account_id), await findBalance(tx, sub_account_id)];
  return {
    ...{ id, account_id, sub_account_id, direction, amount_micros },
    available_micros: balances[0]!.available_micros,
    sub_account_available_micros: balances[1]!.available_micros,
  };
}

interface Party {
  account_id: string;
  company_name: string;
}
interface Movement {
  payer: Party;
  payee: Party;
  amount_micros: number;
  key: string;
  /** Follows the name of the other account in the notes. */
  note?: string;
}

/**
 * Books both entries. The caller has locked both balances. Throws BALANCE_NOT_ENOUGH before anything is stored if the
 * payer's balance is too low.
 */
export async function transferMoney(tx: Tx, { payer, payee, amount_micros, key, note = '' }: Movement): Promise<void> {
  await move(tx, {
    ...{ account_id: payer.account_id, amount_micros, key, note: `To ${payee.company_name}${note}` },
    kind: 'transfer_out',
    from: 'available',
    to: 'outside',
    limit: 'covered',
  });
  await move(tx, {
    ...{ account_id: payee.account_id, amount_micros, key, note: `From ${payer.company_name}${note}` },
    kind: 'transfer_in',
    from: 'outside',
    to: 'available',
    limit: 'none',
  });
}
