/**
 * How an approved sender of WhatsApp or Viber comes to be at its carrier: over which connection, and known by what. The carrier is asked while no
 * transaction is held; what it has answered is kept at once, so that a second try does not ask for the same thing twice.
 */

import type { decideRequest } from '@parley/contract/admin/requests.ts';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { announceAccount } from '../accounts/accounts.ts';
import { openConnection } from '../connections/connections.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { demandFree } from './access.ts';
import { enrollAt } from './at_carrier.ts';
import { lookJob } from './look_job.ts';
import { changeProfile } from './profile.ts';
import { insertInboundAddress } from './queries.ts';
import { type SenderState, senderState } from './registration_queries.ts';
import * as queries from './request_queries.ts';
import { demandSeen } from './seen.ts';
import { wantVerification } from './verification.ts';
import { forget, isAsked } from './verification_queries.ts';

export interface Carried {
  /** Both as they were when the carrier was asked. */
  revision: number;
  code: string;
  connection_id: string;
  carrier_address: string;
}

type Given = Pick<Parsed<typeof decideRequest>['body'], 'decision' | 'revision' | 'connection_id' | 'carrier_address'>;

/**
 * Null: it is carried by routes. Problems: REQUEST_NOT_FOUND, ALREADY_DECIDED, CONNECTION_REQUIRED (no such
 * connection), SERVICE_ID_REQUIRED Viber without a service id, CARRIER_REJECTED_SENDER (refused), CARRIER_UNAVAILABLE
 * (away), NUMBER_UNVERIFIED (it has to be verified first).
 */
export async function carriedBy(kernel: Kernel, request_id: string, given: Given): Promise<Carried | null> {
  const { db } = kernel;
  const request = await queries.request(db, request_id);
  if (!request) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id, kind, revision } = request;
  if (!isAccessKind(kind)) return null;
  demandSeen(request, given);
  const sender = (await senderState(db, account_id, sender_id))!;
  const connection = given.connection_id ? await openConnection(kernel, db, given.connection_id) : null;
  if (connection?.channel !== sender.channel) throw new Problem('CONNECTION_REQUIRED');
  const carried = { revision, code: sender.code, connection_id: connection.id };
  // One that had to be verified is asked about again: it may have been registered since, and is now if it can be.
  const waited = await isAsked(db, { account_id, sender_id });
  if (given.carrier_address && !(waited && given.carrier_address === sender.carrier_address))
    return { ...carried, carrier_address: given.carrier_address };
  const there = sender.connection_id === connection.id ? sender.carrier_address : null;
  if (there && !waited) return { ...carried, carrier_address: there };
  const { address, waits } = await enrollAt(kernel, connection, ACCESS_FORMS[kind].label, sender);
  await db.run(sql`
    update senders set connection_id = ${connection.id}, carrier_address = ${address}
    where account_id = ${account_id} and id = ${sender_id} and code = ${sender.code}`);
  if (!waits) return { ...carried, carrier_address: address };
  await wantVerification(kernel, { account_id, sender_id }, { connection_id: connection.id, carrier_address: address });
  throw new Problem('NUMBER_UNVERIFIED', {
    message: `${ACCESS_FORMS[kind].label} wants this number verified first: have a code sent to it. The customer can do that too`,
  });
}

/**
 * Problems: SENDER_ID_EXISTS, BUSINESS_NAME_EXISTS (somebody was faster), CARRIER_ADDRESS_EXISTS (the address is
 * another's).
 */
export async function carry(tx: Tx, account_id: string, sender: SenderState, carried: Carried): Promise<void> {
  const { id, channel } = sender;
  if (sender.code !== carried.code) throw new Problem('ALREADY_DECIDED');
  await demandFree(tx, sender, sender.code);
  const { carrier_address, connection_id } = carried;
  await tx.run(sql`delete from inbound_addresses where account_id = ${account_id} and sender_id = ${id}`);
  if ((await insertInboundAddress(tx, { account_id, id, channel, code: sender.code, carrier_address })) === 0)
    throw new Problem('CARRIER_ADDRESS_EXISTS');
  await tx.run(sql`
    update senders set status = 'available', connection_id = ${connection_id}, carrier_address = ${carrier_address}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  const [added] = await tx.rows<{ status: Parameters<typeof announceAccount>[2] }>(sql`
    update accounts set channels = channels || ${channel}::text, update_date = ${tx.now}
    where id = ${account_id} and not ${channel} = any(channels) returning status`);
  if (added) await announceAccount(tx, account_id, added.status);
  await forget(tx, account_id, id);
  if (channelRules(channel).profile) await changeProfile(tx, account_id, id);
  await enqueue(tx, lookJob, { account_id, sender_id: id });
}
