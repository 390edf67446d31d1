import type { SignIn } from '@parley/contract/auth/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { countPasskey, type PasskeyAnswer, readAnswer } from '../factors/passkeys.ts';
import { type AnonymousRequest, readClient } from '../people/client.ts';
import { findPersonByLogin } from '../people/people.ts';
import { admit } from './admission.ts';

/** A passkey unlocked by its user counts as both factors. */
export async function signInWithPasskey(request: AnonymousRequest, body: PasskeyAnswer): Promise<SignIn> {
  const { kernel } = request;
  const answer = await readAnswer(kernel, body);
  if (!answer) throw new Problem('PASSKEY_INVALID');
  return kernel.db.tx(async (tx) => {
    if (!(await countPasskey(tx, answer))) throw new Problem('PASSKEY_INVALID');
    const person = await findPersonByLogin(tx, answer.login_id);
    return admit(tx, kernel, person!, readClient(request), { method: 'passkey', second_factor: true });
  });
}
