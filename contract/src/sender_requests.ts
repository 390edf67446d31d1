/** The operators' queue of what customers want to send from. */
import { z } from 'zod';
import { commaList, idParams, listQuery, search, timestamp, uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import type { AccessKind } from './sender_access_form.ts';
import {
  Attachment,
  FieldReason,
  Finding,
  REQUEST_KINDS,
  Registration,
  type RequestKind,
} from './sender_registration.ts';
import { ListedSender, REQUEST_STATUSES } from './senders.ts';

/** Words an operator can choose from, for the field they belong to. */
const CANNED_REASONS: readonly { key: string; field: string; text: string }[] = [
  {
    key: 'website_unreachable',
    field: 'company.business_website',
    text: 'The website could not be opened, or does not show the company.',
  },
  {
    key: 'company_not_found',
    field: 'company.business_name',
    text: 'The company was not found in the register of its country. Use its name exactly as registered.',
  },
  {
    key: 'tax_number',
    field: 'company.registration_number',
    text: 'The register or tax number does not belong to this company.',
  },
  {
    key: 'name_not_yours',
    field: 'code',
    text: 'The name does not match your company, brand or website. Choose another one, or attach proof that it is yours.',
  },
  { key: 'name_too_general', field: 'code', text: 'The name is too general: it could be anybody’s.' },
  {
    key: 'use_case_unclear',
    field: 'sms_campaign.description',
    text: 'It is not clear what is sent, to whom, and how often.',
  },
  {
    key: 'samples_mismatch',
    field: 'example_messages.messages',
    text: 'The example messages do not fit the purpose that was chosen.',
  },
  { key: 'samples_brand', field: 'example_messages.messages', text: 'The example messages do not name the company.' },
  {
    key: 'no_opt_in',
    field: 'signup_options.description',
    text: 'It cannot be seen how people agree to get these messages.',
  },
  {
    key: 'no_stop',
    field: 'compliance_keyword_responses.stop_text',
    text: 'The answer to STOP must confirm that nothing more is sent, and name the company.',
  },
  { key: 'document_missing', field: 'attachments', text: 'A document is missing, cannot be read, or is not signed.' },
  { key: 'code_taken', field: 'wish', text: 'None of the short codes you chose is free.' },
];

/** Of WhatsApp and Viber, with the field in either form. */
const ACCESS_REASONS: readonly { key: string; field: string; text: string; kind?: AccessKind }[] = [
  {
    key: 'website_unreachable',
    field: 'business_website',
    text: 'The website could not be opened, or does not show the company.',
  },
  {
    key: 'company_not_found',
    field: 'business_name',
    text: 'The company was not found in the register of its country. Use its name exactly as registered.',
  },
  {
    key: 'description_unclear',
    field: 'business_description',
    text: 'It is not clear what the company does and whom it writes to.',
  },
  {
    key: 'industry_not_allowed',
    field: 'business_industry',
    text: 'What this industry sells may not be offered on this channel.',
  },
  {
    key: 'display_name',
    field: 'display_name',
    text: 'The display name must show the business, and the website must show the name.',
    kind: 'whatsapp',
  },
  {
    key: 'number_in_use',
    field: 'phone_number',
    text: 'The number is used with WhatsApp already. Delete that account first, or choose another number.',
    kind: 'whatsapp',
  },
  {
    key: 'meta_business',
    field: 'meta_business_id',
    text: 'The Meta business id is not of this company.',
    kind: 'whatsapp',
  },
  {
    key: 'name_taken',
    field: 'business_name_en',
    text: 'Another business is known by this name on Viber.',
    kind: 'viber',
  },
  {
    key: 'samples',
    field: 'sample_messages',
    text: 'The examples do not fit the traffic that was chosen.',
    kind: 'viber',
  },
  {
    key: 'warranty_letter',
    field: 'attachments.warranty_letter',
    text: 'The warranty letter is not signed, cannot be read, or names another company.',
    kind: 'viber',
  },
  { key: 'logo', field: 'attachments', text: 'The logo cannot be recognised, or is not the company’s.' },
];

/** Those that fit a kind of request. */
export const cannedReasons = (kind: RequestKind): readonly { key: string; field: string; text: string }[] =>
  kind !== 'whatsapp' && kind !== 'viber'
    ? CANNED_REASONS
    : ACCESS_REASONS.filter((reason) => (reason.kind ?? kind) === kind).map(({ key, field, text }) => ({
        key,
        field: field.startsWith('attachments') ? field : `${kind}.${field}`,
        text,
      }));

export const SenderRequest = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  sender_id: z.string(),
  name: z.string(),
  code: z.string(),
  kind: z.enum(REQUEST_KINDS),
  countries: z.array(z.string()),
  status: z.enum(REQUEST_STATUSES),
  /** It waits for the customer's answer. */
  asked: z.boolean(),
  reasons: z.array(FieldReason),
  note: z.string(),
  reviewer_name: z.string(),
  create_date: timestamp,
  decide_date: timestamp.nullable(),
  expected_date: timestamp,
});
export type SenderRequest = z.output<typeof SenderRequest>;

