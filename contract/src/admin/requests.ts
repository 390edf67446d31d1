/**
 * The operators' queue: all customer requests that need a decision. Company approvals, sender IDs, short codes,
 * registrations, access to WhatsApp and Viber, and Viber templates share one list, one page, and one decision flow. The
 * permission depends on the kind (`requestPermission`).
 */
import { z } from 'zod';
import { SubmittedForm } from '../accounts/company.ts';
import { ACCESS_FORMS } from '../channels/access.ts';
import { mapAccessKinds } from '../channels/access_kinds.ts';
import { idParams, listQuery, search, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type Need, permits } from '../permission.ts';
import { Attachment, FieldReason, Registration, REQUEST_KINDS as SENDER_KINDS } from '../registrations/registration.ts';
import { NumberVerification } from '../senders/codes.ts';
import { ListedSender } from '../senders/senders.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { Template } from '../templates/templates.ts';
import { Customer } from './customers.ts';

export const REQUEST_KINDS = ['company', ...SENDER_KINDS, 'template'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const KIND_LABELS: Readonly<Record<RequestKind, string>> = {
  company: 'Company',
  sender_id: 'Sender ID',
  short_code: 'Short code',
  toll_free: 'Toll-free',
  tcr: '10DLC',
  ...mapAccessKinds((kind) => ACCESS_FORMS[kind].label),
  template: 'Template',
};
/** `asked`: more information was requested from the customer. `withdrawn`: the customer withdrew the request. */
export const REQUEST_STATES = ['waiting', 'asked', 'approved', 'rejected', 'withdrawn'] as const;
export const REQUEST_STATUS: Readonly<Record<(typeof REQUEST_STATES)[number], StatusWord>> = {
  waiting: statusWord('Waiting', 'wait', 'clock'),
  asked: statusWord('Information requested', 'flight', 'question'),
  approved: statusWord('Approved', 'ok', 'check'),
  rejected: statusWord('Rejected', 'fail', 'cross'),
  withdrawn: statusWord('Withdrawn', 'off', 'ban'),
};

const VIEW = ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'] as const;
const EDIT = ['ACCOUNTS:edit', 'SENDERS:edit', 'TEMPLATES:edit'] as const;
/** The permission needed to view a request of this kind, or to decide on it. */
export const requestPermission = (kind: RequestKind, level: 'view' | 'edit'): Need =>
  `${kind === 'company' ? 'ACCOUNTS' : kind === 'template' ? 'TEMPLATES' : 'SENDERS'}:${level}`;

export const Request = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  kind: z.enum(REQUEST_KINDS),
  /** The account, sender, or template that the request is about. */
  target_id: z.string(),
  /** The name of the company, sender, or template. */
  name: z.string(),
  /** The customer's summary: the use case, the purpose of the messages, or the text. */
  about: z.string(),
  countries: z.array(z.string()),
  status: z.enum(REQUEST_STATES),
  /** The last decision's text: the reasons and the operator's note. */
  words: z.string(),
  reviewer_name: z.string(),
  /** The time of submission. */
  create_date: timestamp,
  decide_date: timestamp.nullable(),
  expected_date: timestamp.nullable(),
});
export type Request = z.output<typeof Request>;

export const RequestFinding = z.object({ level: z.enum(['good', 'warning']), text: z.string() });
export type RequestFinding = z.output<typeof RequestFinding>;

/** Each request has exactly one of the three contents below. */
const CompanyContent = z.object({ form: SubmittedForm, customer: Customer.omit({ messages_30_days: true }) });
const SenderContent = z.object({
  sender: ListedSender,
  wish: z.object({ kind: z.enum(['random', 'chosen']), codes: z.array(z.string()) }).nullable(),
  form: Registration,
  /** For WhatsApp and Viber: the connections that can carry the sender. */
  connections: z.array(z.object({ id: z.string(), name: z.string(), enabled: z.boolean() })),
  connection_id: z.string().nullable(),
  /** WhatsApp's verification of the number with a code. Null for other requests. */
  verification: NumberVerification.nullable(),
  /** The carrier's ID for the sender, kept from an approval that was not completed. */
  carrier_address: z.string().nullable(),
});
const TemplateContent = z.object({
  template: Template,
  /** The URL of the template's file. The file belongs to the company. */
  get_url: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
});

export const RequestDetail = Request.extend({
  /** The revision of the form. A decision applies to this revision. */
  revision: z.int(),
  /** Results of automatic checks. They inform operators but do not decide the request. */
  findings: z.array(RequestFinding),
  documents: z.array(Attachment),
  /** The decisions and changes, newest first, from the company's audit log. */
  history: z.array(
    z.object({ id: z.string(), action: z.string(), actor_name: z.string(), text: z.string(), create_date: timestamp }),
  ),
  /** The company's other requests that the operator may view: waiting requests first, then newest to oldest. */
  others: z.array(Request),
  company: CompanyContent.nullable(),
  sender: SenderContent.nullable(),
  template: TemplateContent.nullable(),
});
export type RequestDetail = z.output<typeof RequestDetail>;

