/**
 * Six-digit codes and long links, sent to a mailbox or a phone. Only keyed hashes are kept. A new code replaces the old
 * one. Each code is valid for ten minutes, five attempts, and one use, even if many requests arrive at the same time.
 * If no user has the address, a row is still kept and the response is the same.
 */
import { randomInt } from 'node:crypto';
import { Problem } from '@parley/contract/problem.ts';
import { CODE_MINUTES, CODE_TRIES, type Verification } from '@parley/contract/verify/codes.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { addressNetwork } from '../kernel/http/network.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { enforceLimits, readAllowance, recordSend, recordUse, type Send } from './limits.ts';
import { wireTime } from './wire_time.ts';

type Purpose = 'sign_up' | 'password_reset' | 'email_change' | 'phone' | 'login' | 'sender_number';

/** A link is valid for longer than its code, since email can be slow. */
const LINK_MINUTES = 60;

export interface CodeRequest extends Send {
  purpose: Exclude<Purpose, 'login'>;
  account_id?: string | null;
  user_id?: string | null;
  detail?: object;
  /** The hash of the secret in a link, which is valid for longer than the code. */
  link_hash?: Buffer | null;
}

interface IssuedCode extends Verification {
  /** Null if a limit prevents a new code and the previous code is still valid. */
  code: string | null;
}

/**
 * Anyone can request these codes, for any address. An address has one of them at a time, whatever the code is
 * for. Otherwise, comparing the ids or lifetimes of two codes would reveal whether the address belongs to a user.
 */
const PUBLIC_PURPOSES: readonly Purpose[] = ['sign_up', 'password_reset'];

const randomCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');
const hashCode = ({ seals }: Kernel, id: string, code: string): Buffer => seals.mac(`${id} ${code}`, 'codes');
const matchesHash = ({ seals }: Kernel, id: string, code: string, hash: Uint8Array): boolean =>
  seals.isMac(`${id} ${code}`, 'codes', hash);

/** Seals a code for the time it spends in a queue, which more people can read than a mailbox. */
export const sealCode = ({ seals }: Kernel, id: string, text: string): string =>
  seals.seal(text, { table: 'verifications', row: id });
export const openCode = ({ seals }: Kernel, id: string, sealed: string): string =>
  seals.open(sealed, { table: 'verifications', row: id });

/**
 * Creates a code, which the caller sends. When a limit is reached, `refuse` throws (CODE_SENT_RECENTLY;
 * CODE_LIMIT_REACHED or PHONE_VERIFICATION_FAILED). `keep` instead returns the verification that is already open, for
 * requests whose main purpose is not a code.
 */
export async function issueCode(
  tx: Tx,
  kernel: Kernel,
  request: CodeRequest,
  onLimit: 'refuse' | 'keep' = 'refuse',
): Promise<IssuedCode> {
  const allowance = await readAllowance(tx, kernel, request);
  if (onLimit === 'keep' && (allowance.wait > 0 || allowance.exhausted)) {
    const open = await reuseOpen(tx, kernel, request);
    if (open) return { ...open, resend_date: addSeconds(tx, allowance.wait) };
    if (allowance.exhausted) enforceLimits(request, allowance);
  } else enforceLimits(request, allowance);
  const id = newId();
  const code = randomCode();
  const seconds = CODE_MINUTES * 60;
  const expire_date = new Date(tx.now.getTime() + (request.link_hash ? LINK_MINUTES * 60 : seconds) * 1_000);
  await tx.run(sql`update verifications set use_date = ${tx.now} where ${replaced(request)} and use_date is null`);
  await tx.run(sql`
    insert into verifications (id, purpose, login_id, account_id, user_id, target, network, code_hash, link_hash,
                               detail, create_date, send_date, expire_date)
    values (${id}, ${request.purpose}, ${request.login_id}, ${request.account_id ?? null}, ${request.user_id ?? null},
            ${request.target}, ${addressNetwork(request.address)}, ${hashCode(kernel, id, code)},
            ${request.link_hash ?? null}, ${JSON.stringify(request.detail ?? {})}::jsonb, ${tx.now}, ${tx.now},
            ${expire_date})`);
  const wait = await recordSend(tx, kernel, request, allowance);
  return { id, code, expire_date: addSeconds(tx, seconds), resend_date: addSeconds(tx, wait) };
}

const addSeconds = (tx: Tx, seconds: number): string => wireTime(new Date(tx.now.getTime() + seconds * 1_000));

/** A condition: the codes that a new code replaces. */
const replaced = ({ purpose, login_id, target }: CodeRequest): Sql =>
  PUBLIC_PURPOSES.includes(purpose)
    ? sql`target = ${target} and purpose = any(${PUBLIC_PURPOSES}::text[])`
    : sql`purpose = ${purpose} and (
        login_id = ${login_id}::uuid or login_id is null and ${login_id}::uuid is null and target = ${target})`;

/**
 * Returns the open verification of the same address. If it was requested for another purpose, or before the address had
 * a user, it keeps its id, its attempts, and its expiry, but gets a new code, which the caller sends.
 */
