/** Re-authentication: credentials that users enter again before sensitive changes. */
import { z } from 'zod';
import { uuid } from '../common.ts';

/** A WebAuthn response in the format that `toJSON()` returns. */
export const credential = z.record(z.string(), z.unknown());

/** For this long after a sign-in with password or passkey, most changes need no re-authentication. */
export const REAUTHENTICATION_MINUTES = 10;

/**
 * The password. Users without a password (provider sign-in only) send an authenticator code, a recovery code, or a
 * passkey's response to a challenge from `createSignInChallenge`, each valid once. The most sensitive changes require
 * both a password and a second factor from users who have both. Problems: PROOF_REQUIRED if a credential is missing or
 * wrong (`field` names it), SIGN_IN_ATTEMPTS_EXCEEDED after too many attempts.
 */
export const reauthentication = {
  current_password: z.string().max(128).optional(),
  factor_code: z.string().trim().min(6).max(40).optional(),
  passkey: z.object({ challenge_id: uuid('PASSKEY_INVALID'), credential }).optional(),
};

const Reauthentication = z.object(reauthentication);
export type Reauthentication = z.output<typeof Reauthentication>;
