/** Access to WhatsApp and Viber: the form, its files, and the verified numbers of a company. */
import { z } from 'zod';
import { ACCESS_FORMS } from '../channels/access.ts';
import { type AccessKind, mapAccessKinds } from '../channels/access_kinds.ts';
import { idParams, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { code, Verification } from '../verify/codes.ts';
import type { FileKind } from './access_files.ts';
import { Attachment, MAX_ATTACHMENT_BYTES, Registration } from './registration.ts';

const BUSINESS = [
  'BUSINESS_NAME_INVALID',
  'BUSINESS_NAME_EXISTS',
  'BUSINESS_NAME_EN_INVALID',
  'BUSINESS_ADDRESS_INVALID',
  'BUSINESS_DESCRIPTION_INVALID',
  'BUSINESS_WEBSITE_INVALID',
  'BUSINESS_PHONE_INVALID',
  'BUSINESS_COUNTRY_INVALID',
  'TARGETED_COUNTRIES_REQUIRED',
  'BUSINESS_EMAIL_INVALID',
  'BUSINESS_INDUSTRY_INVALID',
  'BUSINESS_LOCATIONS_INVALID',
  'PARENT_NAME_INVALID',
  'BUSINESS_NAME_REQUIRED',
  'BUSINESS_NAME_EN_REQUIRED',
  'BUSINESS_ADDRESS_REQUIRED',
  'BUSINESS_DESCRIPTION_REQUIRED',
  'BUSINESS_WEBSITE_REQUIRED',
  'BUSINESS_PHONE_REQUIRED',
  'BUSINESS_EMAIL_REQUIRED',
] as const;

const save = <K extends AccessKind>(kind: K) =>
  endpoint({
    id: `senders.put_${kind}`,
    method: 'PUT',
    path: `/v1/senders/{id}/${kind}`,
    summary: ACCESS_FORMS[kind].summaries.form,
    needs: 'SENDERS:add',
    verified: true,
    params: idParams('SENDER_NOT_FOUND'),
    body: ACCESS_FORMS[kind].draft as (typeof ACCESS_FORMS)[K]['draft'],
    output: Registration,
    problems: [
      ...BUSINESS,
      ...ACCESS_FORMS[kind].problems,
      'SENDER_NOT_FOUND',
      'SENDER_STATE_INVALID',
      'ACCOUNT_UNVERIFIED',
    ],
  });
/** Save a part of each form. */
export const SAVE_ACCESS = mapAccessKinds(save);

const fileKinds = (kind: AccessKind): FileKind[] => ACCESS_FORMS[kind].files.map((file) => file.kind);
const attach = <K extends AccessKind>(kind: K) =>
  endpoint({
    id: `senders.put_${kind}_attachments`,
    method: 'PUT',
    path: `/v1/senders/{id}/${kind}_attachments`,
    summary: ACCESS_FORMS[kind].summaries.files,
    needs: 'SENDERS:add',
    verified: true,
    params: idParams('SENDER_NOT_FOUND'),
    body: z.object({ kind: z.enum(fileKinds(kind)) }),
    upload: { max_bytes: MAX_ATTACHMENT_BYTES },
    timeout_ms: 60_000,
    output: Attachment,
    problems: [
      'REQUEST_TOO_LARGE',
      'SENDER_NOT_FOUND',
      'SENDER_STATE_INVALID',
      'ATTACHMENTS_LIMIT_REACHED',
      'STORAGE_LIMIT_REACHED',
      'ACCOUNT_UNVERIFIED',
      'FILE_EXTENSION_NOT_ALLOWED',
      'IMAGE_DIMENSIONS_INVALID',
      'FILE_CORRUPTED',
      'FILE_CONTENT_MISMATCH',
      'FILE_NAME_INVALID',
    ],
  });
/** Attach a file to each form. */
export const ATTACH_ACCESS = mapAccessKinds(attach);

export const OwnNumber = z.object({
  number: z.string(),
  /** `own`: verified by a code. `account`: the account sends SMS from it. */
  source: z.enum(['own', 'account']),
  verify_date: timestamp.nullable(),
  /** The WhatsApp sender that uses the number or is requested with it. */
  sender_id: z.string().nullable(),
});
export type OwnNumber = z.output<typeof OwnNumber>;

export const listOwnNumbers = endpoint({
  id: 'senders.list_own_numbers',
  method: 'GET',
  path: '/v1/own_numbers',
  summary: 'List numbers that can become WhatsApp senders: verified numbers, and numbers the account sends SMS from',
  needs: 'SENDERS:view',
  output: z.array(OwnNumber),
  problems: [],
});

/**
 * Only signed-in users can call this endpoint, so the limits apply per person. A verified number belongs to the
 * company.
 */
export const createNumberVerification = endpoint({
  id: 'senders.create_phone_verification',
  method: 'POST',
  path: '/v1/senders/{id}/phone_verifications',
  summary: 'Send a verification code by SMS to one of the company’s numbers',
  needs: 'SENDERS:add',
  verified: true,
  audience: 'person',
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({
    phone_number: z
      .string({ error: problem('SENDER_PHONE_INVALID') })
      .trim()
      .min(1, { error: problem('SENDER_PHONE_INVALID') })
      .max(45, { error: problem('SENDER_PHONE_INVALID') }),
  }),
  status: 201,
  output: Verification,
  problems: [
    'CODE_SENT_RECENTLY',
    'SENDER_NOT_FOUND',
    'SENDER_PHONE_INVALID',
    'SENDER_STATE_INVALID',
    'ACCOUNT_UNVERIFIED',
    'PHONE_VERIFICATION_FAILED',
  ],
});
export const confirmNumber = endpoint({
  id: 'senders.confirm_phone_verification',
  method: 'PUT',
  path: '/v1/senders/{id}/phone_verifications/{verification_id}',
  summary: 'Verify the number with the code sent to it',
  needs: 'SENDERS:add',
  verified: true,
  audience: 'person',
  params: z.object({ id: uuid('SENDER_NOT_FOUND'), verification_id: uuid('VERIFICATION_CODE_NOT_FOUND') }),
  body: z.object({ code }),
  output: OwnNumber,
  problems: [
    'VERIFICATION_CODE_NOT_FOUND',
    'VERIFICATION_CODE_INVALID',
    'VERIFICATION_EXPIRED',
    'SENDER_NOT_FOUND',
    'ACCOUNT_UNVERIFIED',
    'PHONE_VERIFICATION_FAILED',
  ],
});
