/**
 * The purchase of a number: it is reserved and becomes a sender, and the setup fee and first month are charged
 * immediately.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { charge } from '../billing/billing.ts';
import { sql } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { addTimelineEntry, insertInboundAddress, insertSender } from '../senders/senders.ts';
import { findPrice, type NumberType, needsRegistration, takeNumber } from './offers.ts';

/** Toll-free numbers serve both countries of their plan. Numbers that need a registration serve their own country. */
function reachableCountries(country: string, type: NumberType): string[] {
  if (type === 'toll_free' && (country === 'US' || country === 'CA')) return ['US', 'CA'];
  return needsRegistration(country, type) ? [country] : [];
}

/**
 * Throws SENDER_CODE_REQUIRED, SENDER_NAME_EXISTS, NUMBER_TAKEN, or NUMBER_PRICE_REQUIRED. The balance is charged last,
 * because its row is the busiest lock.
 */
export async function buyNumber(
  ctx: Ctx,
  id: string,
  order: { name: string; code: string; type: NumberType },
): Promise<void> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const number = order.code.replace(/^\+/, '').replace(/[\s()-]/g, '');
  if (number === '') throw new Problem('SENDER_CODE_REQUIRED');
  const reserved = await takeNumber(tx, { number, type: order.type, account_id, sender_id: id });
  if (!reserved) throw new Problem('NUMBER_TAKEN');
  const price = await findPrice(tx, account_id, reserved.country, order.type);
  if (!price) throw new Problem('NUMBER_PRICE_REQUIRED');
  const inserted = await insertSender(tx, {
    account_id,
    id,
    name: order.name || `+${number}`,
    code: number,
    channel: PHONE_CHANNEL,
    type: order.type,
    status: needsRegistration(reserved.country, order.type) ? 'unregistered' : 'available',
    countries: reachableCountries(reserved.country, order.type),
    brand: '',
    two_way: true,
  });
  if (inserted === 0) throw new Problem('SENDER_NAME_EXISTS');
  if ((await insertInboundAddress(tx, { account_id, id, channel: PHONE_CHANNEL, code: number })) === 0)
    throw new Problem('NUMBER_TAKEN');
  await tx.run(sql`
    insert into number_rentals (account_id, sender_id, number, currency, monthly_micros, months, start_date,
      renewal_date)
    values (${account_id}, ${id}, ${number}, ${price.currency}, ${price.monthly_micros}, 1, ${tx.now},
            ${tx.now}::timestamptz + interval '1 month')`);
  await addTimelineEntry(tx, account_id, id, 'bought');
  await charge(tx, {
    account_id,
    amount_micros: price.setup_micros + price.monthly_micros,
    key: `number:${id}:1`,
    note: `Number +${number}: setup and first month`,
  });
}
