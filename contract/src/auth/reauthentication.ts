/** Re-authentication: what people give again before sensitive changes. */
import { z } from 'zod';
import { uuid } from '../common.ts';

/** A WebAuthn response, as its `toJSON` returns it. */
export const credential = z.record(z.string(), z.unknown());

/** People who signed in with password or passkey less than this long ago need no re-authentication for most changes. */
export const REAUTHENTICATION_MINUTES = 10;

/**
 * The password. People without one (provider sign-in only) give an authenticator code, a recovery code, or a passkey's
 * answer to a challenge of `createSignInChallenge`, each valid once. The strictest changes require both from people who
 * have both. Problems: PROOF_REQUIRED missing or wrong (its field says which), SIGN_IN_ATTEMPTS_EXCEEDED after too
 * many.
 */
export const reauthentication = {
  current_password: z.string().max(128).optional(),
  factor_code: z.string().trim().min(6).max(40).optional(),
  passkey: z.object({ challenge_id: uuid('PASSKEY_INVALID'), credential }).optional(),
};

const Reauthentication = z.object(reauthentication);
export type Reauthentication = z.output<typeof Reauthentication>;
