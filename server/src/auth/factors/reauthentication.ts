/**
 * Re-authentication before sensitive changes, because a session that was stolen or left open on a desk must not be
 * enough. People enter their password. Those without a password use an authenticator code, a recovery code, or a
 * passkey, each valid once. People with neither need no re-authentication. The strictest changes require both.
 */

import { REAUTHENTICATION_MINUTES, type Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { type Implementation, implementOutside, type Run } from '../../kernel/http/endpoint.ts';
import { requirePassword } from '../passwords/password_check.ts';
import { type Caller, checkSecondFactor, codeMethod, readSecurity } from './factors.ts';
import { countPasskey, readAnswer } from './passkeys.ts';

/**
 * - `password`: the password, every time.
 * - `unless_recent`: the password, unless the person has just signed in.
 * - `both_unless_recent`: the password every time, and the second factor unless the person has just signed in with
 *   both.
 * - `both`: the password and the second factor, every time.
 */
type Level = 'password' | 'unless_recent' | 'both_unless_recent' | 'both';

/**
 * Runs outside a transaction, because failures must be counted. Throws PROOF_REQUIRED (wrong or missing credentials) or
 * SIGN_IN_ATTEMPTS_EXCEEDED (too many failures).
 */
export async function reauthenticate(caller: Caller, credentials: Reauthentication, level: Level): Promise<void> {
  const { kernel, actor, address } = caller;
  const person = await readSecurity(kernel.db, actor);
  const hasPassword = person.password_hash !== null;
  const hasFactor = person.totp || person.passkeys > 0;
  if (!hasPassword && !hasFactor) return;
  const bothFactors = level === 'both_unless_recent' || level === 'both';
  const isRecent = level !== 'both' && (await hasJustSignedIn(kernel.db, actor, kernel.clock.now(), bothFactors));
  if (hasPassword && !(level === 'unless_recent' && isRecent))
    await requirePassword(kernel, person, credentials.current_password, address);
  if (hasFactor && !isRecent && (bothFactors || !hasPassword))
    await requireFactor(caller, person.login_id, credentials);
}

async function requireFactor(caller: Caller, login_id: string, credentials: Reauthentication): Promise<void> {
  if (await checkFactor(caller, login_id, credentials)) return;
  throw new Problem('PROOF_REQUIRED', {
    field: 'factor_code',
    message: 'Confirm your identity with a new code or your passkey',
  });
}

/** `bothFactors` is true if the second factor was also given just now. */
const hasJustSignedIn = async (
  db: Queryable,
  { account_id, session_id }: Caller['actor'],
  now: Date,
  bothFactors: boolean,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from sessions
    where account_id = ${account_id} and id = ${session_id} and (second_factor or not ${bothFactors}::boolean)
      and prove_date > ${now}::timestamptz - make_interval(mins => ${REAUTHENTICATION_MINUTES})`)) !== null;

async function checkFactor(
  { kernel }: Caller,
  login_id: string,
  { factor_code, passkey }: Reauthentication,
): Promise<boolean> {
  if (passkey) {
    const answer = await readAnswer(kernel, passkey);
    return answer !== null && answer.login_id === login_id && (await kernel.db.tx((tx) => countPasskey(tx, answer)));
  }
  if (factor_code === undefined) return false;
  return kernel.db.tx((tx) => checkSecondFactor(tx, kernel, login_id, codeMethod(factor_code), factor_code));
}

/** Implements an endpoint whose body includes re-authentication credentials. `run` opens its own transactions. */
export const implementReauthenticated = <E extends AnyEndpoint>(
  endpoint: E,
  level: Level,
  run: Run<E>,
): Implementation =>
  implementOutside(endpoint, async (ctx, input) => {
    await reauthenticate(ctx, input.body as Reauthentication, level);
    return run(ctx, input);
  });
