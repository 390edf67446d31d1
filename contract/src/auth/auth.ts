/**
 * Sign-in and sign-out. `next` names the step to complete first: a second factor, an email confirmation, or a social
 * sign-up or connection.
 */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

const FACTORS = ['totp', 'recovery_code', 'passkey'] as const;
export type Factor = (typeof FACTORS)[number];

/**
 * If `access_token` is set, the user is signed in. Otherwise `next` is the step to complete first.
 * `login_verification`: PUT /login_verifications/{verification_id}. `email_verification`: PUT
 * /email_verifications/{verification_id}. `sign_up` or `link`: no user has this social identity yet, so sign up with
 * the same social token, or sign in with the password and connect it.
 */
export const SignIn = z.object({
  access_token: z.string().nullable(),
  expire_date: timestamp.nullable(),
  next: z.enum(['login_verification', 'email_verification', 'sign_up', 'link']).nullable(),
  verification_id: z.string().nullable(),
  /** The second factors that the person can use. */
  methods: z.array(z.enum(FACTORS)),
  email: z.string(),
});
export type SignIn = z.output<typeof SignIn>;

/** `Authorization: Basic base64(email:password)`. The response never reveals which of the two is wrong. */
export const signIn = endpoint({
  id: 'auth.sign_in',
  method: 'GET',
  path: '/v1/users/self/token',
  summary: 'Sign in with email and password (HTTP Basic authentication)',
  needs: 'public',
  output: SignIn,
  problems: [
    'USERNAME_REQUIRED',
    'PASSWORD_REQUIRED',
    'CREDENTIALS_INVALID',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'USER_BLOCKED',
    'ACCOUNT_CLOSED',
    'CODE_LIMIT_REACHED',
  ],
});

export const signOut = endpoint({
  id: 'auth.sign_out',
  method: 'DELETE',
  path: '/v1/users/self/token',
  summary: 'Sign out and invalidate the token immediately',
  needs: null,
  audience: 'session',
  status: 204,
  output: z.null(),
  problems: [],
});