export const listSenderRequests = endpoint({
  id: 'sender_requests.list',
  method: 'GET',
  path: '/v1/sender_requests',
  summary: 'Requests that wait, longest first; or those decided, newest first',
  needs: 'SENDERS:view',
  audience: 'operator',
  query: listQuery({
    search,
    statuses: commaList(z.enum([...REQUEST_STATUSES, 'ASKED'])),
    kinds: commaList(z.enum(REQUEST_KINDS)),
  }),
  list: true,
  output: SenderRequest,
  problems: [1138],
});
export const getSenderRequest = endpoint({
  id: 'sender_requests.get',
  method: 'GET',
  path: '/v1/sender_requests/{id}',
  summary: 'One request: the form as it was sent, its documents, what the check finds, and what came before',
  needs: 'SENDERS:view',
  audience: 'operator',
  params: idParams(1477),
  timeout_ms: 20_000,
  output: SenderRequest.extend({
    sender: ListedSender,
    wish: z.object({ kind: z.enum(['random', 'chosen']), codes: z.array(z.string()) }).nullable(),
    form: Registration,
    /** Which form this is, with its documents: each answer of the customer makes another. */
    revision: z.int(),
    attachments: z.array(Attachment),
    findings: z.array(Finding),
    /** Of WhatsApp and Viber: the connections that could carry it. */
    connections: z.array(z.object({ id: z.string(), name: z.string(), enabled: z.boolean() })),
    /** How the carrier knows it already: from an approval that was not completed. */
    carrier_address: z.string().nullable(),
    connection_id: z.string().nullable(),
    earlier: z.array(SenderRequest),
  }),
  problems: [1138, 1477],
});
export const decideSenderRequest = endpoint({
  id: 'sender_requests.decide',
  method: 'PUT',
  path: '/v1/sender_requests/{id}',
  summary:
    'Approve what is not waiting for an answer (short codes with the code, WhatsApp and Viber with connection and address), reject with reasons by field, or ask; the customer is told by mail and live',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams(1477),
  body: z.object({
    decision: z.enum(['approve', 'reject', 'ask']),
    /** The `revision` that was looked at. Where another has come meanwhile, nothing is decided (1156). */
    revision: z.int().optional(),
    /** The short code that is assigned. */
    code: z.string().trim().max(15).default(''),
    /** WhatsApp and Viber: what carries it. */
    connection_id: uuid(1482).optional(),
    /** Viber: the service id. WhatsApp: the phone number id; left empty the number is enrolled there now. */
    carrier_address: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9._-]{0,40}$/)
      .default(''),
    reasons: z.array(FieldReason).max(20).default([]),
    note: z.string().trim().max(1_000).default(''),
  }),
  // The carrier is asked while the operator waits.
  timeout_ms: 45_000,
  output: SenderRequest,
  problems: [1138, 1156, 1157, 1407, 1409, 1440, 1446, 1477, 1482, 1483, 1484, 1485, 1486],
});

/** Sent, answered or decided. Heard in the operators' accounts. */
export const senderRequestChanged = event({
  id: 'sender_request.changed',
  modules: ['sender_requests'],
  needs: 'SENDERS:view',
  payload: z.object({ id: z.string() }),
});
