/** Second factors of a person, as signing in asks for them: which there are, and whether a code of one is right. */
import type { FACTORS } from '@parley/contract/auth.ts';
import { type Queryable, sql, type Tx } from '../kernel/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

export type Factor = (typeof FACTORS)[number];

export async function factorsOf(db: Queryable, login_id: string): Promise<Factor[]> {
  const { totp, codes, passkeys } = await db.one<{ totp: boolean; codes: boolean; passkeys: boolean }>(sql`
    select totp_date is not null as totp,
           exists (select 1 from recovery_codes c where c.login_id = l.id and c.use_date is null) as codes,
           exists (select 1 from passkeys p where p.login_id = l.id) as passkeys
    from logins l where id = ${login_id}`);
  return [
    ...(totp ? ['totp' as const] : []),
    ...(totp && codes ? ['recovery_code' as const] : []),
    ...(passkeys ? ['passkey' as const] : []),
  ];
}

/** True once for each code: what proves it is used up in the caller's transaction. The tries are counted by the caller. */
export async function checkSecondFactor(
  _tx: Tx,
  _kernel: Kernel,
  _login_id: string,
  _method: 'totp' | 'recovery_code',
  _code: string,
): Promise<boolean> {
  return false;
}
