/**
 * Creates senders for an operator. These senders are ready to use immediately. The valid code formats are defined only
 * here.
 */

import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Sender, senderCreated } from '@parley/contract/senders/senders.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { addTimelineEntry, announceSender } from './announce.ts';
import { senderEmail } from './emails.ts';
import * as queries from './queries.ts';

interface SenderOrder {
  name: string;
  code: string;
  channel: Sender['channel'];
  type: Sender['type'];
  countries: readonly string[];
  brand: string;
  two_way: boolean;
}

/** 3GPP 23.040: at most 11 characters. Carriers accept letters, digits, and a few marks, and require a letter. */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 &._-]{0,9}[A-Za-z0-9])?$/;
const SHORT_CODE = /^[1-9]\d{2,7}$/;
/** E.164 without the plus sign. */
const NUMBER = /^[1-9]\d{6,14}$/;

/** Throws SENDER_ID_INVALID, SENDER_CODE_INVALID, SENDER_ID_EXISTS, or SENDER_NAME_EXISTS. */
export async function createSender(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  account_id: string,
  order: SenderOrder,
): Promise<Sender> {
  const code = parseCode(order);
  const alphanumeric = order.type === 'alphanumeric';
  if (order.two_way && alphanumeric)
    throw new Problem('VALUE_INVALID', { field: 'two_way', message: 'Recipients cannot reply to a sender ID' });
  const id = newId();
  const status = alphanumeric || order.channel !== PHONE_CHANNEL ? 'approved' : 'available';
  const sender = { ...order, account_id, id, code, status, countries: [...new Set(order.countries)] } as const;
  if (await queries.isCodeInUse(tx, account_id, order.channel, code)) throw new Problem('SENDER_ID_EXISTS');
  if ((await queries.insertSender(tx, sender)) === 0) throw new Problem('SENDER_NAME_EXISTS');
  if (order.two_way && (await queries.insertInboundAddress(tx, sender)) === 0) throw new Problem('SENDER_ID_EXISTS');
  await addTimelineEntry(tx, account_id, id, 'created', 'By our team');
  const created = await announceSender(tx, account_id, id, senderCreated);
  const owner = await queries.findOwner(tx, account_id);
  if (owner) await sendMail(tx, senderEmail(kernel.config, account_id, owner, created));
  return created;
}

function parseCode({ type, code }: SenderOrder): string {
  if (type === 'alphanumeric') {
    if (!NAME.test(code)) throw new Problem('SENDER_ID_INVALID', { field: 'code' });
    return code;
  }
  if (type === 'short_code') return parseShortCode(code);
  const digits = stripPunctuation(code);
  if (!NUMBER.test(digits)) throw new Problem('SENDER_CODE_INVALID');
  return digits;
}

const stripPunctuation = (code: string): string => code.replace(/^\+/, '').replace(/[\s()-]/g, '');

export function parseShortCode(code: string): string {
  const digits = stripPunctuation(code);
  if (!SHORT_CODE.test(digits)) throw new Problem('SENDER_CODE_INVALID');
  return digits;
}
