/**
 * Sign-up, codes by email and SMS, and password resets. Responses do not reveal whether an address has a user; only the
 * email differs.
 */
import { z } from 'zod';
import { companyName, country, plainName, problem, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { textLength } from '../text_length.ts';
import { code, Verification } from '../verify/codes.ts';
import { SignIn } from './auth.ts';
import { reauthentication } from './reauthentication.ts';

/**
 * At least 8 characters, including a digit and an uppercase letter. The password is also checked against a list of
 * common passwords (PASSWORD_TOO_COMMON).
 */
export const password = z
  .string()
  .max(128, { error: problem('PASSWORD_TOO_WEAK') })
  .refine((text) => textLength(text) >= 8 && /\p{Nd}/u.test(text) && /\p{Lu}/u.test(text), {
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
/** A phone number as people write it; the server parses it. */
const phoneInput = z.string().trim().min(1).max(45);

export const signUp = endpoint({
  id: 'users.sign_up',
  method: 'POST',
  path: '/v1/users',
  summary:
    'Create a user and their company. The `X-Source` header names the origin of the sign-up; with ' +
    '`X-Social-Token`, no password is needed',
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
    /** The user has accepted the terms. */
    terms: z.literal(true),
  }),
  status: 201,
  /**
   * `next` is `email_verification`. If a social sign-in provider has confirmed the address, a token is returned
   * immediately.
   */
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
  summary: 'Send a new code by email; it replaces the previous code',
  needs: 'public',
  body: z.object({ email }),
  status: 201,
  output: Verification,
  problems: ['EMAIL_REQUIRED', 'EMAIL_INVALID', 'CODE_LIMIT_REACHED', 'CODE_SENT_RECENTLY'],
});
/** `purpose`: a sign-up code opens a session; a password reset code returns `hash`, the secret in the reset link. */
export const confirmEmail = endpoint({
  id: 'verifications.confirm_email',
  method: 'PUT',
  path: '/v1/email_verifications/{id}',
  summary: 'Confirm an email address with the code sent to it',
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
  summary: 'Request a password reset; sends a code and a link if the email address belongs to a user',
  needs: 'public',
  body: z.object({ email }),
  status: 201,
  output: Verification,
  problems: ['EMAIL_REQUIRED', 'EMAIL_INVALID', 'CODE_LIMIT_REACHED', 'CODE_SENT_RECENTLY'],
});
/** Ends all of the person's sessions. */
export const resetPassword = endpoint({
  id: 'verifications.reset_password',
  method: 'PUT',
  path: '/v1/password_resets/{id}',
  summary: 'Set a new password; `id` is the single-use secret from the link',
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
  summary: 'Complete a sign-in with the second factor: an authenticator code or a recovery code, each valid once',
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
 * The code is sent like any other message, from the operators' sender. Changing a confirmed number requires
 * re-authentication.
 */
export const createPhoneVerification = endpoint({
  id: 'verifications.create_phone',
  method: 'POST',
  path: '/v1/phone_verifications',
  summary: 'Send a code by SMS; confirming it sets the caller’s phone number',
  needs: null,
  audience: 'person',
  body: z.object({ phone_number: phoneInput, ...reauthentication }),
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
  summary: 'Confirm the phone number with the code sent to it',
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
