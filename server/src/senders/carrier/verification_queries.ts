import type { RequestKind } from '@parley/contract/registrations/registration.ts';
import { CARRIER_CODES, type NumberVerification } from '@parley/contract/senders/codes.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

export interface SenderKey {
  account_id: string;
  sender_id: string;
}
const DAY_MS = 86_400_000;

interface Row {
  connection_id: string;
  carrier_address: string;
  verified: boolean;
  codes: number;
  first_date: string | null;
  code_date: string | null;
  method: 'sms' | 'voice' | null;
  tries: number;
}
export type Waiting = Row;

const matches = ({ account_id, sender_id }: SenderKey): Sql =>
  sql`account_id = ${account_id} and sender_id = ${sender_id}`;
const findRow = (db: Queryable, key: SenderKey) =>
  db.maybeOne<Row>(sql`
    select connection_id, carrier_address, verified, codes, first_date, code_date, method, tries
    from sender_verifications where ${matches(key)}`);

/** Returns whether the carrier has required verification since the last approval. */
export const hasVerification = async (db: Queryable, key: SenderKey): Promise<boolean> =>
  (await findRow(db, key)) !== null;

export const findWaiting = async (db: Queryable, key: SenderKey): Promise<Waiting | null> => {
  const row = await findRow(db, key);
  return row?.verified ? null : row;
};

/** Returns false if this verification is already open. A different carrier address starts a new verification. */
export const begin = async (
  tx: Tx,
  account_id: string,
  sender_id: string,
  { connection_id, carrier_address }: { connection_id: string; carrier_address: string },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into sender_verifications as v (account_id, sender_id, connection_id, carrier_address)
    values (${account_id}, ${sender_id}, ${connection_id}, ${carrier_address})
    on conflict (account_id, sender_id) do update set
      connection_id = excluded.connection_id, carrier_address = excluded.carrier_address,
      verified = false, codes = 0, first_date = null, code_date = null, method = null, tries = 0
    where v.carrier_address <> excluded.carrier_address or v.connection_id <> excluded.connection_id or v.verified`)) >
  0;

const parseTime = (text: string): number => new Date(`${text.replace(' ', 'T')}Z`).getTime();

/** Returns the time when the next code can be sent. Null means now. */
export function nextDate({
  codes,
  first_date,
  code_date,
}: Pick<Row, 'codes' | 'first_date' | 'code_date'>): Date | null {
  const dates: number[] = [];
  if (code_date !== null) dates.push(parseTime(code_date) + CARRIER_CODES.pause_seconds * 1_000);
  if (first_date !== null && codes >= CARRIER_CODES.per_day) dates.push(parseTime(first_date) + DAY_MS);
  return dates.length > 0 ? new Date(Math.max(...dates)) : null;
}

/** Each 24-hour period of the code limit begins with its first code. */
export const countCode = (tx: Tx, key: SenderKey, method: 'sms' | 'voice') =>
  tx.run(sql`
    update sender_verifications set method = ${method}, code_date = ${tx.now}, tries = 0,
      codes = case when first_date > ${new Date(tx.now.getTime() - DAY_MS)} then codes + 1 else 1 end,
      first_date = case when first_date > ${new Date(tx.now.getTime() - DAY_MS)} then first_date else ${tx.now} end
    where ${matches(key)}`);

/** Restores the previous code, because no new code was sent. A refused request still counts toward the limit. */
export const uncountCode = (db: Queryable, key: SenderKey, { code_date, method, tries }: Waiting, isRefusal: boolean) =>
  db.run(sql`
    update sender_verifications
    set code_date = ${code_date === null ? null : new Date(parseTime(code_date))}, method = ${method},
      tries = ${tries}, codes = codes - ${isRefusal ? 0 : 1}
    where ${matches(key)}`);

export const countTry = (db: Queryable, key: SenderKey, tries: 1 | -1) =>
  db.run(sql`update sender_verifications set tries = tries + ${tries} where ${matches(key)}`);

export const setVerified = async (tx: Tx, key: SenderKey): Promise<boolean> =>
  (await tx.run(sql`
    update sender_verifications set verified = true, code_date = null where ${matches(key)} and not verified`)) > 0;

export const deleteVerification = (tx: Tx, account_id: string, sender_id: string) =>
  tx.run(sql`delete from sender_verifications where account_id = ${account_id} and sender_id = ${sender_id}`);

export async function readVerification(db: Queryable, key: SenderKey): Promise<NumberVerification | null> {
  const row = await findRow(db, key);
  if (!row) return null;
  const { verified, method, code_date, tries } = row;
  const next = verified ? null : nextDate(row);
  return {
    verified,
    method,
    code_date,
    next_date: next?.toISOString().slice(0, 19).replace('T', ' ') ?? null,
    tries_left: Math.max(0, CARRIER_CODES.tries - tries),
  };
}

export const findSenderToEnroll = (db: Queryable, { account_id, sender_id }: SenderKey) =>
  db.maybeOne<{ code: string; channel: string; business_name: string }>(sql`
    select code, channel, business_name from senders
    where account_id = ${account_id} and id = ${sender_id} and delete_date is null`);

export const openRequests = (tx: Tx, account_id: string, sender_id: string) =>
  tx.rows<{ id: string; kind: RequestKind }>(sql`
    select id, kind from sender_requests
    where account_id = ${account_id} and sender_id = ${sender_id} and status = 'IN_PROCESS' order by id`);

export const findRequestSender = (db: Queryable, id: string) =>
  db.maybeOne<SenderKey>(sql`select account_id, sender_id from sender_requests where id = ${id}`);
