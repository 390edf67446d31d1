/**
 * Becoming somebody: sign-up, codes by mail and text message, a forgotten password. Answers are the same whether an address is known or
 * not: the mail tells.
 */
import { z } from 'zod';
import { companyName, country, plainName, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SignIn } from './auth.ts';
import { proof } from './proof.ts';

/**
 * At least 8 characters with one digit and one uppercase letter; also checked against a list of common passwords
 * (PASSWORD_TOO_COMMON).
 */
export const password = z
  .string()
  .max(128, { error: problem('PASSWORD_TOO_WEAK') })
  .refine((text) => [...text].length >= 8 && /\p{Nd}/u.test(text) && /\p{Lu}/u.test(text), {
    error: problem('PASSWORD_TOO_WEAK'),
  });
export const email = z
  .string({ error: problem('EMAIL_REQUIRED') })
  .trim()
  .min(1, { error: problem('EMAIL_REQUIRED') })
  .max(254, { error: problem('EMAIL_INVALID') })
  .pipe(z.email({ error: problem('EMAIL_INVALID') }));
export const firstName = plainName({ min: 1, max: 60, missing: 'FIRST_NAME_REQUIRED' });
export const lastName = plainName({ min: 1, max: 60, missing: 'LAST_NAME_REQUIRED' });
/** Digits as they are typed; the server reads the number. */
export const phoneInput = z.string().trim().min(1).max(45);
export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: problem('VERIFICATION_CODE_INVALID') });

export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;

/** A code is on its way (or would be, if the address were known). */
export const Verification = z.object({
  id: z.string(),
  expire_date: timestamp,
  /** When another code may be asked for. */
  resend_date: timestamp,
});
export type Verification = z.output<typeof Verification>;

export const signUp = endpoint({
  id: 'users.sign_up',
  method: 'POST',
  path: '/v1/users',
  summary:
    'Create a user and their company. A source header (`X-Source`) says where they came from; with `X-Social-Token` no password is needed',
  needs: 'public',
  body: z.object({
    email,
    password: password.optional(),
    first_name: firstName,
    last_name: lastName,
    company_name: companyName,
    country_code: country('COUNTRY_INVALID'),
    phone_number: phoneInput.optional(),
    timezone: z.string().max(60).optional(),
    industry_id: range(1, 37).optional(),
    /** The terms were accepted; nothing happens without. */
    terms: z.literal(true),
  }),
  status: 201,
  /** `next` is `email_verification`, or a token at once after a social sign-in whose provider confirmed the address. */
  output: SignIn,
  problems: [
    'SIGN_UP_EMAIL_BLOCKED',
    'SIGN_UP_PHONE_BLOCKED',
    'PASSWORD_REQUIRED',
    'PASSWORD_TOO_WEAK',
    'PASSWORD_TOO_COMMON',
    'EMAIL_INVALID',
    'SOCIAL_LOGIN_EXISTS',
    'COMPANY_NAME_EXISTS',
    'USER_PHONE_EXISTS',
    'VERIFICATION_EXPIRED',
    'CODE_LIMIT_REACHED',
    'COUNTRY_INVALID',
    'CODE_COUNTRY_NOT_ALLOWED',
    'USER_PHONE_INVALID',
  ],
});

export const createEmailVerification = endpoint({
  id: 'verifications.create_email',
  method: 'POST',
  path: '/v1/email_verifications',
  summary: 'Send the code to the mailbox once more; a new code replaces the old one',
  needs: 'public',
  body: z.object({ email }),
  status: 201,
  output: Verification,
  problems: ['EMAIL_REQUIRED', 'EMAIL_INVALID', 'CODE_LIMIT_REACHED', 'CODE_SENT_RECENTLY'],
});
/** `purpose` tells what the right code opened: a session (sign-up) or the link of a password reset. */
export const confirmEmail = endpoint({
  id: 'verifications.confirm_email',
  method: 'PUT',
  path: '/v1/email_verifications/{id}',
  summary: 'Give the code that came by mail',
  needs: 'public',
  params: z.object({ id: uuid('VERIFICATION_CODE_NOT_FOUND') }),
  body: z.object({ code }),
  output: SignIn.extend({ purpose: z.enum(['sign_up', 'password_reset']), hash: z.string().nullable() }),
  problems: [
    'VERIFICATION_CODE_NOT_FOUND',
    'VERIFICATION_CODE_INVALID',
    'USER_BLOCKED',
    'VERIFICATION_EXPIRED',
    'ACCOUNT_CLOSED',
  ],
});

