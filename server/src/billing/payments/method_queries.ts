import type { PaymentMethod } from '@parley/contract/billing/payment_methods.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import type { Card } from '../cards/provider.ts';

const columns = raw('id, account_id, brand, last4, exp_month, exp_year, is_default, create_date');

export interface StoredCard extends PaymentMethod {
  provider_id: string;
}

/** Stores a saved card and returns its id. The first card of an account becomes the default card. */
export async function storeCard(tx: Tx, account_id: string, card: Card): Promise<string> {
  // Serializes the choice of the default card.
  await tx.run(sql`select 1 from balances where account_id = ${account_id} for update`);
  const { id } = await tx.one<{ id: string }>(sql`
    insert into payment_methods (account_id, id, provider_id, brand, last4, exp_month, exp_year, fingerprint,
      is_default, create_date)
    values (${account_id}, ${newId()}, ${card.provider_id}, ${card.brand}, ${card.last4}, ${card.exp_month},
      ${card.exp_year}, ${card.fingerprint},
      not exists (select 1 from payment_methods where account_id = ${account_id}), ${tx.now})
    on conflict (account_id, provider_id) do update set brand = excluded.brand
    returning id`);
  return id;
}

export const listCards = (db: Queryable, account_id: string) =>
  db.rows<PaymentMethod>(sql`
    select ${columns} from payment_methods where account_id = ${account_id} order by is_default desc, id limit 100`);

export const findCard = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<StoredCard>(sql`
    select ${columns}, provider_id from payment_methods where account_id = ${account_id} and id = ${id}`);

export async function setDefaultCard(tx: Tx, account_id: string, id: string): Promise<StoredCard | null> {
  await tx.run(sql`select 1 from balances where account_id = ${account_id} for update`);
  const card = await findCard(tx, account_id, id);
  if (!card) return null;
  await tx.run(sql`
    update payment_methods set is_default = false where account_id = ${account_id} and is_default and id <> ${id}`);
  await tx.run(sql`update payment_methods set is_default = true where account_id = ${account_id} and id = ${id}`);
  return { ...card, is_default: true };
}

/** Deletes a card. If it was the default card, the oldest other card becomes the default card. */
export async function deleteCard(tx: Tx, account_id: string, id: string): Promise<void> {
  await tx.run(sql`delete from payment_methods where account_id = ${account_id} and id = ${id}`);
  await tx.run(sql`
    update payment_methods set is_default = true
    where account_id = ${account_id}
      and id = (select id from payment_methods where account_id = ${account_id} order by id limit 1)
      and not exists (select 1 from payment_methods where account_id = ${account_id} and is_default)`);
}

/** True while automatic top-up charges this card. */
export const isCardInUse = async (db: Queryable, account_id: string, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from auto_top_ups where account_id = ${account_id} and method_id = ${id} and enabled`)) !== null;