async function reuseOpen(
  tx: Tx,
  kernel: Kernel,
  request: CodeRequest,
): Promise<Pick<IssuedCode, 'id' | 'code' | 'expire_date'> | null> {
  const open = await tx.maybeOne<{ id: string; send_date: string; same: boolean }>(sql`
    select id, send_date,
           purpose = ${request.purpose} and login_id is not distinct from ${request.login_id}::uuid as same
    from verifications
    where ${replaced(request)} and use_date is null and tries < ${CODE_TRIES} and expire_date > ${tx.now}
      and send_date > ${tx.now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
    order by create_date desc limit 1`);
  if (!open) return null;
  const code = randomCode();
  const link = request.link_hash ?? null;
  // Written in both cases, so that both take the same amount of work.
  await tx.run(sql`
    update verifications
    set purpose = ${request.purpose}, login_id = ${request.login_id},
        code_hash = case when ${open.same}::boolean then code_hash else ${hashCode(kernel, open.id, code)} end,
        link_hash = case when ${open.same}::boolean then link_hash else ${link} end,
        expire_date = case when ${open.same}::boolean then expire_date
          else send_date + make_interval(mins => ${link ? LINK_MINUTES : CODE_MINUTES}) end,
        sends = sends + (not ${open.same}::boolean)::int
    where id = ${open.id}`);
  const expire_date = wireTime(new Date(Date.parse(open.send_date) + CODE_MINUTES * 60_000));
  return { id: open.id, code: open.same ? null : code, expire_date };
}

/**
 * Adds a password reset link, which is valid for longer than the code. `hash` is the hash of the secret in the link.
 */
export const addLink = (tx: Tx, id: string, hash: Buffer) =>
  tx.run(sql`
    update verifications set link_hash = ${hash}, expire_date = ${new Date(tx.now.getTime() + LINK_MINUTES * 60_000)}
    where id = ${id}`);

export interface OpenVerification {
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

interface VerificationKey {
  id: string;
  purposes: readonly Purpose[];
  /** The person the code must belong to. Omitted if the request is not signed in. */
  login_id?: string;
}

/**
 * Uses up one attempt, even if the request fails later, so it runs outside any transaction. Throws
 * VERIFICATION_CODE_NOT_FOUND (unknown, or another person's code), VERIFICATION_EXPIRED (used, expired, or no attempts
 * left), or PHONE_VERIFICATION_FAILED (the code could not be sent).
 */
export async function consumeTry(
  db: Queryable,
  now: Date,
  { id, purposes, login_id }: VerificationKey,
): Promise<OpenVerification> {
  const own = login_id ? sql`and login_id = ${login_id}::uuid` : sql``;
  const open = await db.maybeOne<OpenVerification>(sql`
    update verifications set tries = tries + 1
    where id = ${id} and purpose = any(${purposes}::text[]) ${own} and use_date is null and tries < ${CODE_TRIES}
      and expire_date > ${now} and send_date > ${now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
      and not detail ? 'failed'
    returning ${columns}`);
  if (open) return open;
  const closed = await db.maybeOne<{ failed: boolean }>(sql`
    select detail ? 'failed' as failed from verifications
    where id = ${id} and purpose = any(${purposes}::text[]) ${own}`);
  if (!closed) throw new Problem('VERIFICATION_CODE_NOT_FOUND');
  throw new Problem(closed.failed ? 'PHONE_VERIFICATION_FAILED' : 'VERIFICATION_EXPIRED');
}

/** Compares in constant time, even for an address that no user has. Throws VERIFICATION_CODE_INVALID. */
export function checkCode(kernel: Kernel, open: OpenVerification, code: string): void {
  const matches = matchesHash(kernel, open.id, code, open.code_hash);
  if (!matches || open.login_id === null) throw new Problem('VERIFICATION_CODE_INVALID');
}

/** False if the verification has a newer code by now. */
export const isCurrentCode = (kernel: Kernel, { id, code_hash }: { id: string; code_hash: Buffer }, code: string) =>
  matchesHash(kernel, id, code, code_hash);

/** If two requests are concurrent, the second one waits for the first and gets VERIFICATION_EXPIRED. */
export async function markUsed(tx: Tx, id: string): Promise<void> {
  const used = await tx.run(sql`update verifications set use_date = ${tx.now} where id = ${id} and use_date is null`);
  if (used === 0) throw new Problem('VERIFICATION_EXPIRED');
}

/** Checks a code and uses it up. `then` runs in the same transaction that uses it up. */
export async function redeemCode<T>(
  kernel: Kernel,
  key: VerificationKey & { code: string },
  then: (tx: Tx, open: OpenVerification) => Promise<T>,
): Promise<T> {
  const open = await consumeTry(kernel.db, kernel.clock.now(), key);
  checkCode(kernel, open, key.code);
  return kernel.db.tx(async (tx) => {
    await markUsed(tx, open.id);
    if (open.purpose === 'phone' || open.purpose === 'sender_number') await recordUse(tx, open.target, tx.now);
    return then(tx, open);
  });
}
