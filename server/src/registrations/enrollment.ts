/**
 * Enrolls an approved WhatsApp or Viber sender with its carrier: stores the connection and the sender's address at the
 * carrier. The carrier is called outside transactions, and its response is stored immediately, so that a retry does not
 * enroll twice.
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
import {
  deleteVerification,
  enrollNumber,
  hasVerification,
  insertInboundAddress,
  readSender,
  refreshStateJob,
  type SenderRow,
  startVerification,
} from '../senders/senders.ts';
import { requireUnusedCode } from './access.ts';
import { changeProfile } from './profile.ts';
import * as queries from './request_queries.ts';
import { requireRevision } from './revision.ts';

export interface Enrollment {
  /** The revision and the code at the time of the carrier's response. */
  revision: number;
  code: string;
  connection_id: string;
  carrier_address: string;
}

type Approval = Pick<
  Parsed<typeof decideRequest>['body'],
  'decision' | 'revision' | 'connection_id' | 'carrier_address'
>;

/**
 * Returns null for SMS senders, whose messages are sent through routes. Throws REQUEST_NOT_FOUND, ALREADY_DECIDED,
 * CONNECTION_REQUIRED, SERVICE_ID_REQUIRED (Viber), CARRIER_REJECTED_SENDER, CARRIER_UNAVAILABLE, or NUMBER_UNVERIFIED.
 */
export async function enrollRequested(
  kernel: Kernel,
  request_id: string,
  approval: Approval,
): Promise<Enrollment | null> {
  const { db } = kernel;
  const request = await queries.findRequest(db, request_id);
  if (!request) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id, kind, revision } = request;
  if (!isAccessKind(kind)) return null;
  requireRevision(request, approval);
  const sender = (await readSender(db, account_id, sender_id))!;
  const connection = approval.connection_id ? await openConnection(kernel, db, approval.connection_id) : null;
  if (connection?.channel !== sender.channel) throw new Problem('CONNECTION_REQUIRED');
  const enrollment = { revision, code: sender.code, connection_id: connection.id };
  // A number with a verification is enrolled again: it may have been verified in the meantime.
  const wasUnverified = await hasVerification(db, { account_id, sender_id });
  if (approval.carrier_address && !(wasUnverified && approval.carrier_address === sender.carrier_address))
    return { ...enrollment, carrier_address: approval.carrier_address };
  const existing = sender.connection_id === connection.id ? sender.carrier_address : null;
  if (existing && !wasUnverified) return { ...enrollment, carrier_address: existing };
  const { address, waits } = await enrollNumber(kernel, connection, sender);
  await db.run(sql`
    update senders set connection_id = ${connection.id}, carrier_address = ${address}
    where account_id = ${account_id} and id = ${sender_id} and code = ${sender.code}`);
  if (!waits) return { ...enrollment, carrier_address: address };
  const at = { connection_id: connection.id, carrier_address: address };
  await startVerification(kernel, { account_id, sender_id }, at);
  throw new Problem('NUMBER_UNVERIFIED', {
    message: `${ACCESS_FORMS[kind].label} must verify this number first. You or the customer can request a code for it`,
  });
}

/**
 * Throws SENDER_ID_EXISTS, BUSINESS_NAME_EXISTS (another account was first), or CARRIER_ADDRESS_EXISTS (another sender
 * has the carrier address).
 */
export async function activateSender(
  tx: Tx,
  account_id: string,
  sender: SenderRow,
  enrollment: Enrollment,
): Promise<void> {
  const { id, channel } = sender;
  if (sender.code !== enrollment.code) throw new Problem('ALREADY_DECIDED');
  await requireUnusedCode(tx, sender, sender.code);
  const { carrier_address, connection_id } = enrollment;
  await tx.run(sql`delete from inbound_addresses where account_id = ${account_id} and sender_id = ${id}`);
  if ((await insertInboundAddress(tx, { account_id, id, channel, code: sender.code, carrier_address })) === 0)
    throw new Problem('CARRIER_ADDRESS_EXISTS');
  await tx.run(sql`
    update senders
    set status = 'available', connection_id = ${connection_id}, carrier_address = ${carrier_address},
      update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  const [added] = await tx.rows<{ status: Parameters<typeof announceAccount>[2] }>(sql`
    update accounts set channels = channels || ${channel}::text, update_date = ${tx.now}
    where id = ${account_id} and not ${channel} = any(channels) returning status`);
  if (added) await announceAccount(tx, account_id, added.status);
  await deleteVerification(tx, account_id, id);
  if (channelRules(channel).profile) await changeProfile(tx, account_id, id);
  await enqueue(tx, refreshStateJob, { account_id, sender_id: id });
}
