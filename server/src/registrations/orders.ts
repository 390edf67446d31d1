/**
 * Adds senders for customers. A number is bought immediately, and every other sender begins as a registration draft.
 */

import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { senderTypeRule } from '@parley/contract/senders/countries.ts';
import { type createSender, SENDER_ID, type updateSender as UpdateSender } from '@parley/contract/senders/orders.ts';
import { type ListedSender, type Sender, senderCreated } from '@parley/contract/senders/senders.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { buyNumber, type NumberType } from '../numbers/numbers.ts';
import {
  addTimelineEntry,
  announceSender,
  findListedSender,
  insertSender,
  isCodeInUse,
  isEditable,
  lockSender,
  type NewSender,
} from '../senders/senders.ts';

type Order = Parsed<typeof createSender>['body'];

export async function orderSender(ctx: Ctx, { country, ...body }: Order): Promise<ListedSender> {
  const order = country ? { ...body, countries: unique([country, ...body.countries]) } : body;
  const { tx, actor } = ctx;
  const id = newId();
  const isNumber = order.type === 'local' || order.type === 'mobile' || order.type === 'toll_free';
  if (!isNumber && !permits(actor.permissions, 'SENDERS:add'))
    throw new Problem('PERMISSION_REQUIRED', { message: needReason('SENDERS:add') });
  if (isNumber) await buyNumber(ctx, id, { ...order, type: order.type as NumberType });
  else if (order.channel !== PHONE_CHANNEL) await beginAccess(ctx, id, order);
  else await beginDraft(ctx, id, order);
  const sender = await announceSender(tx, actor.account_id, id, senderCreated);
  record(tx, ctx, {
    action: isNumber ? 'number.bought' : 'sender.begun',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { name: sender.name, type: sender.type },
  });
  return (await findListedSender(tx, actor.account_id, id))!;
}

async function beginDraft({ tx, actor }: Ctx, id: string, order: Order): Promise<void> {
  const { account_id } = actor;
  const code = order.type === 'alphanumeric' ? order.code : '';
  requireAllowed(order.type, code, order.countries);
  if (code && (await isCodeInUse(tx, account_id, PHONE_CHANNEL, code))) throw new Problem('SENDER_ID_EXISTS');
  const name =
    order.name ||
    code ||
    (await findUniqueName(tx, account_id, PHONE_CHANNEL, `Short code ${unique(order.countries).join(', ')}`));
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
  await addTimelineEntry(tx, account_id, id, 'created');
}

/** Returns a default name that is not in use in the account. If the name is in use, a number is appended. */
async function findUniqueName(tx: Tx, account_id: string, channel: string, proposal: string): Promise<string> {
  const base = proposal.length > 40 ? proposal.slice(0, 40).replace(/[^\p{L}\p{N}]+$/u, '') : proposal.trim();
  const rows = await tx.rows<{ name: string }>(sql`
    select name from senders
    where account_id = ${account_id} and channel = ${channel} and delete_date is null and shared_from is null
      and starts_with(name, ${base})`);
  const usedNames = new Set(rows.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base} ${count}`;
    if (!usedNames.has(name)) return name;
  }
}

/**
 * Creates a WhatsApp or Viber draft. The form has all its fields, so the draft needs only a name, which defaults to the
 * company's.
 */
async function beginAccess({ tx, actor }: Ctx, id: string, { channel, name, countries }: Order): Promise<void> {
  const { account_id } = actor;
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  // Concurrent drafts can choose the same default name. The later one chooses again.
  for (let attempts = 5; attempts > 0; attempts--) {
    const chosen = name || (await findUniqueName(tx, account_id, channel, company_name));
    if (await insertAccessDraft(tx, { account_id, id, name: chosen, channel, countries: unique(countries) })) break;
    if (name || attempts === 1) throw new Problem('SENDER_NAME_EXISTS');
  }
  await addTimelineEntry(tx, account_id, id, 'created');
}

/** Returns false if the name is in use. */
const insertAccessDraft = async (
  tx: Tx,
  draft: Pick<NewSender, 'account_id' | 'id' | 'name' | 'channel' | 'countries'>,
): Promise<boolean> =>
  (await insertSender(tx, {
    ...draft,
    code: '',
    type: 'business',
    status: 'unregistered',
    brand: '',
    two_way: true,
  })) > 0;

async function insert(tx: Tx, sender: NewSender): Promise<void> {
  if ((await insertSender(tx, sender)) === 0) throw new Problem('SENDER_NAME_EXISTS');
}

const unique = (countries: readonly string[]): string[] => [...new Set(countries)];
const regions = new Intl.DisplayNames('en', { type: 'region' });

/** Throws SENDER_ID_INVALID, SENDER_CODE_REQUIRED, SENDER_COUNTRY_REQUIRED, or SENDER_TYPE_NOT_ALLOWED. */
function requireAllowed(type: Sender['type'], code: string, countries: readonly string[]): void {
  if (type === 'business') return;
  if (type === 'alphanumeric') {
    if (code === '') throw new Problem('SENDER_CODE_REQUIRED');
    if (!SENDER_ID.test(code)) throw new Problem('SENDER_ID_INVALID', { field: 'code' });
  }
  if (countries.length === 0) throw new Problem('SENDER_COUNTRY_REQUIRED', { field: 'countries' });
  const closed = countries.filter((country) => senderTypeRule(country, type).state === 'no');
  if (closed.length === 0) return;
  const names = closed.map((country) => regions.of(country) ?? country).join(', ');
  const types = type === 'alphanumeric' ? 'Sender IDs' : 'Short codes';
  throw new Problem('SENDER_TYPE_NOT_ALLOWED', { message: `${types} are not available in ${names}` });
}

/**
 * The name and the brand can change at any time, but the requested code and countries can change only while the form is
 * editable.
 */
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
  // A sender without its own name is named after its code, even after the code changes.
  const { name = before.name === before.code ? code : before.name } = change;
  const changesRequest = code !== before.code || String(countries) !== String(before.countries) || wish !== undefined;
  if (changesRequest) {
    if (!isEditable(before) || (before.type !== 'alphanumeric' && before.type !== 'short_code'))
      throw new Problem('SENDER_STATE_INVALID');
    if (before.type === 'short_code' && code !== before.code) throw new Problem('SENDER_STATE_INVALID');
    requireAllowed(before.type, code, countries);
    if (code && (await isCodeInUse(tx, account_id, PHONE_CHANNEL, code, id))) throw new Problem('SENDER_ID_EXISTS');
  }
  await requireFreeName(() =>
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
  return (await findListedSender(tx, account_id, id))!;
}

/** Throws SENDER_NAME_EXISTS if the write violates the unique constraint on names. */
async function requireFreeName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'senders_named')) throw new Problem('SENDER_NAME_EXISTS');
    throw error;
  }
}
