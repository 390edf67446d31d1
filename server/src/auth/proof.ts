/**
 * Whoever changes the locks proves who they are once more: a session left open on a desk, or stolen, must not be enough. The password; whoever has none
 * gives a code, a recovery code or a passkey, each of which counts once. Whoever has none of them has nothing to give. What is grave asks for both.
 */

import { PROVEN_MINUTES, type Proof } from '@parley/contract/auth/proof.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import { type Implementation, implementOutside, type Run } from '../kernel/http/endpoint.ts';
import { countPasskey, readAnswer } from './passkeys.ts';
import { demandPassword } from './reauthentication.ts';
import { checkSecondFactor, locksOf, methodOf, type Who } from './second_factors.ts';

/**
 * `always`: the password each time. `later`: nobody who has just signed in with it. `locks`: the password each time and a second factor, where there is
 * one, of whoever has not just signed in with both. `grave`: both each time.
 */
export type Asked = 'always' | 'later' | 'locks' | 'grave';

/**
 * Problems: PROOF_REQUIRED (wrong or missing), SIGN_IN_ATTEMPTS_EXCEEDED after too many. Outside a transaction: hashing
 * takes long, and a failure must be remembered.
 */
export async function demandProof(who: Who, given: Proof, asked: Asked): Promise<void> {
  const { kernel, actor, address } = who;
  const person = await locksOf(kernel.db, actor);
  const own = person.password_hash !== null;
  const factors = person.totp || person.passkeys > 0;
  if (!own && !factors) return;
  const both = asked === 'locks' || asked === 'grave';
  const proven = asked !== 'grave' && (await hasJustProven(kernel.db, actor, kernel.clock.now(), both));
  if (own && !(asked === 'later' && proven)) await demandPassword(kernel, person, given.current_password, address);
  if (factors && !proven && (both || !own)) await demandFactor(who, person.login_id, given);
}

async function demandFactor(who: Who, login_id: string, given: Proof): Promise<void> {
  if (await isProven(who, login_id, given)) return;
  throw new Problem('PROOF_REQUIRED', {
    field: 'factor_code',
    message: 'Confirm that it is you, with a code that was not used before or with your passkey',
  });
}

/** `both`: with the second factor as well. */
const hasJustProven = async (
  db: Queryable,
  { account_id, session_id }: Who['actor'],
  now: Date,
  both: boolean,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from sessions
    where account_id = ${account_id} and id = ${session_id} and (second_factor or not ${both}::boolean)
      and prove_date > ${now}::timestamptz - make_interval(mins => ${PROVEN_MINUTES})`)) !== null;

async function isProven({ kernel }: Who, login_id: string, { factor_code, passkey }: Proof): Promise<boolean> {
  if (passkey) {
    const answer = await readAnswer(kernel, passkey);
    return answer !== null && answer.login_id === login_id && (await kernel.db.tx((tx) => countPasskey(tx, answer)));
  }
  if (factor_code === undefined) return false;
  return kernel.db.tx((tx) => checkSecondFactor(tx, kernel, login_id, methodOf(factor_code), factor_code));
}

/** An endpoint whose body carries a proof. What it does has to open its own transactions. */
export const implementProven = <E extends AnyEndpoint>(endpoint: E, asked: Asked, run: Run<E>): Implementation =>
  implementOutside(endpoint, async (ctx, input) => {
    await demandProof(ctx, input.body as Proof, asked);
    return run(ctx, input);
  });
