/**
 * Verifies numbers, which WhatsApp requires before they become senders. The company or an operator requests a code and
 * enters it, and the number is registered. After that, the request can be approved. The carrier is called outside
 * transactions. Codes and attempts are counted before the call, so that concurrent requests stay within the limits.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CARRIER_CODES, type NumberVerification } from '@parley/contract/senders/codes.ts';
import { announceRequest } from '../../accounts/accounts.ts';
import { CarrierRefusal } from '../../channels/channel.ts';
import { type OpenConnection, openConnection } from '../../connections/connections.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { record } from '../../kernel/security/audit.ts';
import { addTimelineEntry, announceSender } from '../announce.ts';
import { findOwner } from '../queries.ts';
import { lockSender, type SenderRow } from '../row.ts';
import { verificationEmail } from './emails.ts';
import { callCarrier, enrollNumber } from './enroll.ts';
import * as queries from './verification_queries.ts';

type Method = 'sms' | 'voice';
type SenderKey = queries.SenderKey;

const channelLabel = ({ channel }: OpenConnection): string => channelRules(channel).label;

/** Starts the verification of a number that the carrier has added. The owner gets one email. */
export async function startVerification(
  kernel: Kernel,
  { account_id, sender_id }: SenderKey,
  at: { connection_id: string; carrier_address: string },
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const sender = await lockSender(tx, account_id, sender_id);
    if (sender?.carrier_address !== at.carrier_address) return;
    if (!(await queries.begin(tx, account_id, sender_id, at))) return;
    await addTimelineEntry(tx, account_id, sender_id, 'verification_wanted');
    await announceChange(tx, account_id, sender_id);
    const owner = await findOwner(tx, account_id);
    if (owner) await sendMail(tx, verificationEmail(kernel.config, account_id, owner, sender));
  });
}

/**
 * Throws SENDER_NOT_FOUND, CARRIER_CODE_NOT_EXPECTED (no verification is open), CARRIER_CODE_LIMIT_REACHED (too soon or
 * too many codes), CARRIER_REJECTED_SENDER, or CARRIER_UNAVAILABLE.
 */
export async function sendCarrierCode(ctx: Ctx, key: SenderKey, method: Method): Promise<NumberVerification> {
  const { kernel } = ctx;
  const { db } = kernel;
  const at = await db.tx(async (tx) => {
    const { row } = await requireWaiting(tx, key);
    const next = queries.nextDate(row);
    if (next !== null && next.getTime() > tx.now.getTime()) throw tooMany(next, tx.now);
    await queries.countCode(tx, key, method);
    return row;
  });
  const connection = await requireConnection(kernel, at.connection_id);
  try {
    await callCarrier(connection, () =>
      connection.adapter.senders!.requestCode(connection.spec, at.carrier_address, method),
    );
  } catch (error) {
    const isRefusal = error instanceof CarrierRefusal;
    await queries.uncountCode(db, key, at, isRefusal);
    if (!isRefusal) throw error;
    // The number may have been verified in WhatsApp Manager in the meantime. In that case, no code is needed.
    if (await registerNumber(ctx, key, connection)) return (await queries.readVerification(db, key))!;
    throw new Problem('CARRIER_REJECTED_SENDER', {
      field: 'code',
      message: `${channelLabel(connection)} did not send a code: ${error.message}`,
    });
  }
  return (await queries.readVerification(db, key))!;
}

/**
 * Throws SENDER_NOT_FOUND, CARRIER_CODE_NOT_EXPECTED (no verification is open), CARRIER_CODE_INVALID,
 * CARRIER_CODE_LIMIT_REACHED (too many attempts), CARRIER_REJECTED_SENDER, or CARRIER_UNAVAILABLE.
 */
