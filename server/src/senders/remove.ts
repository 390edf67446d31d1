/** The end of a sender: nothing is sent from it or arrives at it any more, its number goes back, its name is free. The row stays for what it sent. */
import { channelsWithOwnNumber, PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { RequestKind } from '@parley/contract/registrations/registration.ts';
import { type Sender, senderRemoved } from '@parley/contract/senders/senders.ts';
import { announceRequest } from '../accounts/accounts.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { announceSender, remember } from './announce.ts';
import { depart } from './departure.ts';
import { giveBackNumber } from './numbers.ts';
import { leavePool } from './pool.ts';
import * as queries from './registration_queries.ts';

export async function removeSender(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  const sender = await queries.lockSender(tx, actor.account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  await endSender(tx, actor.account_id, id, '');
  record(tx, ctx, {
    action: 'sender.removed',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { name: sender.name, type: sender.type },
  });
}

/** The caller holds the row. `why` is for its timeline. */
export async function endSender(tx: Tx, account_id: string, id: string, why: string): Promise<Sender> {
  await tx.run(sql`
    update senders set status = 'canceled', delete_date = ${tx.now}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  await tx.run(sql`delete from inbound_addresses where account_id = ${account_id} and sender_id = ${id}`);
  await leaveChannel(tx, account_id, id);
  await tx.run(sql`
    update number_rentals set end_date = ${tx.now} where account_id = ${account_id} and sender_id = ${id} and end_date is null`);
  const open = await tx.rows<{ id: string; kind: RequestKind }>(sql`
    update sender_requests set status = 'DELETED', asked = false, decide_date = ${tx.now}
    where account_id = ${account_id} and sender_id = ${id} and status = 'IN_PROCESS' returning id, kind`);
  for (const request of open) await announceRequest(tx, request.kind, request.id);
  await leavePool(tx, account_id, id);
  const given_back = await giveBackNumber(tx, account_id, id);
  await remember(tx, account_id, id, 'removed', why);
  const sender = await announceSender(tx, account_id, id, senderRemoved);
  if (sender.channel === PHONE_CHANNEL) await removeBusinessSenders(tx, account_id, sender.code, given_back);
  return sender;
}

/** What its carrier knows of it ends as well, in its own time. */
async function leaveChannel(tx: Tx, account_id: string, id: string): Promise<void> {
  const { connection_id, carrier_address } = await tx.one<{
    connection_id: string | null;
    carrier_address: string | null;
  }>(sql`select connection_id, carrier_address from senders where account_id = ${account_id} and id = ${id}`);
  await depart(tx, { id, connection_id, carrier_address });
  await tx.run(sql`delete from sender_verifications where account_id = ${account_id} and sender_id = ${id}`);
  await tx.run(sql`delete from sender_profiles where account_id = ${account_id} and sender_id = ${id}`);
}

/**
 * A number that is no longer the company's is no longer its sender of WhatsApp either: it may become somebody else's, who would find it taken and be
 * written about in its name. One that was shown to be the company's own stays, unless it has gone back to the stock; drafts stay and need another number.
 */
async function removeBusinessSenders(tx: Tx, account_id: string, number: string, given_back: boolean): Promise<void> {
  if (given_back) await tx.run(sql`delete from own_numbers where account_id = ${account_id} and number = ${number}`);
  const why = `The number +${number} was given up`;
  for (const { id } of await tx.rows<{ id: string }>(sql`
    select s.id from senders s
    where s.account_id = ${account_id} and s.channel = any(${channelsWithOwnNumber()}::text[]) and s.code = ${number} and s.delete_date is null and s.lent_from is null
      and s.status in ('available', 'approved', 'pending')
      and not exists (select from own_numbers o where o.account_id = s.account_id and o.number = s.code)
      and (${given_back}::boolean or exists (
        select from sender_registrations r
        where r.account_id = s.account_id and r.sender_id = s.id and r.whatsapp->>'number_from' = 'account'))
    order by s.id`)) {
    const sender = await queries.lockSender(tx, account_id, id);
    if (!sender) continue;
    await endSender(tx, account_id, id, why);
    record(
      tx,
      { actor: { account_id, user_id: null } },
      {
        action: 'sender.removed',
        target: { type: 'sender', id, name: sender.code || sender.name },
        detail: { name: sender.name, type: sender.type, reason: why },
      },
    );
  }
}
