/**
 * Numbers that WhatsApp wants verified by a code of its own before they become senders. The company that has the number, or an operator who is told the code,
 * enters it; then the number is registered, and the request can be approved. The carrier is asked while no transaction is held; what is asked of it is counted
 * before, so that two at once do not ask twice.
 */
import { Problem } from '@parley/contract/problem.ts';
import { CARRIER_CODES, type NumberVerification } from '@parley/contract/senders/codes.ts';
import { announceRequest } from '../accounts/accounts.ts';
import { CarrierRefusal } from '../channels/channel.ts';
import { type OpenConnection, openConnection } from '../connections/connections.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { record } from '../kernel/security/audit.ts';
import { announceSender, remember } from './announce.ts';
import { ask, enrollAt } from './at_carrier.ts';
import { verificationMail } from './carrier_mails.ts';
import { ownerOf } from './queries.ts';
import { lockSender, type SenderState } from './registration_queries.ts';
import * as queries from './verification_queries.ts';

const LABEL = 'WhatsApp';
type Method = 'sms' | 'voice';
interface Of {
  account_id: string;
  sender_id: string;
}

/** The carrier has the number and waits. Its owner is told once. */
export async function wantVerification(
  kernel: Kernel,
  { account_id, sender_id }: Of,
  at: { connection_id: string; carrier_address: string },
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const sender = await lockSender(tx, account_id, sender_id);
    if (sender?.carrier_address !== at.carrier_address) return;
    if (!(await queries.begin(tx, account_id, sender_id, at))) return;
    await remember(tx, account_id, sender_id, 'verification_wanted');
    await tell(tx, account_id, sender_id);
    const owner = await ownerOf(tx, account_id);
    if (owner) await sendMail(tx, verificationMail(kernel.config, account_id, owner, sender));
  });
}

/**
 * Problems: SENDER_NOT_FOUND, CARRIER_CODE_NOT_EXPECTED (none is awaited), CARRIER_CODE_LIMIT_REACHED (too soon or too
 * many), CARRIER_REJECTED_SENDER, CARRIER_UNAVAILABLE (what the carrier says).
 */
export async function sendCarrierCode(ctx: Ctx, of: Of, method: Method): Promise<NumberVerification> {
  const { kernel } = ctx;
  const { db } = kernel;
  const at = await db.tx(async (tx) => {
    const { row } = await demandWaiting(tx, of);
    const next = queries.nextDate(row);
    if (next !== null && next.getTime() > tx.now.getTime()) throw tooMany(next, tx.now);
    await queries.countCode(tx, of, method);
    return row;
  });
  const connection = await connectionOf(kernel, at.connection_id);
  try {
    await ask(connection, () => connection.adapter.senders!.requestCode(connection.spec, at.carrier_address, method));
  } catch (error) {
    const refused = error instanceof CarrierRefusal;
    await queries.uncountCode(db, of, at, refused);
    if (!refused) throw error;
    // Somebody may have verified it in WhatsApp's own manager meanwhile: then there is nothing to send.
    if (await registered(ctx, of, connection)) return (await queries.verificationOf(db, of))!;
    throw new Problem('CARRIER_REJECTED_SENDER', {
      field: 'code',
      message: `${LABEL} sends no code: ${error.message}`,
    });
  }
  return (await queries.verificationOf(db, of))!;
}

/**
 * Problems: SENDER_NOT_FOUND, CARRIER_CODE_NOT_EXPECTED (none is awaited), CARRIER_CODE_INVALID (the wrong one),
 * CARRIER_CODE_LIMIT_REACHED (too many wrong ones), CARRIER_REJECTED_SENDER, CARRIER_UNAVAILABLE (what the carrier
 * says).
 */
