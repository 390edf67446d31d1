/** What customers ask for themselves: a number is bought in one step, a sender ID or short code begins as a draft. */

import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { ruleOf } from '@parley/contract/senders/countries.ts';
import { type createSender, SENDER_ID, type updateSender as UpdateSender } from '@parley/contract/senders/orders.ts';
import { type ListedSender, type Sender, senderCreated } from '@parley/contract/senders/senders.ts';
import { charge } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { announceSender, remember } from './announce.ts';
import { type NumberType, needsRegistration, priceOf, takeNumber } from './numbers.ts';
import * as queries from './queries.ts';
import { isEditable, lockSender } from './registration_queries.ts';

type Order = Parsed<typeof createSender>['body'];

export async function orderSender(ctx: Ctx, order: Order): Promise<ListedSender> {
  const { tx, actor } = ctx;
  const id = newId();
  const bought = order.type === 'local' || order.type === 'mobile' || order.type === 'toll_free';
  if (bought) await buyNumber(ctx, id, { ...order, type: order.type as NumberType });
  else if (order.channel !== PHONE_CHANNEL) await beginAccess(ctx, id, order);
  else await beginDraft(ctx, id, order);
  const sender = await announceSender(tx, actor.account_id, id, senderCreated);
  record(tx, ctx, {
    action: bought ? 'number.bought' : 'sender.begun',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { name: sender.name, type: sender.type },
  });
  return (await queries.listedSender(tx, actor.account_id, id))!;
}

/** Toll-free numbers are known in both countries of their plan; where registration is by country, it is used there. */
function reachOf(country: string, type: NumberType): string[] {
  if (type === 'toll_free' && (country === 'US' || country === 'CA')) return ['US', 'CA'];
  return needsRegistration(country, type) ? [country] : [];
}

// Balances are the busiest rows: the number is reserved and everything written first, and the money is taken last.
async function buyNumber(ctx: Ctx, id: string, order: Order & { type: NumberType }): Promise<void> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const number = order.code.replace(/^\+/, '').replace(/[\s()-]/g, '');
  if (number === '') throw new Problem('SENDER_CODE_REQUIRED');
  const taken = await takeNumber(tx, { number, type: order.type, account_id, sender_id: id });
  if (!taken) throw new Problem('NUMBER_TAKEN');
  const price = await priceOf(tx, account_id, taken.country, order.type);
  if (!price) throw new Problem('NUMBER_PRICE_REQUIRED');
  await insert(tx, {
    account_id,
    id,
    name: order.name || `+${number}`,
    code: number,
    channel: PHONE_CHANNEL,
    type: order.type,
    status: needsRegistration(taken.country, order.type) ? 'unregistered' : 'available',
    countries: reachOf(taken.country, order.type),
    brand: '',
    two_way: true,
  });
  if ((await queries.insertInboundAddress(tx, { account_id, id, channel: PHONE_CHANNEL, code: number })) === 0)
    throw new Problem('NUMBER_TAKEN');
  await tx.run(sql`
    insert into number_rentals (account_id, sender_id, number, currency, monthly_micros, months, start_date, renewal_date)
    values (${account_id}, ${id}, ${number}, ${price.currency}, ${price.monthly_micros}, 1, ${tx.now}, ${tx.now}::timestamptz + interval '1 month')`);
  await remember(tx, account_id, id, 'bought');
  await charge(tx, {
    account_id,
    amount_micros: price.setup_micros + price.monthly_micros,
    key: `number:${id}:1`,
    note: `Number +${number}: setup and first month`,
  });
}

async function beginDraft({ tx, actor }: Ctx, id: string, order: Order): Promise<void> {
  const { account_id } = actor;
  const code = order.type === 'alphanumeric' ? order.code : '';
  demandAllowed(order.type, code, order.countries);
  if (code && (await queries.codeInUse(tx, account_id, PHONE_CHANNEL, code))) throw new Problem('SENDER_ID_EXISTS');
  const name =
    order.name ||
    code ||
    (await numberedName(tx, account_id, PHONE_CHANNEL, `Short code ${unique(order.countries).join(', ')}`));
  await insert(tx, {
    account_id,
    id,
    name,
    code,
    channel: PHONE_CHANNEL,
    type: order.type,
    status: 'unregistered',
    countries: unique(order.countries),
    brand: '',
    two_way: order.type !== 'alphanumeric',
  });
  if (order.wish)
    await tx.run(sql`
      update senders set wish = ${JSON.stringify(order.wish)}::jsonb where account_id = ${account_id} and id = ${id}`);
  await remember(tx, account_id, id, 'created');
}

