/**
 * Codes of six digits and long links, sent to a mailbox or a phone. Only keyed hashes are kept. A new one replaces the old; each works for ten
 * minutes, for five tries, and once, whoever asks at the same moment. For addresses nobody has, a row is kept and answered for just the same.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_MINUTES, CODE_TRIES, type Verification } from '@parley/contract/auth/sign_up.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { demandRoom, noteConfirmed, noteSend, roomFor, type Send } from './limits.ts';
import { networkOf, wireTime } from './visitor.ts';

export type Purpose = 'sign_up' | 'password_reset' | 'email_change' | 'phone' | 'login' | 'sender_number';

/** A link may be clicked a while after a code would have run out: mail is slow at times. */
const LINK_MINUTES = 60;

export interface Wanted extends Send {
  purpose: Exclude<Purpose, 'login'>;
  account_id?: string | null;
  user_id?: string | null;
  detail?: object;
  /** Hash of the secret in a link, which lives longer than the code. */
  link_hash?: Buffer | null;
}

export interface Issued extends Verification {
  /** Null: the one sent a moment ago still counts, and nothing was sent. */
  code: string | null;
}

const digits = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');
const codeHash = ({ seals }: Kernel, id: string, code: string): Buffer => seals.mac(`${id} ${code}`, 'codes');

/** A code on its way through a queue, which more people can read than a mailbox. */
export const sealCode = ({ seals }: Kernel, id: string, text: string): string =>
  seals.seal(text, { table: 'verifications', row: id });
export const openCode = ({ seals }: Kernel, id: string, sealed: string): string =>
  seals.open(sealed, { table: 'verifications', row: id });

/**
 * `whenEarly`: `refuse` (CODE_SENT_RECENTLY, and CODE_LIMIT_REACHED or PHONE_VERIFICATION_FAILED beyond the limits), or
 * `keep` the one that is open, for calls that are not about a code. The caller sends what comes back.
 */
export async function issue(
  tx: Tx,
  kernel: Kernel,
  wanted: Wanted,
  whenEarly: 'refuse' | 'keep' = 'refuse',
): Promise<Issued> {
  const room = await roomFor(tx, kernel, wanted);
  if (whenEarly === 'keep' && (room.cooling > 0 || room.full)) {
    const open = await openOne(tx, wanted);
    if (open) return { ...open, resend_date: after(tx, room.cooling), code: null };
    if (room.full) demandRoom(wanted, room);
  } else demandRoom(wanted, room);
  const id = newId();
  const code = digits();
  const seconds = CODE_MINUTES * 60;
  await tx.run(sql`
    update verifications set use_date = ${tx.now}
    where purpose = ${wanted.purpose} and use_date is null and (
      login_id = ${wanted.login_id}::uuid or login_id is null and ${wanted.login_id}::uuid is null and target = ${wanted.target})`);
  await tx.run(sql`
    insert into verifications (id, purpose, login_id, account_id, user_id, target, network, code_hash, link_hash, detail, create_date, send_date,
                               expire_date)
    values (${id}, ${wanted.purpose}, ${wanted.login_id}, ${wanted.account_id ?? null}, ${wanted.user_id ?? null}, ${wanted.target},
            ${networkOf(wanted.address)}, ${codeHash(kernel, id, code)}, ${wanted.link_hash ?? null}, ${JSON.stringify(wanted.detail ?? {})}::jsonb,
            ${tx.now}, ${tx.now}, ${new Date(tx.now.getTime() + (wanted.link_hash ? LINK_MINUTES * 60 : seconds) * 1_000)})`);
  const wait = await noteSend(tx, kernel, wanted, room);
  return { id, code, expire_date: after(tx, seconds), resend_date: after(tx, wait) };
}

const after = (tx: Tx, seconds: number): string => wireTime(new Date(tx.now.getTime() + seconds * 1_000));

