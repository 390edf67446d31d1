/** The form of a request: its sections, attachments, preflight check, and submission. */
import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '../campaigns/statuses.ts';
import { ACCESS_SECTIONS, requiredAccessFiles } from '../channels/access.ts';
import { ACCESS_KINDS, type AccessKind, mapAccessKinds } from '../channels/access_kinds.ts';
import { channelRules } from '../channels/index.ts';
import { country, idParams, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { NumberVerification } from '../senders/codes.ts';
import { type DocumentKind, documentsFor } from '../senders/countries.ts';
import { documentKind } from '../senders/rules.ts';
import { ListedSender, SENDER_LINKS, type Sender } from '../senders/senders.ts';
import { type FileKind, fileKind } from './access_files.ts';
import { BUSINESS } from './business_fields.ts';
import { PreflightFinding } from './finding.ts';

export const USE_CASES = {
  two_factor: 'One-time codes',
  account_notification: 'Account notifications',
  customer_care: 'Customer care',
  delivery_notification: 'Delivery notifications',
  fraud_alert: 'Fraud alerts',
  security_alert: 'Security alerts',
  marketing: 'Marketing',
  polling_voting: 'Polls and voting',
  higher_education: 'Higher education',
  public_service: 'Public service announcements',
  charity: 'Charity',
  sweepstake: 'Sweepstakes',
  mixed: 'Several of these',
} as const;
export type UseCase = keyof typeof USE_CASES;
const useCase = z.enum(Object.keys(USE_CASES) as [UseCase]);

export const ENTITY_TYPES = {
  private_profit: 'Private company',
  public_profit: 'Publicly traded company',
  non_profit: 'Nonprofit organization',
  government: 'Government agency',
  sole_proprietor: 'Sole proprietor',
} as const;
export const VOLUMES = ['under_1000', '1000_10000', '10000_100000', 'over_100000'] as const;
export const OPT_IN_METHODS = {
  web_form: 'Web form',
  keyword: 'Keyword sent to the number',
  paper_form: 'Paper form',
  verbal: 'Verbal consent, by phone or in person',
  qr_code: 'QR code',
} as const;

const text = (least: number, most: number) => z.string().trim().min(least).max(most);
const secureLink = z.union([
  z.literal(''),
  z
    .string()
    .trim()
    .max(300)
    .regex(/^https?:\/\/[^\s.]+\.\S+$/, { error: 'Enter the full URL with https://' }),
]);

export const CompanySection = z.object({
  ...BUSINESS,
  entity_type: z.enum(Object.keys(ENTITY_TYPES) as [keyof typeof ENTITY_TYPES]),
  /** The company's tax or registration number. */
  registration_number: z.string().trim().max(40).default(''),
  business_description: z
    .string()
    .trim()
    .max(500, { error: problem('BUSINESS_DESCRIPTION_INVALID') })
    .default(''),
  contact_name: text(2, 100),
});
export const CampaignSection = z.object({
  use_case: useCase,
  /** Describes the messages, their recipients, and how often they are sent. */
  description: text(40, 4_096),
  monthly_volume: z.enum(VOLUMES),
});
export const KeywordSection = z.object({
  start_text: z.string().trim().max(320).default(''),
  stop_text: text(20, 320),
  help_text: text(20, 320),
});
export const SignupSection = z.object({
  methods: z
    .array(z.enum(Object.keys(OPT_IN_METHODS) as [keyof typeof OPT_IN_METHODS]))
    .min(1)
    .max(5),
  web_form_url: secureLink.default(''),
  keyword_url: secureLink.default(''),
  /** How people opt in, step by step, with the text they agree to. */
  description: text(40, 2_048),
});
export const ExamplesSection = z.object({ messages: z.array(text(20, 1_024)).min(2).max(5) });
export const TollFreeSection = z.object({
  notification_email: z.email({ error: problem('EMAIL_INVALID') }),
  additional_information: z.string().trim().max(500).default(''),
});
export const TcrSection = z.object({
  tax_id: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{5,21}$/, { error: 'must have 5 to 21 letters, digits, or hyphens' }),
  tax_country: country(),
  stock_symbol: z.string().trim().max(10).default(''),
  stock_exchange: z.string().trim().max(30).default(''),
  privacy_policy_url: secureLink.default(''),
  terms_url: secureLink.default(''),
  embedded_link: z.boolean().default(false),
  embedded_phone: z.boolean().default(false),
  age_gated: z.boolean().default(false),
  direct_lending: z.boolean().default(false),
});

export const SECTIONS = {
  company: CompanySection,
  sms_campaign: CampaignSection,
  signup_options: SignupSection,
  example_messages: ExamplesSection,
  compliance_keyword_responses: KeywordSection,
  toll_free: TollFreeSection,
  tcr: TcrSection,
} as const;
export type SectionName = keyof typeof SECTIONS;

