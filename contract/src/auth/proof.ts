/** What is asked for once more before the locks of a person are changed. */
import { z } from 'zod';
import { uuid } from '../common.ts';

/** WebAuthn answers as `toJSON` gives them. */
export const credential = z.record(z.string(), z.unknown());

/** Somebody who signed in with password or passkey less than this long ago has just proven who they are. */
export const PROVEN_MINUTES = 10;

/**
 * The password; whoever has none (sign-in by a provider only) gives a code of the authenticator, a recovery code, or a passkey's answer to a challenge of
 * `createSignInChallenge`. Each counts for one call. What is grave asks for both of whoever has both. Problems:
 * PROOF_REQUIRED missing or wrong (its field says which), SIGN_IN_ATTEMPTS_EXCEEDED after too many.
 */
export const proof = {
  current_password: z.string().max(128).optional(),
  factor_code: z.string().trim().min(6).max(40).optional(),
  passkey: z.object({ challenge_id: uuid('PASSKEY_INVALID'), credential }).optional(),
};

const Proof = z.object(proof);
export type Proof = z.output<typeof Proof>;
