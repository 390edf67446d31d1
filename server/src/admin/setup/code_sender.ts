/** The sender of verification codes. It belongs to the operators' account, which pays for the codes. */
import { type CodeSender, type CodeSenderChoice, setupChanged } from '@parley/contract/admin/setup.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { findCodeSender } from '../../verify/verify.ts';

export async function getCodeSender(db: Queryable): Promise<CodeSender> {
  const account = await db.one<Pick<CodeSender, 'account_id' | 'currency' | 'spendable_micros'>>(sql`
    select a.id as account_id, a.currency, coalesce(b.available_micros + b.credit_limit_micros, 0) as spendable_micros
    from accounts a left join balances b on b.account_id = a.id where a.kind = 'OPERATOR' order by a.id limit 1`);
  const senders = await db.rows<CodeSenderChoice>(sql`
    select id, name, code, type, status, status in ('available', 'approved') as usable from senders
    where account_id = ${account.account_id} and channel = ${PHONE_CHANNEL} and delete_date is null
      and shared_from is null
    order by create_date, id limit 100`);
  const chosen = await db.maybeOne<{ sender_id: string }>(sql`select sender_id from code_sender`);
  const current = await findCodeSender(db);
  return { ...account, sender_id: current?.id ?? null, chosen_id: chosen?.sender_id ?? null, senders };
}

/** Throws SENDER_NOT_FOUND if the operators have no such sender, or CODE_SENDER_NOT_USABLE. */
export async function chooseCodeSender(ctx: Ctx, sender_id: string): Promise<CodeSender> {
  const { tx } = ctx;
  const { account_id, senders } = await getCodeSender(tx);
  const sender = senders.find(({ id }) => id === sender_id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  if (!sender.usable) throw new Problem('CODE_SENDER_NOT_USABLE');
  await tx.run(sql`
    insert into code_sender (account_id, sender_id, update_date) values (${account_id}, ${sender_id}, ${tx.now})
    on conflict (sole) do update set
      account_id = excluded.account_id, sender_id = excluded.sender_id, update_date = excluded.update_date`);
  record(tx, ctx, {
    action: 'code_sender.updated',
    target: { type: 'sender', id: sender_id, name: sender.code },
  });
  await emitToOperators(tx, setupChanged, { step: 'code_sender' });
  return getCodeSender(tx);
}
