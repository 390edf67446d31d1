/**
 * Passwords of sign-ups whose address is not confirmed. The latest password for each address is kept, whether or not
 * the address has a user, so that signing in with it gets the same response in both cases. This password never opens a
 * session.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Client } from '../people/client.ts';
import { requestPasswordReset } from '../people/code_mails.ts';
import { normalizeEmail } from '../people/people.ts';

export const keepSignUpPassword = (tx: Tx, email: string, password_hash: string | null) =>
  tx.run(sql`
    insert into sign_up_passwords (email, password_hash, create_date)
    select ${email}, ${password_hash}, ${tx.now}::timestamptz where ${password_hash}::text is not null
    on conflict (email) do update set password_hash = excluded.password_hash, create_date = excluded.create_date`);

export const readSignUpPassword = async (db: Queryable, email: string): Promise<string | null> =>
  (
    await db.maybeOne<{ password_hash: string }>(sql`
      select password_hash from sign_up_passwords where email = ${email}`)
  )?.password_hash ?? null;

export const forgetSignUpPassword = (tx: Tx, email: string) =>
  tx.run(sql`delete from sign_up_passwords where email = ${email.toLowerCase()}`);

/**
 * The response to a sign-up with an address that has, or had, a user. It looks the same as the response to a new
 * sign-up.
 */
export async function repeatSignUp(
  tx: Tx,
  kernel: Kernel,
  address: string,
  login_id: string | null,
  client: Client,
): Promise<SignIn> {
  const email = normalizeEmail(address);
  const { id } = await requestPasswordReset(tx, kernel, 'already_there', { email, login_id }, client);
  return { access_token: null, expire_date: null, methods: [], email, next: 'email_verification', verification_id: id };
}
