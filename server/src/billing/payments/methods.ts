/** Saved cards. The provider keeps the card; this file keeps its name. */
import { type PaymentMethod, paymentMethodsChanged } from '@parley/contract/billing/payment_methods.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { withProvider } from '../cards/cards.ts';
import { findCustomer, requireCustomer } from './intents.ts';
import { deleteCard, findCard, isCardInUse, setDefaultCard, storeCard } from './method_queries.ts';

const cardName = ({ brand, last4 }: PaymentMethod): string => `${brand} ending in ${last4}`;
const target = (card: PaymentMethod) => ({ type: 'payment_method', id: card.id, name: cardName(card) });

export const getSetupIntent = ({ kernel, actor }: Ctx) =>
  withProvider(kernel, async (provider) =>
    provider.createSetup(await requireCustomer(kernel, provider, actor.account_id)),
  );

export async function createPaymentMethod(ctx: Ctx, setup_intent: string): Promise<PaymentMethod> {
  const { kernel, actor } = ctx;
  const { account_id } = actor;
  const customer_id = await findCustomer(kernel.db, account_id);
  const card = customer_id && (await withProvider(kernel, (provider) => provider.readSetup(setup_intent, customer_id)));
  if (!card) throw new Problem('SETUP_INTENT_NOT_CONFIRMED');
  return kernel.db.tx(async (tx) => {
    const id = await storeCard(tx, account_id, card);
    const stored = (await findCard(tx, account_id, id))!;
    record(tx, ctx, { action: 'payment_method.created', account_id, target: target(stored), detail: {} });
    emit(tx, paymentMethodsChanged, account_id, { id });
    return stored;
  });
}

export async function makeDefault(tx: Tx, ctx: Ctx, id: string): Promise<PaymentMethod> {
  const card = await setDefaultCard(tx, ctx.actor.account_id, id);
  if (!card) throw new Problem('PAYMENT_METHOD_NOT_FOUND');
  emit(tx, paymentMethodsChanged, ctx.actor.account_id, { id });
  return card;
}

/** The card is deleted here first, so that nothing charges it even if the provider does not respond. */
export async function removePaymentMethod(ctx: Ctx, id: string): Promise<void> {
  const { kernel, actor } = ctx;
  const { account_id } = actor;
  const card = await kernel.db.tx(async (tx) => {
    const found = await findCard(tx, account_id, id);
    if (!found) throw new Problem('PAYMENT_METHOD_NOT_FOUND');
    if (await isCardInUse(tx, account_id, id)) throw new Problem('PAYMENT_METHOD_IN_USE');
    await deleteCard(tx, account_id, id);
    record(tx, ctx, { action: 'payment_method.removed', account_id, target: target(found), detail: {} });
    emit(tx, paymentMethodsChanged, account_id, { id });
    return found;
  });
  await withProvider(kernel, (provider) => provider.removeCard(card.provider_id));
}
