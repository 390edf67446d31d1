/**
 * The shapes of accounts and users in responses. The browser does not load them, because only the server checks
 * responses.
 */
import { z } from 'zod';
import { BrandPalette } from '../brand/palette_shape.ts';
import { currency, timestamp } from '../common.ts';
import { ApprovalRule, FrequencyCap } from './campaign_rules.ts';
import { Preference } from './preference.ts';
import { QuietHours } from './quiet_hours.ts';
import { ACCOUNT_STATUSES, USER_STATUSES } from './statuses.ts';

export const Account = z.object({
  id: z.string(),
  account_id: z.string(),
  username: z.string(),
  company_name: z.string(),
  country_code: z.string(),
  currency,
  timezone: z.string(),
  /** When campaigns do not send, in each recipient's time zone, in addition to the legal hours; null means off. */
  quiet_hours: QuietHours.nullable(),
  /** When campaigns need another user's approval; null means never. */
  campaign_approval: ApprovalRule.nullable(),
  /** The maximum number of campaign messages for one person; null means no limit. */
  frequency_cap: FrequencyCap.nullable(),
  /** True if new campaigns look up all numbers first (`safety.lookup`) by default. */
  hlr_check: z.boolean(),
  /** True if new campaigns look up the numbers of `mnp_countries` first by default. */
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
  /** The number of `company_size`: 1 is 1-50, 2 is 50-500, and 3 is 500 and more. Null means not set. */
  company_size_id: z.int().nullable(),
  vat_number: z.string(),
  use_case: z.string(),
  interests: z.array(z.string()),
  /** The maximum number of rows in an imported file. */
  import_rows: z.int(),
  tax_rate: z.number(),
  invoice_company: z.string(),
  invoice_emails: z.array(z.string()),
  invoice_entity: z.int(),
  preference: Preference,
  /** True if two-factor authentication is required for all users of the account. */
  second_factor_required: z.boolean(),
  /** Days after which the contents of messages and notes are deleted; null means never. */
  content_days: z.int().nullable(),
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

/** The name, logo, and colors that the users of an account see. */
export const ShownBrand = z.object({
  name: z.string(),
  logo_url: z.string().nullable(),
  /** For the dark theme. */
  logo_dark_url: z.string().nullable(),
  /** Null means the app's colors. */
  palette: BrandPalette.nullable(),
});
export type ShownBrand = z.output<typeof ShownBrand>;

/** The account and the caller. If the caller is an API key, personal fields are null or false. */
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
  /** True if the account does not have its own sender yet. */
  sender_free: z.boolean(),
  /** True if the caller can send a test message to their own verified number. */
  test_sms: z.boolean(),
  /** The brand that the users of the account see instead of this program's name. */
  brand: ShownBrand,
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
  /** Set in an impersonated session: who is acting, why, and the end time. */
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
  /** The news that the user saw last; null until they open it. */
  news_seen: z.string().nullable(),
  create_date: timestamp,
});
export type User = z.output<typeof User>;