/** The sections saved so far. */
export const Registration = z.object({
  company: CompanySection.nullable(),
  sms_campaign: CampaignSection.nullable(),
  signup_options: SignupSection.nullable(),
  example_messages: ExamplesSection.nullable(),
  compliance_keyword_responses: KeywordSection.nullable(),
  toll_free: TollFreeSection.nullable(),
  tcr: TcrSection.nullable(),
  ...ACCESS_SECTIONS,
});
export type Registration = z.output<typeof Registration>;
export const EMPTY_REGISTRATION = Object.fromEntries(
  Object.keys(Registration.shape).map((name) => [name, null]),
) as Registration;

export const REQUEST_KINDS = ['sender_id', 'short_code', 'toll_free', 'tcr', ...ACCESS_KINDS] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
/** The sections of each kind of request, in the order of the form. Access forms have no sections. */
export const REQUEST_SECTIONS: Readonly<Record<RequestKind, readonly SectionName[]>> = {
  sender_id: ['company', 'sms_campaign', 'example_messages'],
  short_code: ['company', 'sms_campaign', 'signup_options', 'example_messages', 'compliance_keyword_responses'],
  toll_free: [
    'company',
    'sms_campaign',
    'signup_options',
    'example_messages',
    'compliance_keyword_responses',
    'toll_free',
  ],
  tcr: ['company', 'tcr', 'sms_campaign', 'signup_options', 'example_messages', 'compliance_keyword_responses'],
  ...mapAccessKinds(() => []),
};
const KINDS: Readonly<Record<string, RequestKind>> = {
  alphanumeric: 'sender_id',
  short_code: 'short_code',
  toll_free: 'toll_free',
  local: 'tcr',
};
/** The kind of request that a sender needs; null for numbers, which are bought without a request. */
export const requestKind = ({ type, channel }: Pick<Sender, 'type' | 'channel'>): RequestKind | null =>
  channelRules(channel).access ?? KINDS[type] ?? null;

export const ATTACHMENT_TYPES = ['.pdf', '.jpg', '.jpeg', '.png'] as const;
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
export const MAX_ATTACHMENTS = 10;
export const Attachment = z.object({
  id: z.string(),
  kind: fileKind,
  file_name: z.string(),
  content_type: z.string(),
  bytes: z.int(),
  /** A signed URL, valid for a few minutes. */
  url: z.string(),
  create_date: timestamp,
});
export type Attachment = z.output<typeof Attachment>;

/** The files that must be attached before the request can be submitted. */
export function requiredFiles(
  { type, channel, countries }: Pick<Sender, 'type' | 'channel' | 'countries'>,
  registration: Pick<Registration, AccessKind | 'sms_campaign'>,
): FileKind[] {
  const { access } = channelRules(channel);
  return access
    ? requiredAccessFiles(access, registration[access])
    : requiredDocuments(countries, type, registration.sms_campaign?.use_case);
}

/** Documents that the countries require. Sweepstakes sent from a number also require their terms, in every country. */
export const requiredDocuments = (
  countries: readonly string[],
  type: Sender['type'],
  use_case: UseCase | undefined,
): DocumentKind[] =>
  use_case === 'sweepstake' && type !== 'alphanumeric' && type !== 'business'
    ? [...documentsFor(countries, type), 'sweepstakes_terms']
    : documentsFor(countries, type);

export const FieldReason = z.object({ field: z.string().max(80), text: z.string().trim().min(3).max(500) });
export type FieldReason = z.output<typeof FieldReason>;

export const TIMELINE_KINDS = [
  'created',
  'bought',
  'submitted',
  'asked',
  'resubmitted',
  'rejected',
  'approved',
  'renewed',
  'renewal_failed',
  'quality_changed',
  'limit_changed',
  'restricted',
  'verification_wanted',
  'verified',
  'profile_refused',
  'removed',
] as const;
export const SenderDetail = ListedSender.extend({
  kind: z.enum(REQUEST_KINDS).nullable(),
  wish: z.object({ kind: z.enum(['random', 'chosen']), codes: z.array(z.string()) }).nullable(),
  registration: Registration,
  attachments: z.array(Attachment),
  /** The kinds of required files. */
  documents: z.array(fileKind),
  /** The verification that WhatsApp requires; null if it requires none. */
  verification: NumberVerification.nullable(),
  /** For a WhatsApp sender in use: whether WhatsApp accepted the profile, and the reasons for each refused field. */
  profile: z
    .object({
      state: z.enum(['waiting', 'taken', 'refused']),
      refusals: z.array(FieldReason),
      take_date: timestamp.nullable(),
    })
    .nullable(),
  /** The reasons for the last decision, until the request is resubmitted. */
  reasons: z.array(FieldReason),
  note: z.string(),
  /** True if the operators have requested more information and are waiting for a reply to `note`. */
  asked: z.boolean(),
  editable: z.boolean(),
  expected_days: z.tuple([z.int(), z.int()]).nullable(),
  expected_date: timestamp.nullable(),
  timeline: z.array(
    z.object({ id: z.string(), kind: z.enum(TIMELINE_KINDS), text: z.string(), create_date: timestamp }),
  ),
  /** Campaigns that stop if the sender is deleted. */
  campaigns: z.array(z.object({ id: z.string(), name: z.string(), status: z.enum(CAMPAIGN_STATUSES) })),
  messages_30_days: z.int(),
  /** True if there may be more: in a very large account, only the newest messages are counted. */
  messages_30_days_more: z.literal(true).optional(),
});
export type SenderDetail = z.output<typeof SenderDetail>;

