/** A sender that is there at once: bought, or given by an operator. What a code may look like is decided here and nowhere else. */

import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Sender, senderCreated } from '@parley/contract/senders/senders.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { announceSender, remember } from './announce.ts';
import { senderMail } from './mails.ts';
import * as queries from './queries.ts';

export interface SenderOrder {
  name: string;
  code: string;
  channel: Sender['channel'];
  type: Sender['type'];
  countries: readonly string[];
  brand: string;
  two_way: boolean;
}

/** 3GPP 23.040: at most 11 characters; carriers take letters, digits and a few marks between them, and demand a letter. */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 &._-]{0,9}[A-Za-z0-9])?$/;
const SHORT_CODE = /^[1-9]\d{2,7}$/;
/** E.164 without the plus. */
const NUMBER = /^[1-9]\d{6,14}$/;

/**
 * SENDER_ID_INVALID a name nobody could show, SENDER_CODE_INVALID not a number of this kind, SENDER_ID_EXISTS the
 * account or another has it, SENDER_NAME_EXISTS the account has one called so.
 */
export async function createSender(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  account_id: string,
  order: SenderOrder,
): Promise<Sender> {
  const code = codeOf(order);
  const alphanumeric = order.type === 'alphanumeric';
  if (order.two_way && alphanumeric)
    throw new Problem('VALUE_INVALID', { field: 'two_way', message: 'A name cannot be answered' });
  const id = newId();
  const status = alphanumeric || order.channel !== PHONE_CHANNEL ? 'approved' : 'available';
  const sender = { ...order, account_id, id, code, status, countries: [...new Set(order.countries)] } as const;
  if (await queries.codeInUse(tx, account_id, order.channel, code)) throw new Problem('SENDER_ID_EXISTS');
  if ((await queries.insertSender(tx, sender)) === 0) throw new Problem('SENDER_NAME_EXISTS');
  if (order.two_way && (await queries.insertInboundAddress(tx, sender)) === 0) throw new Problem('SENDER_ID_EXISTS');
  await remember(tx, account_id, id, 'created', 'By our team');
  const created = await announceSender(tx, account_id, id, senderCreated);
  const owner = await queries.ownerOf(tx, account_id);
  if (owner) await sendMail(tx, senderMail(kernel.config, account_id, owner, created));
  return created;
}

function codeOf({ type, code }: SenderOrder): string {
  if (type === 'alphanumeric') {
    if (!NAME.test(code)) throw new Problem('SENDER_ID_INVALID', { field: 'code' });
    return code;
  }
  if (type === 'short_code') return shortCodeOf(code);
  const digits = digitsOf(code);
  if (!NUMBER.test(digits)) throw new Problem('SENDER_CODE_INVALID');
  return digits;
}

const digitsOf = (code: string): string => code.replace(/^\+/, '').replace(/[\s()-]/g, '');

export function shortCodeOf(code: string): string {
  const digits = digitsOf(code);
  if (!SHORT_CODE.test(digits)) throw new Problem('SENDER_CODE_INVALID');
  return digits;
}