export const createPasswordReset = endpoint({
  id: 'verifications.create_password_reset',
  method: 'POST',
  path: '/v1/password_resets',
  summary: 'Ask for a new password: a code and a link go to the mailbox, if there is a user of this address',
  needs: 'public',
  body: z.object({ email }),
  status: 201,
  output: Verification,
  problems: ['EMAIL_REQUIRED', 'EMAIL_INVALID', 'CODE_LIMIT_REACHED', 'CODE_SENT_RECENTLY'],
});
/** All sessions of the person end. */
export const resetPassword = endpoint({
  id: 'verifications.reset_password',
  method: 'PUT',
  path: '/v1/password_resets/{id}',
  summary: 'Choose a new password; `id` is the secret of the link, once',
  needs: 'public',
  params: z.object({ id: z.string().regex(/^[\w-]{20,100}$/, { error: problem('VERIFICATION_EXPIRED') }) }),
  body: z.object({ password }),
  status: 204,
  output: z.null(),
  problems: ['PASSWORD_TOO_WEAK', 'PASSWORD_TOO_COMMON', 'VERIFICATION_EXPIRED'],
});

export const verifyLogin = endpoint({
  id: 'verifications.verify_login',
  method: 'PUT',
  path: '/v1/login_verifications/{id}',
  summary: 'Give the second factor of a sign-in: a code of the authenticator or a recovery code, once each',
  needs: 'public',
  params: z.object({ id: uuid('VERIFICATION_CODE_NOT_FOUND') }),
  body: z.object({ method: z.enum(['totp', 'recovery_code']), code: z.string().trim().min(6).max(40) }),
  output: SignIn,
  problems: [
    'VERIFICATION_CODE_NOT_FOUND',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'USER_BLOCKED',
    'VERIFICATION_EXPIRED',
    'ACCOUNT_CLOSED',
    'SECOND_FACTOR_INVALID',
  ],
});

/**
 * The code goes through the same gate as every message, from the operators' own sender. Only whoever changes a number that was confirmed proves
 * themselves first.
 */
export const createPhoneVerification = endpoint({
  id: 'verifications.create_phone',
  method: 'POST',
  path: '/v1/phone_verifications',
  summary: 'Send a code to a phone; with the right code it becomes the caller’s own number',
  needs: null,
  audience: 'person',
  body: z.object({ phone_number: phoneInput, ...proof }),
  status: 201,
  output: Verification,
  problems: [
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
    'USER_PHONE_EXISTS',
    'CODE_LIMIT_REACHED',
    'CODE_SENT_RECENTLY',
    'PHONE_VERIFICATION_FAILED',
    'PROFILE_PHONE_EXISTS',
    'CODE_COUNTRY_NOT_ALLOWED',
    'USER_PHONE_INVALID',
  ],
});
export const confirmPhone = endpoint({
  id: 'verifications.confirm_phone',
  method: 'PUT',
  path: '/v1/phone_verifications/{id}',
  summary: 'Give the code that came to the phone',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid('VERIFICATION_CODE_NOT_FOUND') }),
  body: z.object({ code }),
  status: 204,
  output: z.null(),
  problems: [
    'VERIFICATION_CODE_NOT_FOUND',
    'VERIFICATION_CODE_INVALID',
    'VERIFICATION_EXPIRED',
    'PHONE_VERIFICATION_FAILED',
    'PROFILE_PHONE_EXISTS',
  ],
});
