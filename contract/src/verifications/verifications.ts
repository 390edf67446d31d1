/** Verification codes that customers send to their own users, and whether the users entered them. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { commaList, country, listQuery, problem, search, timestamp, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import {
  FALLBACK_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  RECIPIENT_PROBLEMS,
  SENDING_PROBLEMS,
  TEMPLATE_USE_PROBLEMS,
} from '../problems/groups.ts';
import { verificationFields } from './rules.ts';
import { VERIFICATION_STATUSES } from './statuses.ts';

/** The code itself is in no response. */
export const SentCode = z.object({
  id: z.string(),
  account_id: z.string(),
  message_id: z.string(),
  phone: z.string(),
  /** The first channel of the code. */
  channel: z.string(),
  country: z.string(),
  status: z.enum(VERIFICATION_STATUSES),
  attempts: z.int(),
  create_date: timestamp,
  expire_date: timestamp,
  verify_date: timestamp.nullable(),
  /** Set if a test key created the code: it is free and reaches no phone. */
  test: z.literal(true).optional(),
});
export type SentCode = z.output<typeof SentCode>;

export const createVerification = endpoint({
  id: 'verifications.create',
  method: 'POST',
  path: '/v1/verifications',
  summary: 'Send a verification code. It replaces an earlier code to the same phone',
  needs: 'MESSAGES:add',
  test_keys: true,
  body: z.object(verificationFields),
  status: 201,
  idempotent: true,
  keeps_refusals: true,
  masks: ['code'],
  output: SentCode,
  problems: [
    ...SENDING_PROBLEMS,
    ...TEMPLATE_USE_PROBLEMS,
    ...RECIPIENT_PROBLEMS,
    ...FALLBACK_PROBLEMS,
    'MESSAGE_CHANNEL_INVALID',
    'CHANNEL_TEMPLATE_REQUIRED',
    'VERIFICATION_EMAIL_REQUIRED',
    'VERIFICATION_SENDER_REQUIRED',
    'VERIFICATION_PHONE_REQUIRED',
    'VERIFICATION_PHONE_INVALID',
    'VERIFICATION_TEMPLATE_REQUIRED',
    'VERIFICATION_TEMPLATE_CODE_REQUIRED',
    'VIBER_TEMPLATE_NOT_ONE_TIME_PASSWORD',
    'VERIFICATION_CATEGORY_INVALID',
    'CODE_LENGTH_INVALID',
    'CODE_OR_LENGTH_REQUIRED',
    'VERIFICATION_CODE_LENGTH_INVALID',
    'VERIFICATION_CODE_NOT_NUMERIC',
    'TTL_INVALID',
    'TTL_VOICE_NOT_SUPPORTED',
    'TTL_SMS_NOT_SUPPORTED',
    'TTL_WHATSAPP_NOT_SUPPORTED',
    'TTL_VIBER_TOO_SHORT',
    'TTL_VIBER_TOO_LONG',
    'TTL_NOT_SUPPORTED',
    'TTL_TELEGRAM_TOO_SHORT',
    'TTL_TELEGRAM_TOO_LONG',
    'VERIFICATION_ADDRESS_INVALID',
    'CODE_SENT_RECENTLY',
    'VERIFICATION_LIMIT_REACHED',
    'VERIFICATION_STOPPED',
    ...IDEMPOTENCY_PROBLEMS,
  ],
});

const required = (code: 'VERIFICATION_PHONE_REQUIRED' | 'VERIFICATION_CODE_REQUIRED') =>
  z.union([z.string(), z.number().transform(String)], { error: problem(code) }).pipe(
    z
      .string()
      .trim()
      .min(1, { error: problem(code) })
      .max(30),
  );
const check = {
  phone: required('VERIFICATION_PHONE_REQUIRED'),
  code: required('VERIFICATION_CODE_REQUIRED'),
};

export const checkVerification = endpoint({
  id: 'verifications.check',
  method: 'GET',
  path: '/v1/verifications',
  summary: 'Check a code. The list is empty if the code is wrong, expired, or already used',
  needs: 'MESSAGES:add',
  test_keys: true,
  query: z.object(check),
  list: true,
  masks: ['code'],
  output: SentCode,
  problems: ['VERIFICATION_PHONE_REQUIRED', 'VERIFICATION_CODE_REQUIRED'],
});

export const submitCode = endpoint({
  id: 'verifications.submit',
  method: 'POST',
  path: '/v1/verification_checks',
  summary: 'Check a code, like the GET call, but with the code in the body instead of the URL',
  needs: 'MESSAGES:add',
  test_keys: true,
  body: z.object(check),
  masks: ['code'],
  output: z.object({
    verified: z.boolean(),
    /** The verified code; null if the code is wrong, expired, or already used. */
    verification: SentCode.nullable(),
  }),
  problems: ['VERIFICATION_PHONE_REQUIRED', 'VERIFICATION_CODE_REQUIRED'],
});

export const listSentCodes = endpoint({
  id: 'verifications.list',
  method: 'GET',
  path: '/v1/verifications/log',
  summary: 'List the codes of the last 30 days, newest first',
  needs: 'MESSAGES:view',
  test_keys: true,
  query: listQuery({
    phone: search,
    statuses: wordList(VERIFICATION_STATUSES),
    countries: commaList(country('VALUE_INVALID')),
    channel: channel('VALUE_INVALID'),
  }),
  list: true,
  output: SentCode,
  problems: ['VALUE_INVALID'],
});

const figures = { sent: z.int(), verified: z.int() };
export const Conversion = z.object({
  days: z.int(),
  total: z.object(figures),
  /** Every day of the period, oldest first, in UTC. */
  by_day: z.array(z.object({ date: z.string(), ...figures })),
  /** The 100 countries with the most codes, by number of codes. */
  by_country: z.array(z.object({ country: z.string(), ...figures })),
  by_channel: z.array(z.object({ channel: z.string(), ...figures })),
});
export type Conversion = z.output<typeof Conversion>;

export const CONVERSION_DAYS = [7, 30, 90] as const;
export const getConversion = endpoint({
  id: 'verifications.conversion',
  method: 'GET',
  path: '/v1/verifications/conversion',
  summary: 'Get the number of codes sent and entered, by day, country, and channel',
  needs: 'MESSAGES:view',
  query: z.object({
    days: z.coerce
      .number()
      .int()
      .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)]))
      .optional(),
  }),
  output: Conversion,
  problems: ['VALUE_INVALID'],
});

/** A code was entered, expired, or had too many wrong attempts. */
export const verificationChanged = event({
  id: 'verification.changed',
  modules: ['verifications'],
  needs: 'MESSAGES:view',
  payload: SentCode,
});
/** Codes to a place were stopped, or allowed again. */
export const verificationStopsChanged = event({
  id: 'verification.stops_changed',
  modules: ['verifications'],
  needs: 'MESSAGES:view',
  payload: z.object({ kind: z.enum(['range', 'country']), place: z.string(), stopped: z.boolean() }),
});
