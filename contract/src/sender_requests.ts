/** The operators' queue of what customers want to send from. */
import { z } from 'zod';
import { commaList, idParams, listQuery, search, timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { Attachment, FieldReason, Finding, REQUEST_KINDS, Registration } from './sender_registration.ts';
import { ListedSender, REQUEST_STATUSES } from './senders.ts';

/** Words an operator can choose from, for the field they belong to. */
export const CANNED_REASONS: readonly { key: string; field: string; text: string }[] = [
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
    attachments: z.array(Attachment),
    findings: z.array(Finding),
    earlier: z.array(SenderRequest),
  }),
  problems: [1138, 1477],
});
export const decideSenderRequest = endpoint({
  id: 'sender_requests.decide',
  method: 'PUT',
  path: '/v1/sender_requests/{id}',
  summary:
    'Approve (short codes with the code), reject with reasons by field, or ask; the customer is told by mail and live',
  needs: 'SENDERS:edit',
  audience: 'operator',
  params: idParams(1477),
  body: z.object({
    decision: z.enum(['approve', 'reject', 'ask']),
    /** The short code that is assigned. */
    code: z.string().trim().max(15).default(''),
    reasons: z.array(FieldReason).max(20).default([]),
    note: z.string().trim().max(1_000).default(''),
  }),
  output: SenderRequest,
  problems: [1138, 1156, 1157, 1407, 1409, 1440, 1477],
});

/** Sent, answered or decided. Heard in the operators' accounts. */
export const senderRequestChanged = event({
  id: 'sender_request.changed',
  modules: ['sender_requests'],
  needs: 'SENDERS:view',
  payload: z.object({ id: z.string() }),
});