export const listRequests = endpoint({
  id: 'requests.list',
  method: 'GET',
  path: '/v1/requests',
  summary:
    'List the requests you may view: waiting requests first (oldest first), then decided requests (newest first)',
  needs: VIEW,
  audience: 'operator',
  sorts: ['create_date'],
  query: listQuery({
    search,
    statuses: wordList(REQUEST_STATES),
    kinds: wordList(REQUEST_KINDS),
    account_id: uuid('ACCOUNT_NOT_FOUND'),
  }),
  list: true,
  output: Request,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});
export const getRequest = endpoint({
  // Uses a separate module so that a change to another request does not cause another call to this customer's website.
  id: 'request_details.get',
  method: 'GET',
  path: '/v1/requests/{id}',
  summary: 'Get a request with its form, documents, findings, history, and the company’s other requests',
  needs: VIEW,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  // The server calls the customer's website.
  timeout_ms: 20_000,
  output: RequestDetail,
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND'],
});
export const decideRequest = endpoint({
  id: 'requests.decide',
  method: 'PUT',
  path: '/v1/requests/{id}',
  summary:
    'Approve or reject a request, or request more information, with a reason for each field. To approve a short ' +
    'code, include the code; to approve WhatsApp or Viber, include the connection and the carrier address. The ' +
    'customer is notified by email and in the live stream',
  needs: EDIT,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: z.object({
    decision: z.enum(['approve', 'reject', 'ask']),
    /**
     * The `revision` that the operator saw. If the customer has submitted a newer one, the call fails
     * (ALREADY_DECIDED).
     */
    revision: z.int().optional(),
    reasons: z.array(FieldReason).max(20).default([]),
    note: z.string().trim().max(1_000).default(''),
    /** The assigned short code. */
    code: z.string().trim().max(15).default(''),
    /** WhatsApp and Viber: the connection that carries the sender. */
    connection_id: uuid('CONNECTION_REQUIRED').optional(),
    /** Viber: the service ID. WhatsApp: the phone number ID. If it is empty, the approval enrolls the number. */
    carrier_address: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9._-]{0,40}$/)
      .default(''),
    /** Templates: the provider's ID for a transactional template. */
    external_id: z.string().trim().max(100).default(''),
    /** Templates: the language under which the provider stores the template. Required with `external_id`. */
    external_language: z
      .string()
      .trim()
      .regex(/^([A-Za-z]{2,3}([_-][A-Za-z]{2,4})?)?$/)
      .default(''),
  }),
  // The server calls the carrier while the operator waits.
  timeout_ms: 45_000,
  output: Request,
  problems: [
    'PERMISSION_REQUIRED',
    'OPERATOR_ONLY',
    'VIBER_TEMPLATE_PROVIDER_ID_REQUIRED',
    'VIBER_TEMPLATE_LANGUAGE_REQUIRED',
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
/** Called when an operator opens a request, repeatedly while it stays open, and when it is closed. */
export const putRequestPresence = endpoint({
  id: 'request_looks.put',
  method: 'PUT',
  path: '/v1/requests/{id}/look',
  summary: 'Report that you are viewing a request or have closed it. Returns the other operators who are viewing it',
  needs: VIEW,
  audience: 'operator',
  params: idParams('REQUEST_NOT_FOUND'),
  body: z.object({ looking: z.boolean() }),
  output: z.object({ others: z.array(z.object({ user_id: z.string(), name: z.string(), since: timestamp })) }),
  problems: ['OPERATOR_ONLY', 'REQUEST_NOT_FOUND'],
});

const requestRef = z.object({ id: z.string(), kind: z.enum(REQUEST_KINDS) });
/**
 * A request was submitted, answered, decided, or withdrawn. Sent to the operators' accounts. For companies,
 * `customer.changed` is sent instead.
 */
export const requestChanged = event({
  id: 'request.changed',
  modules: ['requests'],
  needs: VIEW,
  payload: requestRef,
  visible: ({ kind }, { permissions }) => permits(permissions, requestPermission(kind, 'view')),
});
/** An operator opened or left the request. */
export const requestPresenceChanged = event({
  id: 'request.looked',
  modules: ['request_looks'],
  needs: VIEW,
  payload: requestRef.extend({ user_id: z.string() }),
  visible: ({ kind }, { permissions }) => permits(permissions, requestPermission(kind, 'view')),
});
