/**
 * Becoming somebody: sign-up, codes by mail and text message, a forgotten password. Answers are the same whether an address is known or
 * not: the mail tells.
 */
import { z } from 'zod';
import { companyName, country, plainName, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SignIn } from './auth.ts';
import { proof } from './proof.ts';

/** At least 8 characters with one digit and one uppercase letter; also checked against a list of common passwords (1115). */
export const password = z
  .string()
  .max(128, { error: problem(1114) })
  .refine((text) => [...text].length >= 8 && /\p{Nd}/u.test(text) && /\p{Lu}/u.test(text), { error: problem(1114) });
export const email = z
  .string({ error: problem(1109) })
  .trim()
  .min(1, { error: problem(1109) })
  .max(254, { error: problem(1113) })
  .pipe(z.email({ error: problem(1113) }));
export const firstName = plainName({ min: 1, max: 60, missing: 1111 });
export const lastName = plainName({ min: 1, max: 60, missing: 1112 });
/** Digits as they are typed; the server reads the number. */
export const phoneInput = z.string().trim().min(1).max(45);
export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: problem(1125) });

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
    country_code: country(1166),
    phone_number: phoneInput.optional(),
    timezone: z.string().max(60).optional(),
    industry_id: range(1, 37).optional(),
    /** The terms were accepted; nothing happens without. */
    terms: z.literal(true),
  }),
  status: 201,
  /** `next` is `email_verification`, or a token at once after a social sign-in whose provider confirmed the address. */
  output: SignIn,
  problems: [1002, 1137, 1105, 1114, 1115, 1113, 1128, 1129, 1133, 1140, 1146, 1166, 1803, 7910],
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
  problems: [1109, 1113, 1146, 1167],
});
/** `purpose` tells what the right code opened: a session (sign-up) or the link of a password reset. */
export const confirmEmail = endpoint({
  id: 'verifications.confirm_email',
  method: 'PUT',
  path: '/v1/email_verifications/{id}',
  summary: 'Give the code that came by mail',
  needs: 'public',
  params: z.object({ id: uuid(1110) }),
  body: z.object({ code }),
  output: SignIn.extend({ purpose: z.enum(['sign_up', 'password_reset']), hash: z.string().nullable() }),
  problems: [1110, 1125, 1135, 1140, 1145],
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
  problems: [1109, 1113, 1146, 1167],
});
/** All sessions of the person end. */
export const resetPassword = endpoint({
  id: 'verifications.reset_password',
  method: 'PUT',
  path: '/v1/password_resets/{id}',
  summary: 'Choose a new password; `id` is the secret of the link, once',
  needs: 'public',
  params: z.object({ id: z.string().regex(/^[\w-]{20,100}$/, { error: problem(1140) }) }),
  body: z.object({ password }),
  status: 204,
  output: z.null(),
  problems: [1114, 1115, 1140],
});

export const verifyLogin = endpoint({
  id: 'verifications.verify_login',
  method: 'PUT',
  path: '/v1/login_verifications/{id}',
  summary: 'Give the second factor of a sign-in: a code of the authenticator or a recovery code, once each',
  needs: 'public',
  params: z.object({ id: uuid(1110) }),
  body: z.object({ method: z.enum(['totp', 'recovery_code']), code: z.string().trim().min(6).max(40) }),
  output: SignIn,
  problems: [1110, 1121, 1135, 1140, 1145, 1147],
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
  problems: [1121, 1126, 1133, 1146, 1167, 1801, 1802, 1803, 7910],
});
export const confirmPhone = endpoint({
  id: 'verifications.confirm_phone',
  method: 'PUT',
  path: '/v1/phone_verifications/{id}',
  summary: 'Give the code that came to the phone',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid(1110) }),
  body: z.object({ code }),
  status: 204,
  output: z.null(),
  problems: [1110, 1125, 1140, 1801, 1802],
});
