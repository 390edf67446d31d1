/**
 * The operators' queue: everything customers ask for and somebody decides on. Companies that want to send, names, short codes, registrations, access to
 * WhatsApp and Viber, templates of Viber. One list, one page for each, one way to decide; who may is told by the kind (`rightOf`).
 */
import { z } from 'zod';
import { SubmittedForm } from '../accounts/company.ts';
import { ACCESS_FORMS } from '../channels/access.ts';
import { commaList, idParams, listQuery, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type Need, permits } from '../permission.ts';
import { Attachment, FieldReason, Registration, REQUEST_KINDS as SENDER_KINDS } from '../registrations/registration.ts';
import { NumberVerification } from '../senders/codes.ts';
import { ListedSender } from '../senders/senders.ts';
import { Template } from '../templates/templates.ts';
import { Customer } from './customers.ts';

export const REQUEST_KINDS = ['company', ...SENDER_KINDS, 'template'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const KIND_WORDS: Readonly<Record<RequestKind, string>> = {
  company: 'Company',
  sender_id: 'Sender ID',
  short_code: 'Short code',
  toll_free: 'Toll-free',
  tcr: '10DLC',
  whatsapp: ACCESS_FORMS.whatsapp.label,
  viber: ACCESS_FORMS.viber.label,
  template: 'Template',
};
/** `asked`: it waits for the customer. `withdrawn`: the customer took it back. */
export const REQUEST_STATES = ['waiting', 'asked', 'approved', 'rejected', 'withdrawn'] as const;

const VIEW = ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'] as const;
const EDIT = ['ACCOUNTS:edit', 'SENDERS:edit', 'TEMPLATES:edit'] as const;
/** What it takes to look at a request of the kind, and to decide on it. */
export const rightOf = (kind: RequestKind, level: 'view' | 'edit'): Need =>
  `${kind === 'company' ? 'ACCOUNTS' : kind === 'template' ? 'TEMPLATES' : 'SENDERS'}:${level}`;

export const Request = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  kind: z.enum(REQUEST_KINDS),
  /** The account, sender or template it is about. */
  target_id: z.string(),
  /** What it is about: the company, the sender, the template. */
  name: z.string(),
  /** In its own words: what the company sends, what the messages are for, the text. */
  about: z.string(),
  countries: z.array(z.string()),
  status: z.enum(REQUEST_STATES),
  /** What was said of it last: the reasons and the operator's own words. */
  words: z.string(),
  reviewer_name: z.string(),
  /** When it was sent. */
  create_date: timestamp,
  decide_date: timestamp.nullable(),
  expected_date: timestamp.nullable(),
});
export type Request = z.output<typeof Request>;

export const RequestFinding = z.object({ level: z.enum(['good', 'warning']), text: z.string() });
export type RequestFinding = z.output<typeof RequestFinding>;

/** What one is about: one of the three. */
const Company = z.object({ form: SubmittedForm, customer: Customer.omit({ messages_30_days: true }) });
const AskedSender = z.object({
  sender: ListedSender,
  wish: z.object({ kind: z.enum(['random', 'chosen']), codes: z.array(z.string()) }).nullable(),
  form: Registration,
  /** Of WhatsApp and Viber: the connections that could carry it. */
  connections: z.array(z.object({ id: z.string(), name: z.string(), enabled: z.boolean() })),
  connection_id: z.string().nullable(),
  /** WhatsApp wants a code first; null where it does not. */
  verification: NumberVerification.nullable(),
  /** How the carrier knows it already: from an approval that was not completed. */
  carrier_address: z.string().nullable(),
});
const AskedTemplate = z.object({
  template: Template,
  /** Of its file, which belongs to the company. */
  get_url: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
});

export const RequestDetail = Request.extend({
  /** Which form this is: what is decided is decided of this one. */
  revision: z.int(),
  /** What can be checked by itself. Shown, and decides nothing. */
  findings: z.array(RequestFinding),
  documents: z.array(Attachment),
  /** What was done about it, newest first, from the company's audit log. */
  history: z.array(
    z.object({ id: z.string(), action: z.string(), actor_name: z.string(), text: z.string(), create_date: timestamp }),
  ),
  /** Other requests of the company that the operator may see: those that wait, then newest first. */
  others: z.array(Request),
  company: Company.nullable(),
  sender: AskedSender.nullable(),
  template: AskedTemplate.nullable(),
});
export type RequestDetail = z.output<typeof RequestDetail>;