export const getSender = endpoint({
  id: 'senders.get',
  method: 'GET',
  path: '/v1/senders/{id}',
  summary: 'Get a sender with its form, timeline, and campaigns',
  needs: 'SENDERS:view',
  test_keys: true,
  params: idParams('SENDER_NOT_FOUND'),
  output: SenderDetail,
  links: SENDER_LINKS,
  problems: ['SENDER_NOT_FOUND'],
});

const section = <N extends SectionName>(name: N, summary: string, needs: 'SENDERS:add' | 'SENDERS:edit') =>
  endpoint({
    id: `senders.put_${name}`,
    method: 'PUT',
    path: `/v1/senders/{id}/${name}`,
    summary,
    needs,
    verified: true,
    params: idParams('SENDER_NOT_FOUND'),
    body: SECTIONS[name] as (typeof SECTIONS)[N],
    output: Registration,
    problems: ['SENDER_NOT_FOUND', 'SENDER_STATE_INVALID', 'ACCOUNT_UNVERIFIED'],
  });
export const putCompany = section('company', 'Save the company details', 'SENDERS:add');
export const putCampaign = section('sms_campaign', 'Save the purpose and volume of the messages', 'SENDERS:add');
export const putSignup = section('signup_options', 'Save how people opt in', 'SENDERS:add');
export const putExamples = section('example_messages', 'Save two to five example messages', 'SENDERS:add');
export const putKeywords = section(
  'compliance_keyword_responses',
  'Save the replies to START, STOP, and HELP; they take effect immediately for an active sender',
  'SENDERS:add',
);
export const putTollFree = section('toll_free', 'Save the details for toll-free verification', 'SENDERS:edit');
export const putTcr = section('tcr', 'Save the details for The Campaign Registry', 'SENDERS:edit');
export const SECTION_ENDPOINTS = {
  company: putCompany,
  sms_campaign: putCampaign,
  signup_options: putSignup,
  example_messages: putExamples,
  compliance_keyword_responses: putKeywords,
  toll_free: putTollFree,
  tcr: putTcr,
} as const;

export const putAttachment = endpoint({
  id: 'senders.put_required_attachments',
  method: 'PUT',
  path: '/v1/senders/{id}/required_attachments',
  summary: 'Attach a document: one PDF, JPG, or PNG file of at most 10 MB',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({ kind: documentKind }),
  upload: { max_bytes: MAX_ATTACHMENT_BYTES },
  timeout_ms: 60_000,
  output: Attachment,
  problems: [
    'REQUEST_TOO_LARGE',
    'SENDER_NOT_FOUND',
    'SENDER_STATE_INVALID',
    'ATTACHMENT_TYPE_INVALID',
    'ATTACHMENTS_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'ACCOUNT_UNVERIFIED',
    'FILE_NAME_INVALID',
  ],
});
export const removeAttachment = endpoint({
  id: 'senders.remove_required_attachment',
  method: 'DELETE',
  path: '/v1/senders/{id}/required_attachments/{attachment_id}',
  summary: 'Remove a document',
  needs: 'SENDERS:add',
  params: z.object({ id: uuid('SENDER_NOT_FOUND'), attachment_id: uuid('ATTACHMENT_NOT_FOUND') }),
  status: 204,
  output: z.null(),
  problems: ['SENDER_NOT_FOUND', 'SENDER_STATE_INVALID', 'ATTACHMENT_NOT_FOUND'],
});

export const getPreflight = endpoint({
  id: 'senders.get_preflight',
  method: 'GET',
  path: '/v1/senders/{id}/preflight',
  summary: 'Check a request before it is submitted; each finding has a reason and a fix',
  needs: 'SENDERS:add',
  params: idParams('SENDER_NOT_FOUND'),
  timeout_ms: 20_000,
  output: z.array(PreflightFinding),
  problems: ['SENDER_NOT_FOUND'],
});
/** Toll-free and TCR registrations require SENDERS:edit. */
export const submitSender = endpoint({
  id: 'senders.submit',
  method: 'POST',
  path: '/v1/senders/{id}/requests',
  summary: 'Submit or resubmit a sender for review',
  needs: ['SENDERS:add', 'SENDERS:edit'],
  uncounted_spend: true,
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({}),
  status: 201,
  output: ListedSender,
  links: SENDER_LINKS,
  problems: [
    'PERMISSION_REQUIRED',
    'SENDER_NOT_FOUND',
    'SENDER_STATE_INVALID',
    'REQUEST_CHECK_FAILED',
    'ACCOUNT_UNVERIFIED',
  ],
});
