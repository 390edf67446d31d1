import type { RequestKind } from '@parley/contract/registrations/registration.ts';
import { CARRIER_CODES, type NumberVerification } from '@parley/contract/senders/codes.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';

interface Of {
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

const of = ({ account_id, sender_id }: Of): Sql => sql`account_id = ${account_id} and sender_id = ${sender_id}`;
const row = (db: Queryable, one: Of) =>
  db.maybeOne<Row>(sql`
    select connection_id, carrier_address, verified, codes, first_date, code_date, method, tries
    from sender_verifications where ${of(one)}`);

/** Whether the carrier has ever asked for it, and not been given an approved sender since. */
export const isAsked = async (db: Queryable, one: Of): Promise<boolean> => (await row(db, one)) !== null;

export const waiting = async (db: Queryable, one: Of): Promise<Waiting | null> => {
  const found = await row(db, one);
  return found?.verified ? null : found;
};

/** False: it waits already. Another address is another number. */
export const begin = async (
  tx: Tx,
  account_id: string,
  sender_id: string,
  { connection_id, carrier_address }: { connection_id: string; carrier_address: string },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into sender_verifications as v (account_id, sender_id, connection_id, carrier_address)
    values (${account_id}, ${sender_id}, ${connection_id}, ${carrier_address})
    on conflict (account_id, sender_id) do update set connection_id = excluded.connection_id, carrier_address = excluded.carrier_address,
      verified = false, codes = 0, first_date = null, code_date = null, method = null, tries = 0
    where v.carrier_address <> excluded.carrier_address or v.connection_id <> excluded.connection_id or v.verified`)) >
  0;

const timeOf = (text: string): number => new Date(`${text.replace(' ', 'T')}Z`).getTime();

/** Null: at once. */
export function nextDate({
  codes,
  first_date,
  code_date,
}: Pick<Row, 'codes' | 'first_date' | 'code_date'>): Date | null {
  const dates: number[] = [];
  if (code_date !== null) dates.push(timeOf(code_date) + CARRIER_CODES.pause_seconds * 1_000);
  if (first_date !== null && codes >= CARRIER_CODES.a_day) dates.push(timeOf(first_date) + DAY_MS);
  return dates.length > 0 ? new Date(Math.max(...dates)) : null;
}

/** A day begins with its first code. */
export const countCode = (tx: Tx, one: Of, method: 'sms' | 'voice') =>
  tx.run(sql`
    update sender_verifications set method = ${method}, code_date = ${tx.now}, tries = 0,
      codes = case when first_date > ${new Date(tx.now.getTime() - DAY_MS)} then codes + 1 else 1 end,
      first_date = case when first_date > ${new Date(tx.now.getTime() - DAY_MS)} then first_date else ${tx.now} end
    where ${of(one)}`);
/** None was sent: the one before, if there was one, still counts. What the carrier refused is counted all the same, so it is not asked without end. */
export const uncountCode = (db: Queryable, one: Of, { code_date, method, tries }: Waiting, refused: boolean) =>
  db.run(sql`
    update sender_verifications set code_date = ${code_date === null ? null : new Date(timeOf(code_date))}, method = ${method}, tries = ${tries},
      codes = codes - ${refused ? 0 : 1}
    where ${of(one)}`);
export const countTry = (db: Queryable, one: Of, tries: 1 | -1) =>
  db.run(sql`update sender_verifications set tries = tries + ${tries} where ${of(one)}`);

export const setVerified = async (tx: Tx, one: Of): Promise<boolean> =>
  (await tx.run(sql`
    update sender_verifications set verified = true, code_date = null where ${of(one)} and not verified`)) > 0;
export const forget = (tx: Tx, account_id: string, sender_id: string) =>
  tx.run(sql`delete from sender_verifications where account_id = ${account_id} and sender_id = ${sender_id}`);

export async function verificationOf(db: Queryable, one: Of): Promise<NumberVerification | null> {
  const found = await row(db, one);
  if (!found) return null;
  const { verified, method, code_date, tries } = found;
  const next = verified ? null : nextDate(found);
  return {
    verified,
    method,
    code_date,
    next_date: next?.toISOString().slice(0, 19).replace('T', ' ') ?? null,
    tries_left: Math.max(0, CARRIER_CODES.tries - tries),
  };
}

export const named = (db: Queryable, { account_id, sender_id }: Of) =>
  db.maybeOne<{ code: string; channel: string; business_name: string }>(sql`
    select code, channel, business_name from senders
    where account_id = ${account_id} and id = ${sender_id} and delete_date is null`);

export const openRequests = (tx: Tx, account_id: string, sender_id: string) =>
  tx.rows<{ id: string; kind: RequestKind }>(sql`
    select id, kind from sender_requests
    where account_id = ${account_id} and sender_id = ${sender_id} and status = 'IN_PROCESS' order by id`);

/** Whose it is; null: there is none that waits for a decision. */
export const requestOf = (db: Queryable, id: string) =>
  db.maybeOne<Of>(sql`select account_id, sender_id from sender_requests where id = ${id}`);