/** Nobody has chosen it, so nobody is told that there is one already: a second one gets a number after its name. */
async function numberedName(tx: Tx, account_id: string, channel: string, words: string): Promise<string> {
  const wanted = words.length > 40 ? words.slice(0, 40).replace(/[^\p{L}\p{N}]+$/u, '') : words.trim();
  const rows = await tx.rows<{ name: string }>(sql`
    select name from senders
    where account_id = ${account_id} and channel = ${channel} and delete_date is null and lent_from is null
      and starts_with(name, ${wanted})`);
  const taken = new Set(rows.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted} ${count}`;
    if (!taken.has(name)) return name;
  }
}

/** WhatsApp and Viber: all that is asked for stands in the form. A second one of the channel gets a number after its name. */
async function beginAccess({ tx, actor }: Ctx, id: string, { channel, name, countries }: Order): Promise<void> {
  const { account_id } = actor;
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  // Two that are begun at the same moment want the same name: the later one looks again.
  for (let left = 5; left > 0; left--) {
    const chosen = name || (await numberedName(tx, account_id, channel, company_name));
    if (await beginsAccess(tx, { account_id, id, name: chosen, channel, countries: unique(countries) })) break;
    if (name || left === 1) throw new Problem('SENDER_NAME_EXISTS');
  }
  await remember(tx, account_id, id, 'created');
}

const beginsAccess = async (
  tx: Tx,
  begun: Pick<queries.NewSender, 'account_id' | 'id' | 'name' | 'channel' | 'countries'>,
): Promise<boolean> =>
  (await queries.insertSender(tx, {
    ...begun,
    code: '',
    type: 'business',
    status: 'unregistered',
    brand: '',
    two_way: true,
  })) > 0;

async function insert(tx: Tx, sender: queries.NewSender): Promise<void> {
  if ((await queries.insertSender(tx, sender)) === 0) throw new Problem('SENDER_NAME_EXISTS');
}

const unique = (countries: readonly string[]): string[] => [...new Set(countries)];
const regions = new Intl.DisplayNames('en', { type: 'region' });

/**
 * SENDER_ID_INVALID, SENDER_CODE_REQUIRED the name, SENDER_COUNTRY_REQUIRED no country, SENDER_TYPE_NOT_ALLOWED a
 * country whose carriers do not take it.
 */
function demandAllowed(type: Sender['type'], code: string, countries: readonly string[]): void {
  if (type === 'business') return;
  if (type === 'alphanumeric') {
    if (code === '') throw new Problem('SENDER_CODE_REQUIRED');
    if (!SENDER_ID.test(code)) throw new Problem('SENDER_ID_INVALID', { field: 'code' });
  }
  if (countries.length === 0) throw new Problem('SENDER_COUNTRY_REQUIRED', { field: 'countries' });
  const closed = countries.filter((country) => ruleOf(country, type).state === 'no');
  if (closed.length > 0)
    throw new Problem('SENDER_TYPE_NOT_ALLOWED', {
      message: `${type === 'alphanumeric' ? 'Sender IDs' : 'Short codes'} are not possible in ${closed.map((country) => regions.of(country) ?? country).join(', ')}`,
    });
}

/** What it is called may change at any time; what was asked for only while it is not being looked at. */
export async function updateSender(
  ctx: Ctx,
  id: string,
  change: Parsed<typeof UpdateSender>['body'],
): Promise<ListedSender> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const before = await lockSender(tx, account_id, id);
  if (!before) throw new Problem('SENDER_NOT_FOUND');
  const { code = before.code, countries = before.countries, wish, brand = before.brand } = change;
  // One that nobody has named is called by its code, also by its next one.
  const { name = before.name === before.code ? code : before.name } = change;
  const asks = code !== before.code || String(countries) !== String(before.countries) || wish !== undefined;
  if (asks) {
    if (!isEditable(before) || (before.type !== 'alphanumeric' && before.type !== 'short_code'))
      throw new Problem('SENDER_STATE_INVALID');
    if (before.type === 'short_code' && code !== before.code) throw new Problem('SENDER_STATE_INVALID');
    demandAllowed(before.type, code, countries);
    if (code && (await queries.codeInUse(tx, account_id, PHONE_CHANNEL, code, id)))
      throw new Problem('SENDER_ID_EXISTS');
  }
  await freeName(() =>
    tx.run(sql`
      update senders set name = ${name}, brand = ${brand}, code = ${code}, countries = ${unique(countries)},
        wish = coalesce(${wish ? JSON.stringify(wish) : null}::jsonb, wish), update_date = ${tx.now}
      where account_id = ${account_id} and id = ${id}`),
  );
  record(tx, ctx, {
    action: 'sender.updated',
    target: { type: 'sender', id, name: code || name },
    detail: { name, brand, countries: unique(countries) },
  });
  await announceSender(tx, account_id, id);
  return (await queries.listedSender(tx, account_id, id))!;
}

async function freeName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'senders_named')) throw new Problem('SENDER_NAME_EXISTS');
    throw error;
  }
}
