/** Access to WhatsApp and Viber: the parts of the form, its files, and the numbers that a company shows to be its own. */
import { z } from 'zod';
import { idParams, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { code, Verification } from '../verify/codes.ts';
import { ACCESS_FILES, ViberDraft, WhatsappDraft } from './access_form.ts';
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

export const putWhatsapp = endpoint({
  id: 'senders.put_whatsapp',
  method: 'PUT',
  path: '/v1/senders/{id}/whatsapp',
  summary: 'The company, its number and profile as WhatsApp asks for them; what is left out stays as it was',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: WhatsappDraft,
  output: Registration,
  problems: [
    ...BUSINESS,
    'SENDER_NOT_FOUND',
    'SENDER_ID_EXISTS',
    'SENDER_PHONE_INVALID',
    'SENDER_STATE_INVALID',
    'ACCOUNT_UNVERIFIED',
  ],
});
export const putViber = endpoint({
  id: 'senders.put_viber',
  method: 'PUT',
  path: '/v1/senders/{id}/viber',
  summary: 'The company, its traffic and examples as Viber asks for them; what is left out stays as it was',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: ViberDraft,
  output: Registration,
  problems: [...BUSINESS, 'SENDER_NOT_FOUND', 'SENDER_STATE_INVALID', 'ACCOUNT_UNVERIFIED'],
});

const attachments = <K extends keyof typeof ACCESS_FILES>(kind: K, summary: string) =>
  endpoint({
    id: `senders.put_${kind}_attachments`,
    method: 'PUT',
    path: `/v1/senders/{id}/${kind}_attachments`,
    summary,
    needs: 'SENDERS:add',
    verified: true,
    params: idParams('SENDER_NOT_FOUND'),
    body: z.object({ kind: z.enum(ACCESS_FILES[kind].map((file) => file.kind)) }),
    upload: { max_bytes: MAX_ATTACHMENT_BYTES },
    timeout_ms: 60_000,
    output: Attachment,
    problems: [
      'REQUEST_TOO_LARGE',
      'SENDER_NOT_FOUND',
      'SENDER_STATE_INVALID',
      'ATTACHMENTS_LIMIT_REACHED',
      'ACCOUNT_UNVERIFIED',
      'FILE_EXTENSION_NOT_ALLOWED',
      'IMAGE_DIMENSIONS_INVALID',
      'FILE_CORRUPTED',
      'FILE_CONTENT_MISMATCH',
      'FILE_NAME_INVALID',
    ],
  });
export const putWhatsappAttachment = attachments(
  'whatsapp',
  'Attach the logo of the profile (PNG of exactly 640 x 640) or a document; one of each kind but others, the newer one counts',
);
export const putViberAttachment = attachments(
  'viber',
  'Attach the warranty letter (PDF), a logo (PNG of exactly the size its kind names) or a document; the newer one of a kind counts',
);

export const OwnNumber = z.object({
  number: z.string(),
  /** `own`: shown by a code to be the company’s. `account`: it sends SMS from here. */
  source: z.enum(['own', 'account']),
  verify_date: timestamp.nullable(),
  /** The sender of WhatsApp that has it, or asks for it. */
  sender_id: z.string().nullable(),
});
export type OwnNumber = z.output<typeof OwnNumber>;

export const listOwnNumbers = endpoint({
  id: 'senders.list_own_numbers',
  method: 'GET',
  path: '/v1/own_numbers',
  summary:
    'Numbers that can become a sender of WhatsApp: those shown to be the company’s own, and those it sends SMS from',
  needs: 'SENDERS:view',
  output: z.array(OwnNumber),
  problems: [],
});

/** A person asks, so that limits are theirs; the number then belongs to the company. */
export const createNumberVerification = endpoint({
  id: 'senders.create_phone_verification',
  method: 'POST',
  path: '/v1/senders/{id}/phone_verifications',
  summary: 'Send a code by SMS to a number of the company; with the right code it counts as its own',
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
  summary: 'Give the code that came to the number',
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
