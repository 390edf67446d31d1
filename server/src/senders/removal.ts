/**
 * The removal of a sender: it no longer sends or receives, its number returns to the inventory, and its name is free.
 * The row is kept for the sender's messages.
 */
import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import { channelsWithOwnNumber, PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { COOLING_DAYS, inventoryChanged } from '@parley/contract/numbers/numbers.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { RequestKind } from '@parley/contract/registrations/registration.ts';
import { type Sender, senderRemoved } from '@parley/contract/senders/senders.ts';
import { announceRequest, emitToOperators } from '../accounts/accounts.ts';
import { raw, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { addTimelineEntry, announceSender } from './announce.ts';
import { deregisterSender } from './carrier/deregistration.ts';
import { leavePool } from './pool.ts';
import { lockSender } from './row.ts';

export async function removeSender(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const sender = await lockSender(tx, actor.account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  await endSender(tx, actor.account_id, id, '');
  record(tx, ctx, {
    action: 'sender.removed',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { name: sender.name, type: sender.type },
  });
}

/** The caller has locked the row. `why` is the text of the timeline entry. */
export async function endSender(tx: Tx, account_id: string, id: string, reason: string): Promise<Sender> {
  await tx.run(sql`
    update senders set status = 'canceled', delete_date = ${tx.now}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  await tx.run(sql`delete from inbound_addresses where account_id = ${account_id} and sender_id = ${id}`);
  await leaveCarrier(tx, account_id, id);
  await tx.run(sql`
    update number_rentals set end_date = ${tx.now}
    where account_id = ${account_id} and sender_id = ${id} and end_date is null`);
  const open = await tx.rows<{ id: string; kind: RequestKind }>(sql`
    update sender_requests set status = 'DELETED', info_requested = false, decide_date = ${tx.now}
    where account_id = ${account_id} and sender_id = ${id} and status = 'IN_PROCESS' returning id, kind`);
  for (const request of open) await announceRequest(tx, request.kind, request.id);
  await leavePool(tx, account_id, id);
  const isReturned = await returnNumber(tx, account_id, id);
  await addTimelineEntry(tx, account_id, id, 'removed', reason);
  const sender = await announceSender(tx, account_id, id, senderRemoved);
  if (sender.channel === PHONE_CHANNEL) await removeBusinessSenders(tx, account_id, sender.code, isReturned);
  return sender;
}

/** Returns the number to the inventory, where it cools down. Returns false if the number is not from the inventory. */
async function returnNumber(tx: Tx, account_id: string, sender_id: string): Promise<boolean> {
  const free_date = new Date(tx.now.getTime() + COOLING_DAYS * 86_400_000);
  const changed = await tx.run(sql`
    update numbers
    set status = 'cooling', account_id = null, sender_id = null, free_date = ${free_date}, update_date = ${tx.now}
    where account_id = ${account_id} and sender_id = ${sender_id} and status = 'taken'`);
  if (changed > 0) await emitToOperators(tx, inventoryChanged, { count: changed });
  return changed > 0;
}

/** Deletes the carrier's data stored here for the sender, and starts the deregistration at the carrier. */
async function leaveCarrier(tx: Tx, account_id: string, id: string): Promise<void> {
  const { connection_id, carrier_address } = await tx.one<{
    connection_id: string | null;
    carrier_address: string | null;
  }>(sql`select connection_id, carrier_address from senders where account_id = ${account_id} and id = ${id}`);
  await deregisterSender(tx, { id, connection_id, carrier_address });
  await tx.run(sql`delete from sender_verifications where account_id = ${account_id} and sender_id = ${id}`);
  await tx.run(sql`delete from sender_profiles where account_id = ${account_id} and sender_id = ${id}`);
}

/** A form of an access request takes its number from the account's numbers. */
const isFromAccount = raw(ACCESS_KINDS.map((kind) => `r.${kind}->>'number_from' = 'account'`).join(' or '));

/**
 * A removed number is also removed as a business sender of the account, since another company may get it. A number with
 * proven ownership stays, unless it returned to the inventory. Drafts stay and need another number.
 */
async function removeBusinessSenders(tx: Tx, account_id: string, number: string, isReturned: boolean): Promise<void> {
  if (isReturned) await tx.run(sql`delete from own_numbers where account_id = ${account_id} and number = ${number}`);
  const reason = `The number +${number} was removed`;
  for (const { id } of await tx.rows<{ id: string }>(sql`
    select s.id from senders s
    where s.account_id = ${account_id} and s.channel = any(${channelsWithOwnNumber()}::text[])
      and s.code = ${number} and s.delete_date is null and s.shared_from is null
      and s.status in ('available', 'approved', 'pending')
      and not exists (select from own_numbers o where o.account_id = s.account_id and o.number = s.code)
      and (${isReturned}::boolean or exists (
        select from sender_registrations r
        where r.account_id = s.account_id and r.sender_id = s.id and (${isFromAccount})))
    order by s.id`)) {
    const sender = await lockSender(tx, account_id, id);
    if (!sender) continue;
    await endSender(tx, account_id, id, reason);
    record(
      tx,
      { actor: { account_id, user_id: null } },
      {
        action: 'sender.removed',
        target: { type: 'sender', id, name: sender.code || sender.name },
        detail: { name: sender.name, type: sender.type, reason },
      },
    );
  }
}