export async function giveCarrierCode(ctx: Ctx, of: Of, code: string): Promise<NumberVerification> {
  const { kernel } = ctx;
  const { db } = kernel;
  const at = await db.tx(async (tx) => {
    const { row } = await demandWaiting(tx, of);
    if (row.code_date === null) throw new Problem('CARRIER_CODE_NOT_EXPECTED', { message: 'Have a code sent first' });
    if (row.tries >= CARRIER_CODES.tries)
      throw new Problem('CARRIER_CODE_LIMIT_REACHED', { message: 'Too many wrong codes. Request another one.' });
    await queries.countTry(tx, of, 1);
    return row;
  });
  const connection = await connectionOf(kernel, at.connection_id);
  try {
    await ask(connection, () => connection.adapter.senders!.verifyCode(connection.spec, at.carrier_address, code));
  } catch (error) {
    if (error instanceof CarrierRefusal)
      throw new Problem('CARRIER_CODE_INVALID', { message: `${LABEL}: ${error.message}` });
    await queries.countTry(db, of, -1);
    throw error;
  }
  // Should this fail it is registered with the approval.
  await registered(ctx, of, connection).catch((error: Error) =>
    kernel.log.warn({ err: error, sender_id: of.sender_id }, 'a verified number could not be registered yet'),
  );
  await markVerified(ctx, of);
  return (await queries.verificationOf(db, of))!;
}

/** True: the carrier wants nothing more of the number. */
async function registered(ctx: Ctx, of: Of, connection: OpenConnection): Promise<boolean> {
  const sender = await queries.named(ctx.kernel.db, of);
  if (!sender || (await enrollAt(ctx.kernel, connection, LABEL, sender)).waits) return false;
  await markVerified(ctx, of);
  return true;
}

const markVerified = (ctx: Ctx, of: Of): Promise<void> =>
  ctx.kernel.db.tx(async (tx) => {
    const { account_id, sender_id } = of;
    const sender = await lockSender(tx, account_id, sender_id);
    if (!sender || !(await queries.setVerified(tx, of))) return;
    await remember(tx, account_id, sender_id, 'verified');
    record(tx, ctx, {
      action: 'sender.verified',
      account_id,
      target: { type: 'sender', id: sender_id, name: sender.code || sender.name },
      detail: {},
    });
    await tell(tx, account_id, sender_id);
  });

async function tell(tx: Tx, account_id: string, sender_id: string): Promise<void> {
  await announceSender(tx, account_id, sender_id);
  for (const { id, kind } of await queries.openRequests(tx, account_id, sender_id)) await announceRequest(tx, kind, id);
}

async function demandWaiting(tx: Tx, of: Of): Promise<{ sender: SenderState; row: queries.Waiting }> {
  const sender = await lockSender(tx, of.account_id, of.sender_id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const row = await queries.waiting(tx, of);
  if (!row || sender.status !== 'pending' || row.carrier_address !== sender.carrier_address)
    throw new Problem('CARRIER_CODE_NOT_EXPECTED');
  return { sender, row };
}

function tooMany(next: Date, now: Date): Problem {
  const seconds = Math.ceil((next.getTime() - now.getTime()) / 1_000);
  const when = seconds > 90 ? `${Math.ceil(seconds / 3_600)} hours` : `${seconds} seconds`;
  return new Problem('CARRIER_CODE_LIMIT_REACHED', {
    message: `Another code can be sent in ${when}`,
    retry_after: seconds,
  });
}

/** REQUEST_NOT_FOUND: there is no such request. Whether it waits for a code is said by whoever asks for one. */
export async function ofRequest(db: Queryable, request_id: string): Promise<Of> {
  const found = await queries.requestOf(db, request_id);
  if (!found) throw new Problem('REQUEST_NOT_FOUND');
  return found;
}

async function connectionOf(kernel: Kernel, id: string): Promise<OpenConnection> {
  const connection = await openConnection(kernel, kernel.db, id);
  if (!connection?.adapter.senders) throw new Problem('CARRIER_CODE_NOT_EXPECTED');
  return connection;
}