export const listRequests = endpoint({
  id: 'requests.list',
  method: 'GET',
  path: '/v1/requests',
  summary: 'What waits, longest first; then what was decided, newest first. Of the kinds one may see',
  needs: VIEW,
  audience: 'operator',
  query: listQuery({
    search,
    statuses: commaList(z.enum(REQUEST_STATES)),
    kinds: commaList(z.enum(REQUEST_KINDS)),
    account_id: uuid('ACCOUNT_NOT_FOUND'),
  }),
  list: true,
  output: Request,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});
export const getRequest = endpoint({
  // A module of its own: another request that changes does not ask this customer's website again.
  id: 'request_details.get',
  method: 'GET',
  path: '/v1/requests/{id}',
  summary:
    'One request: what is asked for, its documents, what can be checked, what was done, what else the company asked',
  needs: VIEW,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  // The customer's website is asked.
  timeout_ms: 20_000,
  output: RequestDetail,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND'],
});
export const decideRequest = endpoint({
  id: 'requests.decide',
  method: 'PUT',
  path: '/v1/requests/{id}',
  summary:
    'Approve what is not waiting for an answer (short codes with the code, WhatsApp and Viber with connection and address), reject or ask with reasons by field; the customer is told by mail and live',
  needs: EDIT,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: z.object({
    decision: z.enum(['approve', 'reject', 'ask']),
    /** The `revision` that was looked at. Where another has come meanwhile, nothing is decided (ALREADY_DECIDED). */
    revision: z.int().optional(),
    reasons: z.array(FieldReason).max(20).default([]),
    note: z.string().trim().max(1_000).default(''),
    /** The short code that is assigned. */
    code: z.string().trim().max(15).default(''),
    /** WhatsApp and Viber: what carries it. */
    connection_id: uuid('CONNECTION_REQUIRED').optional(),
    /** Viber: the service id. WhatsApp: the phone number id; left empty the number is enrolled there now. */
    carrier_address: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9._-]{0,40}$/)
      .default(''),
    /** Templates: what the provider calls a transactional one. */
    external_id: z.string().trim().max(100).default(''),
  }),
  // The carrier is asked while the operator waits.
  timeout_ms: 45_000,
  output: Request,
  problems: [
    'PERMISSION_REQUIRED',
    'OPERATOR_ONLY',
    'ALREADY_DECIDED',
    'REASON_REQUIRED',
    'SENDER_CODE_INVALID',
    'SENDER_CODE_REQUIRED',
    'SENDER_ID_EXISTS',
    'BUSINESS_NAME_EXISTS',
    'REQUEST_NOT_FOUND',
    'CONNECTION_REQUIRED',
    'CARRIER_REJECTED_SENDER',
    'SERVICE_ID_REQUIRED',
    'CARRIER_ADDRESS_EXISTS',
    'CARRIER_UNAVAILABLE',
    'NUMBER_UNVERIFIED',
  ],
});
/** Said when a request is opened, again while it stays open, and when it is closed. Two who look at the same one are told. */
export const putRequestLook = endpoint({
  id: 'request_looks.put',
  method: 'PUT',
  path: '/v1/requests/{id}/look',
  summary: 'Say that one looks at a request, or no longer does; answers who else looks at it',
  needs: VIEW,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: z.object({ looking: z.boolean() }),
  output: z.object({ others: z.array(z.object({ user_id: z.string(), name: z.string(), since: timestamp })) }),
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND'],
});

const ofKind = z.object({ id: z.string(), kind: z.enum(REQUEST_KINDS) });
/** Sent, answered, decided or withdrawn. Heard in the operators' accounts; of companies `customer.changed` tells. */
export const requestChanged = event({
  id: 'request.changed',
  modules: ['requests'],
  needs: VIEW,
  payload: ofKind,
  visible: ({ kind }, { permissions }) => permits(permissions, rightOf(kind, 'view')),
});
/** Somebody opened or left it. */
export const requestLooked = event({
  id: 'request.looked',
  modules: ['request_looks'],
  needs: VIEW,
  payload: ofKind.extend({ user_id: z.string() }),
  visible: ({ kind }, { permissions }) => permits(permissions, rightOf(kind, 'view')),
});
