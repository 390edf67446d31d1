/** The currencies of new accounts. Prices decide in which of them a customer can pay (accountCurrency). */
import { type Currency, setupChanged } from '@parley/contract/admin/setup.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';

export const listCurrencies = (db: Queryable) =>
  db.rows<Currency>(sql`
    select c.code, c.enabled, c.is_default,
      (select count(*) from rates r where r.account_id is null and r.channel = ${PHONE_CHANNEL}
         and r.currency = c.code)::int as prices_count,
      (select count(*) from accounts a where a.currency = c.code and a.kind = 'CUSTOMER' and a.close_date is null)::int
        as accounts_count
    from currencies c order by c.is_default desc, c.enabled desc, c.code`);

/** Throws CURRENCY_DEFAULT_REQUIRED if the default currency would no longer be offered. */
export async function updateCurrency(
  ctx: Ctx,
  code: string,
  { enabled, is_default }: { enabled?: boolean | undefined; is_default?: true | undefined },
): Promise<Currency[]> {
  const { tx } = ctx;
  const rows = await tx.rows<{ code: string; enabled: boolean; is_default: boolean }>(sql`
    select code, enabled, is_default from currencies order by code for update`);
  const before = rows.find((row) => row.code === code)!;
  if (enabled === false && (before.is_default || is_default)) throw new Problem('CURRENCY_DEFAULT_REQUIRED');
  const after = {
    enabled: is_default ? true : (enabled ?? before.enabled),
    is_default: is_default ?? before.is_default,
  };
  if (after.enabled === before.enabled && after.is_default === before.is_default) return listCurrencies(tx);
  if (is_default) await tx.run(sql`update currencies set is_default = false where is_default`);
  await tx.run(sql`
    update currencies set enabled = ${after.enabled}, is_default = ${after.is_default} where code = ${code}`);
  if (is_default) await changeUnusedOperators(tx, code);
  record(tx, ctx, { action: 'currency.updated', target: { type: 'currency', id: code, name: code }, detail: after });
  await emitToOperators(tx, setupChanged, { step: 'currency' });
  return listCurrencies(tx);
}

/** The operators' account pays for codes in the default currency, unless it has already paid in another one. */
async function changeUnusedOperators(tx: Tx, code: string): Promise<void> {
  await tx.run(sql`
    with unused as (
      update balances b set currency = ${code}, update_date = ${tx.now} from accounts a
      where a.id = b.account_id and a.kind = 'OPERATOR'
        and not exists (select from ledger l where l.account_id = b.account_id)
      returning b.account_id
    )
    update accounts a set currency = ${code}, update_date = ${tx.now} from unused where a.id = unused.account_id`);
}
