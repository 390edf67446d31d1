/**
 * Joins the parts of long messages. Each part is stored before it gets its response, so no part that was acknowledged
 * is lost. The last part completes the message. Parts of a message that stays incomplete are dropped after an hour.
 */
import { createHash } from 'node:crypto';
import { PduError, STATUS } from '@parley/smpp/status.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { BoundAccount } from './accounts_bound.ts';
import type { Submit } from './submit_input.ts';

/** The maximum number of waiting parts per SMPP account. */
const MAX_WAITING = 2_000;
export const PART_MINUTES = 60;

interface StoredPart {
  part: number;
  message_id: string;
  octets: Buffer;
  registered_delivery: number;
  accepted: boolean;
}

export interface Joined {
  /** The ID of the message for the program. The ID of a part is this ID with the number of the part. */
  id: string;
  /** All parts in their order, or null if the message is incomplete or was accepted before. */
  parts: readonly StoredPart[] | null;
}

export const partId = (id: string, part: number): string => `${id}.${part}`;

/** Returns the ID of the message, given its ID or the ID of one of its parts. Returns null for other texts. */
export const messageIdIn = (text: string): string | null =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.\d{1,3})?$/i.exec(text.trim())?.[1]?.toLowerCase() ?? null;

/** The addresses of receipts: the recipient is their source. */
export interface ReceiptAddresses {
  source: { ton: number; npi: number; addr: string };
  destination: { ton: number; npi: number; addr: string };
}

export function addPart(
  db: Db,
  { account_id, id }: BoundAccount,
  submit: Submit,
  addresses: ReceiptAddresses,
): Promise<Joined> {
  const { number, total, key: name } = submit.part!;
  const key = createHash('sha256').update(name).digest();
  return db.tx(async (tx) => {
    await lockMessage(tx, id, key);
    const stored = await readParts(tx, account_id, id, key);
    const same = stored.find(({ part }) => part === number);
    const isRepeated = same?.octets.equals(submit.octets) ?? false;
    // The text differs or the message was accepted, so the program uses the reference for another message.
    const isReused = !isRepeated && (same !== undefined || stored.some(({ accepted }) => accepted));
    if (isReused) await deleteParts(tx, account_id, id, key);
    const before = isReused ? [] : stored;
    const message_id = before[0]?.message_id ?? newId();
    if (isRepeated && same!.accepted) return { id: message_id, parts: null };
    const part: StoredPart = {
      ...{ part: number, message_id, octets: submit.octets, accepted: false },
      registered_delivery: submit.registered_delivery,
    };
    if (!isRepeated) {
      if (before.length === 0) await requireRoom(tx, account_id, id);
      await insertPart(tx, { account_id, id }, key, part, addresses);
    }
    const parts = [...before.filter((one) => one.part !== number), part].sort((a, b) => a.part - b.part);
    return { id: message_id, parts: parts.length === total ? parts : null };
  });
}

const lockMessage = (tx: Tx, smpp_account_id: string, key: Buffer) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${smpp_account_id} ${key.toString('hex')}`}, 7307))`);

const readParts = (db: Queryable, account_id: string, smpp_account_id: string, key: Buffer) =>
  db.rows<StoredPart>(sql`
    select part, message_id, octets, registered_delivery, accepted from smpp_parts
    where account_id = ${account_id} and smpp_account_id = ${smpp_account_id} and key = ${key}`);

const deleteParts = (tx: Tx, account_id: string, smpp_account_id: string, key: Buffer) =>
  tx.run(sql`
    delete from smpp_parts where account_id = ${account_id} and smpp_account_id = ${smpp_account_id} and key = ${key}`);

const insertPart = (
  tx: Tx,
  { account_id, id }: Pick<BoundAccount, 'account_id' | 'id'>,
  key: Buffer,
  part: StoredPart,
  addresses: ReceiptAddresses,
) =>
  tx.run(sql`
    insert into smpp_parts (account_id, smpp_account_id, key, part, message_id, octets, registered_delivery, addresses)
    values (${account_id}, ${id}, ${key}, ${part.part}, ${part.message_id}, ${part.octets},
      ${part.registered_delivery}, ${JSON.stringify(addresses)}::jsonb)`);

async function requireRoom(db: Queryable, account_id: string, smpp_account_id: string): Promise<void> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select 1 from smpp_parts
      where account_id = ${account_id} and smpp_account_id = ${smpp_account_id} and not accepted
      limit ${MAX_WAITING}) waiting`);
  if (count >= MAX_WAITING) throw new PduError(STATUS.ESME_RMSGQFUL, 'Too many incomplete messages');
}
