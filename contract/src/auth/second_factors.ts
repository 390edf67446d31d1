/**
 * Two-factor authentication: authenticator codes, recovery codes, passkeys. They belong to the person, not to a
 * company.
 */
import { z } from 'zod';
import { problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SignIn } from './auth.ts';
import { credential, reauthentication } from './reauthentication.ts';

export const SecondFactors = z.object({
  has_password: z.boolean(),
  totp: z.boolean(),
  totp_date: timestamp.nullable(),
  recovery_codes_left: z.int(),
  passkeys: z.int(),
  /** True if a company requires two-factor authentication, or the user is an operator. */
  required: z.boolean(),
});
export type SecondFactors = z.output<typeof SecondFactors>;

export const getSecondFactors = endpoint({
  id: 'second_factors.get',
  method: 'GET',
  path: '/v1/users/self/second_factors',
  summary: 'Get the caller’s second factors',
  needs: null,
  audience: 'person',
  output: SecondFactors,
  problems: [],
});
export const createTotp = endpoint({
  id: 'second_factors.create_totp',
  method: 'POST',
  path: '/v1/users/self/totp',
  summary:
    'Start setting up an authenticator (RFC 6238, SHA-1, 6 digits, 30 seconds); returns its secret and QR code URI',
  needs: null,
  audience: 'person',
  body: z.object(reauthentication),
  status: 201,
  output: z.object({ secret: z.string(), uri: z.string() }),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SECOND_FACTOR_EXISTS'],
});
export const confirmTotp = endpoint({
  id: 'second_factors.confirm_totp',
  method: 'PUT',
  path: '/v1/users/self/totp',
  summary: 'Finish setting up the authenticator with a code; returns ten recovery codes, shown only once',
  needs: null,
  audience: 'person',
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: problem('SECOND_FACTOR_INVALID') }),
  }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  problems: ['VERIFICATION_EXPIRED', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_EXISTS'],
});
export const removeTotp = endpoint({
  id: 'second_factors.remove_totp',
  method: 'POST',
  path: '/v1/users/self/totp_removals',
  summary: 'Remove the authenticator and its recovery codes',
  needs: null,
  audience: 'person',
  body: z.object({ current_password: reauthentication.current_password, code: z.string().trim().min(6).max(40) }),
  status: 204,
  output: z.null(),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_INVALID'],
});
export const createRecoveryCodes = endpoint({
  id: 'second_factors.create_recovery_codes',
  method: 'POST',
  path: '/v1/users/self/recovery_codes',
  summary: 'Create ten new recovery codes; the old codes stop working',
  needs: null,
  audience: 'person',
  body: z.object(reauthentication),
  status: 201,
  output: z.object({ recovery_codes: z.array(z.string()) }),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SECOND_FACTOR_REQUIRED'],
});

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  create_date: timestamp,
  last_used_date: timestamp.nullable(),
});
export type Passkey = z.output<typeof Passkey>;

/** WebAuthn options in the JSON format that browsers parse. */
const PasskeyChallenge = z.object({ id: z.string(), options: z.record(z.string(), z.unknown()) });

export const listPasskeys = endpoint({
  id: 'second_factors.list_passkeys',
  method: 'GET',
  path: '/v1/users/self/passkeys',
  summary: 'List the caller’s passkeys',
  needs: null,
  audience: 'person',
  output: z.array(Passkey),
  problems: [],
});
export const createPasskeyChallenge = endpoint({
  id: 'second_factors.create_passkey_challenge',
  method: 'POST',
  path: '/v1/users/self/passkey_challenges',
  summary: 'Start adding a passkey',
  needs: null,
  audience: 'person',
  body: z.object(reauthentication),
  status: 201,
  output: PasskeyChallenge,
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED'],
});
export const createPasskey = endpoint({
  id: 'second_factors.create_passkey',
  method: 'POST',
  path: '/v1/users/self/passkeys',
  summary: 'Add the passkey that the browser created',
  needs: null,
  audience: 'person',
  body: z.object({ challenge_id: uuid('PASSKEY_INVALID'), name: z.string().trim().min(1).max(45), credential }),
  status: 201,
  output: Passkey,
  problems: ['PASSKEY_INVALID'],
});
export const removePasskey = endpoint({
  id: 'second_factors.remove_passkey',
  method: 'POST',
  path: '/v1/users/self/passkeys/{id}/removals',
  summary:
    'Remove a passkey. Requires re-authentication, unless the caller has just signed in with a password or passkey',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid('PASSKEY_NOT_FOUND') }),
  body: z.object(reauthentication),
  status: 204,
  output: z.null(),
  problems: [
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
    'SECOND_FACTOR_REQUIRED',
    'PASSKEY_NOT_FOUND',
    'LAST_SIGN_IN_METHOD',
  ],
});
/** Returns the same options for everyone so that the response does not reveal who has a passkey. */
export const createSignInChallenge = endpoint({
  id: 'second_factors.create_sign_in_challenge',
  method: 'POST',
  path: '/v1/passkey_challenges',
  summary: 'Start signing in with a passkey',
  needs: 'public',
  body: z.object({}),
  status: 201,
  output: PasskeyChallenge,
  problems: [],
});
/** A passkey with user verification on the device counts as both factors. */
export const signInWithPasskey = endpoint({
  id: 'second_factors.sign_in',
  method: 'POST',
  path: '/v1/passkey_sign_ins',
  summary: 'Sign in with a passkey',
  needs: 'public',
  body: z.object({ challenge_id: uuid('PASSKEY_INVALID'), credential }),
  output: SignIn,
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'USER_BLOCKED', 'ACCOUNT_CLOSED', 'PASSKEY_INVALID'],
});
