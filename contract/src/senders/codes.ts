/**
 * The code a carrier sends to a number before it becomes a sender there. Whoever can read it out enters it: the company, or an operator for it. Not to be
 * mixed up with our own code, by which a company shows that a number is its own.
 */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** Of our own; a carrier may have narrower ones. */
export const CARRIER_CODES = { a_day: 5, pause_seconds: 60, tries: 5 } as const;

export const NumberVerification = z.object({
  /** The carrier has seen the right code. */
  verified: z.boolean(),
  method: z.enum(['sms', 'voice']).nullable(),
  /** When the last code was sent; null: none is awaited. */
  code_date: timestamp.nullable(),
  /** Before then no other is sent. */
  next_date: timestamp.nullable(),
  tries_left: z.int(),
});
export type NumberVerification = z.output<typeof NumberVerification>;

const asking = z.object({ method: z.enum(['sms', 'voice']).default('sms') });
const giving = z.object({
  code: z
    .string()
    .trim()
    .transform((code) => code.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, { error: 'The code has six digits' })),
});
const PROBLEMS = [
  'CARRIER_REJECTED_SENDER',
  'CARRIER_UNAVAILABLE',
  'CARRIER_CODE_LIMIT_REACHED',
  'CARRIER_CODE_NOT_EXPECTED',
  'ACCOUNT_UNVERIFIED',
] as const;

export const createCarrierCode = endpoint({
  id: 'senders.create_carrier_code',
  method: 'POST',
  path: '/v1/senders/{id}/carrier_codes',
  summary: 'Have WhatsApp send a code to the number, by SMS or in a call',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: asking,
  status: 201,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['SENDER_NOT_FOUND', ...PROBLEMS],
});
export const giveCarrierCode = endpoint({
  id: 'senders.give_carrier_code',
  method: 'PUT',
  path: '/v1/senders/{id}/carrier_codes',
  summary: 'Give the code WhatsApp sent to the number; the number is registered with it',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: giving,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['SENDER_NOT_FOUND', 'CARRIER_CODE_INVALID', ...PROBLEMS],
});

/** The same, by an operator. */
export const createRequestCode = endpoint({
  id: 'requests.create_carrier_code',
  method: 'POST',
  path: '/v1/requests/{id}/carrier_codes',
  summary: 'Have WhatsApp send a code to the number of a request, by SMS or in a call',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: asking,
  status: 201,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND', ...PROBLEMS],
});
export const giveRequestCode = endpoint({
  id: 'requests.give_carrier_code',
  method: 'PUT',
  path: '/v1/requests/{id}/carrier_codes',
  summary: 'Give the code WhatsApp sent to the number of a request; then it can be approved',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: giving,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND', 'CARRIER_CODE_INVALID', ...PROBLEMS],
});
