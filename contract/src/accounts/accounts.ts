/** The signed-in user and their company. */
import { z } from 'zod';
import { CHANNELS, type ChannelName } from '../channels/names.ts';
import { currency, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { ApprovalRule, FrequencyCap } from './campaign_rules.ts';
import { QuietHours } from './quiet_hours.ts';

export const ACCOUNT_STATUSES = ['UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED', 'BLOCKED'] as const;
export const ACCOUNT_STATUS: Readonly<Record<(typeof ACCOUNT_STATUSES)[number], StatusWord>> = {
  UNVERIFIED: statusWord('Unverified', 'wait', 'dashed'),
  FORM_SUBMITTED: statusWord('In review', 'wait', 'clock'),
  VERIFIED: statusWord('Verified', 'ok', 'check'),
  BLOCKED: statusWord('Blocked', 'fail', 'ban'),
};
export const USER_STATUSES = ['NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED', 'BLOCKED'] as const;
export const USER_STATUS: Readonly<Record<(typeof USER_STATUSES)[number], StatusWord>> = {
  NEW: statusWord('New', 'wait', 'dashed'),
  EMAIL_VERIFIED: statusWord('Active', 'ok', 'check'),
  PHONE_VERIFIED: statusWord('Active, phone verified', 'ok', 'check'),
  BLOCKED: statusWord('Blocked', 'fail', 'ban'),
};

export const TRIAL_DAYS = 30;
export const TRIAL_TAG = 'PAID0';
export const RESTRICTED_COUNTRIES: readonly string[] = ['US', 'CA'];
export const COMPANY_SIZES = ['1-50', '50-500', '500 and more'] as const;
const channelInterests = CHANNELS.map((name) => name.toLowerCase() as Lowercase<ChannelName>);
export const INTERESTS = [...channelInterests, 'two_way', 'api', 'campaigns', 'verification'] as const;

/** Product preferences of a company. Unknown fields are rejected. */
export const Preference = z.strictObject({
  /** True once the welcome popup has been closed. */
  welcome_closed: z.boolean().optional(),
  /** Steps dismissed from the first-steps list. */
  steps_closed: z.array(z.string().max(40)).max(40).optional(),
  onboarding: z.object({ industry_id: z.int().optional(), region: z.string().max(10).optional() }).optional(),
  insights: z.record(z.string().max(40), z.unknown()).optional(),
  templates: z.record(z.string().max(40), z.unknown()).optional(),
});
export type Preference = z.output<typeof Preference>;

export const Account = z.object({
  id: z.string(),
  account_id: z.string(),
  username: z.string(),
  company_name: z.string(),
  country_code: z.string(),
  currency,
  timezone: z.string(),
  /** When campaigns do not send, in the time zone of each recipient, in addition to the legal hours; null: off. */
  quiet_hours: QuietHours.nullable(),
  /** When campaigns need the approval of another user; null: never. */
  campaign_approval: ApprovalRule.nullable(),
  /** The most messages of campaigns that a person gets; null: no limit. */
  frequency_cap: FrequencyCap.nullable(),
  /** True: new campaigns look up all numbers first (`safety.lookup`), unless they say otherwise. */
  hlr_check: z.boolean(),
  /** True: new campaigns look up the numbers of `mnp_countries` first, unless they say otherwise. */
  mnp_check: z.boolean(),
  mnp_countries: z.array(z.string()),
  status: z.enum(ACCOUNT_STATUSES),
  verified: z.boolean(),
  account_type: z.enum(['MAIN', 'SUB_ACCOUNT']),
  channels: z.array(z.string()),
  tags: z.array(z.string()),
  industry_id: z.int(),
  /** True for the operators' account, whose users work in the admin view. */
  operator: z.boolean(),
  parent_id: z.string().nullable(),
  admin_created: z.boolean(),
  company_address: z.string(),
  company_website: z.string(),
  company_size: z.string(),
  vat_number: z.string(),
  use_case: z.string(),
  interests: z.array(z.string()),
  tax_rate: z.number(),
  invoice_company: z.string(),
  invoice_emails: z.array(z.string()),
  invoice_entity: z.int(),
  preference: Preference,
  /** True if two-factor authentication is required for all users of the account. */
  second_factor_required: z.boolean(),
  /** True if the account is a trial: tagged PAID0 and not created by an operator. A trial lasts 30 days. */
  trial: z.boolean(),
  trial_period_expired: z.boolean(),
  /** Days left in the trial: 30 minus the days since the account was created. Null if the account is not a trial. */
  days_left: z.int().nullable(),
  /** True if both the account's country and the caller's country are US or CA. */
  is_us_or_ca_account: z.boolean(),
  /**
   * True if `is_us_or_ca_account` is true and the account is a trial. Messages can then be sent only to the caller's
   * own number.
   */
  is_restricted_onboarding: z.boolean(),
  /** The country of the caller's phone number, or the account's country. */
  user_country: z.string(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Account = z.output<typeof Account>;

/** The account and the caller. If the caller is an API key, personal fields are null or false. */
export const ACCOUNT_LINKS = { self: '/v1/accounts/self' } as const;

export const AccountInfo = Account.extend({
  user_id: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  full_name: z.string().nullable(),
  phone_number: z.string().nullable(),
  /** True if an operator has blocked the account. */
  blocked: z.boolean(),
  permissions: z.record(z.string(), z.int()),
  /** `owner`, the role with exactly these permissions, or `custom`. */
  role: z.string().nullable(),
  /** `role` as a list. */
  roles: z.array(z.string()),
  /** True if the account has no sender of its own yet. */
  sender_free: z.boolean(),
  /** True if the caller can send a test message to their own verified number. */
  test_sms: z.boolean(),
});
export type AccountInfo = z.output<typeof AccountInfo>;

export const User = z.object({
  id: z.string(),
  account_id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  phone_number: z.string().nullable(),
  position: z.string().nullable(),
  login_id: z.string(),
  status: z.enum(USER_STATUSES),
  has_password: z.boolean(),
  second_factor: z.boolean(),
  /** A step that the user must complete before any request that needs a permission. */
  pending: z.enum(['phone', 'second_factor']).nullable(),
  /** Set in an impersonated session: who is acting, why, and until when. */
  impersonation: z
    .object({
      operator_name: z.string(),
      reason: z.string(),
      expire_date: timestamp,
      kind: z.enum(['operator', 'parent']),
    })
    .nullable(),
  is_owner: z.boolean(),
  permissions: z.record(z.string(), z.int()),
  create_date: timestamp,
});
export type User = z.output<typeof User>;

export const getAccount = endpoint({
  id: 'accounts.get',
  method: 'GET',
  path: '/v1/accounts/self',
  summary:
    'Get the caller’s account. The `X-Account-Info` header is accepted but ignored; the response always contains ' +
    'the whole account',
  needs: null,
  test_keys: true,
  output: AccountInfo,
  links: ACCOUNT_LINKS,
  problems: ['TOKEN_INVALID'],
});

export const getUser = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/v1/users/self',
  summary: 'Get the signed-in user and their effective permissions',
  needs: null,
  audience: 'session',
  output: User,
  problems: ['TOKEN_INVALID'],
});

/** The account's status or details changed. */
export const accountChanged = event({
  id: 'account.changed',
  modules: ['accounts', 'customers', 'reviews'],
  needs: null,
  payload: z.object({ id: z.string(), status: z.enum(ACCOUNT_STATUSES) }),
});
/** The session's permissions or account changed. Clients reload everything. */
export const sessionChanged = event({
  id: 'session.changed',
  modules: ['accounts', 'users'],
  needs: null,
  payload: z.object({ user_id: z.string().nullable() }),
  visible: (payload, viewer) => payload.user_id === null || payload.user_id === viewer.user_id,
});
/** A session was ended elsewhere. Null means all of the user's sessions. */
export const forceLogout = event({
  id: 'session.ended',
  modules: [],
  needs: null,
  payload: z.object({ user_id: z.string(), session_id: z.string().nullable() }),
  visible: (payload, viewer) =>
    payload.user_id === viewer.user_id && (payload.session_id === null || payload.session_id === viewer.session_id),
});