export async function confirmCarrierCode(ctx: Ctx, key: SenderKey, code: string): Promise<NumberVerification> {
  const { kernel } = ctx;
  const { db } = kernel;
  const at = await db.tx(async (tx) => {
    const { row } = await requireWaiting(tx, key);
    if (row.code_date === null) throw new Problem('CARRIER_CODE_NOT_EXPECTED', { message: 'Request a code first' });
    if (row.tries >= CARRIER_CODES.tries)
      throw new Problem('CARRIER_CODE_LIMIT_REACHED', { message: 'Too many wrong codes. Request a new code' });
    await queries.countTry(tx, key, 1);
    return row;
  });
  const connection = await requireConnection(kernel, at.connection_id);
  try {
    await callCarrier(connection, () =>
      connection.adapter.senders!.verifyCode(connection.spec, at.carrier_address, code),
    );
  } catch (error) {
    if (error instanceof CarrierRefusal)
      throw new Problem('CARRIER_CODE_INVALID', { message: `${channelLabel(connection)}: ${error.message}` });
    await queries.countTry(db, key, -1);
    throw error;
  }
  // If this registration fails, the approval registers the number.
  await registerNumber(ctx, key, connection).catch((error: Error) =>
    kernel.log.warn({ err: error, sender_id: key.sender_id }, 'a verified number could not be registered yet'),
  );
  await markVerified(ctx, key);
  return (await queries.readVerification(db, key))!;
}

/** Returns true if the carrier registered the number without requiring another verification. */
async function registerNumber(ctx: Ctx, key: SenderKey, connection: OpenConnection): Promise<boolean> {
  const sender = await queries.findSenderToEnroll(ctx.kernel.db, key);
  if (!sender || (await enrollNumber(ctx.kernel, connection, sender)).waits) return false;
  await markVerified(ctx, key);
  return true;
}

const markVerified = (ctx: Ctx, key: SenderKey): Promise<void> =>
  ctx.kernel.db.tx(async (tx) => {
    const { account_id, sender_id } = key;
    const sender = await lockSender(tx, account_id, sender_id);
    if (!sender || !(await queries.setVerified(tx, key))) return;
    await addTimelineEntry(tx, account_id, sender_id, 'verified');
    record(tx, ctx, {
      action: 'sender.verified',
      account_id,
      target: { type: 'sender', id: sender_id, name: sender.code || sender.name },
      detail: {},
    });
    await announceChange(tx, account_id, sender_id);
  });

async function announceChange(tx: Tx, account_id: string, sender_id: string): Promise<void> {
  await announceSender(tx, account_id, sender_id);
  for (const { id, kind } of await queries.openRequests(tx, account_id, sender_id)) await announceRequest(tx, kind, id);
}

async function requireWaiting(tx: Tx, key: SenderKey): Promise<{ sender: SenderRow; row: queries.Waiting }> {
  const sender = await lockSender(tx, key.account_id, key.sender_id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const row = await queries.findWaiting(tx, key);
  if (!row || sender.status !== 'pending' || row.carrier_address !== sender.carrier_address)
    throw new Problem('CARRIER_CODE_NOT_EXPECTED');
  return { sender, row };
}

function tooMany(next: Date, now: Date): Problem {
  const seconds = Math.ceil((next.getTime() - now.getTime()) / 1_000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 3_600)} hours` : `${seconds} seconds`;
  return new Problem('CARRIER_CODE_LIMIT_REACHED', {
    message: `You can request another code in ${wait}`,
    retry_after: seconds,
  });
}

/** Returns the sender of a request. Throws REQUEST_NOT_FOUND. */
export async function readRequestedSender(db: Queryable, request_id: string): Promise<SenderKey> {
  const key = await queries.findRequestSender(db, request_id);
  if (!key) throw new Problem('REQUEST_NOT_FOUND');
  return key;
}

async function requireConnection(kernel: Kernel, id: string): Promise<OpenConnection> {
  const connection = await openConnection(kernel, kernel.db, id);
  if (!connection?.adapter.senders) throw new Problem('CARRIER_CODE_NOT_EXPECTED');
  return connection;
}