const openOne = (tx: Tx, wanted: Wanted) =>
  tx.maybeOne<{ id: string; expire_date: string }>(sql`
    select id, expire_date from verifications
    where target = ${wanted.target} and purpose = ${wanted.purpose} and login_id is not distinct from ${wanted.login_id}::uuid
      and use_date is null and expire_date > ${tx.now} and tries < ${CODE_TRIES}
    order by create_date desc limit 1`);

/** The link of a password reset lives longer than its code; `hash` is of the secret in it. */
export const addLink = (tx: Tx, id: string, hash: Buffer) =>
  tx.run(sql`
    update verifications set link_hash = ${hash}, expire_date = ${new Date(tx.now.getTime() + LINK_MINUTES * 60_000)}
    where id = ${id}`);

export interface Open {
  id: string;
  purpose: Purpose;
  login_id: string | null;
  account_id: string | null;
  user_id: string | null;
  target: string;
  code_hash: Buffer;
  detail: Record<string, unknown>;
}

const columns = sql`id, purpose, login_id, account_id, user_id, target, code_hash, detail`;

export interface Asked {
  id: string;
  purposes: readonly Purpose[];
  /** Of whom it must be; left out where nobody is signed in. */
  login_id?: string;
}

/**
 * Uses up one try, also when the call fails afterwards: outside of any transaction. Problems:
 * VERIFICATION_CODE_NOT_FOUND there is none (or it is somebody else's), VERIFICATION_EXPIRED (used), run out, or tried
 * too often, PHONE_VERIFICATION_FAILED (the code never left).
 */
export async function takeTry(db: Queryable, now: Date, { id, purposes, login_id }: Asked): Promise<Open> {
  const mine = login_id ? sql`and login_id = ${login_id}::uuid` : sql``;
  const open = await db.maybeOne<Open>(sql`
    update verifications set tries = tries + 1
    where id = ${id} and purpose = any(${purposes}::text[]) ${mine} and use_date is null and tries < ${CODE_TRIES}
      and expire_date > ${now} and send_date > ${now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
      and not detail ? 'failed'
    returning ${columns}`);
  if (open) return open;
  const gone = await db.maybeOne<{ failed: boolean }>(sql`
    select detail ? 'failed' as failed from verifications where id = ${id} and purpose = any(${purposes}::text[]) ${mine}`);
  if (!gone) throw new Problem('VERIFICATION_CODE_NOT_FOUND');
  throw new Problem(gone.failed ? 'PHONE_VERIFICATION_FAILED' : 'VERIFICATION_EXPIRED');
}

/** Constant in time, also for what nobody was sent. Problem VERIFICATION_CODE_INVALID. */
export function demandRight(kernel: Kernel, open: Open, code: string): void {
  const right = timingSafeEqual(codeHash(kernel, open.id, code), open.code_hash);
  if (!right || open.login_id === null) throw new Problem('VERIFICATION_CODE_INVALID');
}

/** Once: the second of two calls waits for the first and finds it gone. Problem VERIFICATION_EXPIRED. */
export async function useUp(tx: Tx, id: string): Promise<void> {
  const used = await tx.run(sql`update verifications set use_date = ${tx.now} where id = ${id} and use_date is null`);
  if (used === 0) throw new Problem('VERIFICATION_EXPIRED');
}

/** A code, from try to use: `then` runs in the transaction that uses it up. */
export async function redeem<T>(
  kernel: Kernel,
  asked: Asked & { code: string },
  then: (tx: Tx, open: Open) => Promise<T>,
): Promise<T> {
  const open = await takeTry(kernel.db, kernel.clock.now(), asked);
  demandRight(kernel, open, asked.code);
  return kernel.db.tx(async (tx) => {
    await useUp(tx, open.id);
    if (open.purpose === 'phone' || open.purpose === 'sender_number') await noteConfirmed(tx, open.target, tx.now);
    return then(tx, open);
  });
}
