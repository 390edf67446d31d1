/**
 * The verification code that a carrier sends to a number before it becomes a sender there. The company or an operator
 * enters it. It is different from our own code, with which a company verifies that it owns a number.
 */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** Our own limits; a carrier can have stricter ones. */
export const CARRIER_CODES = { per_day: 5, pause_seconds: 60, tries: 5 } as const;

export const NumberVerification = z.object({
  /** The carrier has accepted the code. */
  verified: z.boolean(),
  method: z.enum(['sms', 'voice']).nullable(),
  /** When the last code was sent; null if no code is expected. */
  code_date: timestamp.nullable(),
  /** The earliest time at which another code can be sent. */
  next_date: timestamp.nullable(),
  tries_left: z.int(),
});
export type NumberVerification = z.output<typeof NumberVerification>;

const codeRequest = z.object({ method: z.enum(['sms', 'voice']).default('sms') });
const codeInput = z.object({
  code: z
    .string()
    .trim()
    .transform((code) => code.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, { error: 'must have six digits' })),
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
  summary: 'Request a WhatsApp verification code for the number, by SMS or call',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: codeRequest,
  status: 201,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['SENDER_NOT_FOUND', ...PROBLEMS],
});
export const enterCarrierCode = endpoint({
  id: 'senders.give_carrier_code',
  method: 'PUT',
  path: '/v1/senders/{id}/carrier_codes',
  summary: 'Verify the number with the WhatsApp code and register it',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: codeInput,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['SENDER_NOT_FOUND', 'CARRIER_CODE_INVALID', ...PROBLEMS],
});

/** For operators, who enter the code of a request. */
export const createRequestCode = endpoint({
  id: 'requests.create_carrier_code',
  method: 'POST',
  path: '/v1/requests/{id}/carrier_codes',
  summary: 'Request a WhatsApp verification code for the number of a request, by SMS or call',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: codeRequest,
  status: 201,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND', ...PROBLEMS],
});
export const enterRequestCode = endpoint({
  id: 'requests.give_carrier_code',
  method: 'PUT',
  path: '/v1/requests/{id}/carrier_codes',
  summary: 'Verify the number of a request with the WhatsApp code, so that it can be approved',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: codeInput,
  timeout_ms: 45_000,
  output: NumberVerification,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND', 'CARRIER_CODE_INVALID', ...PROBLEMS],
});
