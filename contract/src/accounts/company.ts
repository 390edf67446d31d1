/** Changing, verifying, and closing the company. */
import { z } from 'zod';
import { reauthentication } from '../auth/reauthentication.ts';
import { CURRENCIES, companyName, country, enumInput, plainName, problem, range, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { ACCOUNT_LINKS, COMPANY_SIZES, INTERESTS } from './accounts.ts';
import { approvalRuleInput, frequencyCapInput, lookupCountries } from './campaign_rules.ts';
import { PreferenceInput } from './preference.ts';
import { quietHoursInput } from './quiet_hours.ts';
import { AccountInfo } from './shapes.ts';

/** Empty, or an HTTP or HTTPS URL. */
const website = z
  .string()
  .trim()
  .max(300)
  .refine((text) => text === '' || /^https?:\/\/[^\s.]+\.\S+$/.test(text), {
    error: problem('BUSINESS_WEBSITE_INVALID'),
  });

/** The words, or their numbers in older clients: 1 to 3. */
const companySize = <T extends string>(words: readonly T[]) =>
  z.preprocess(
    (value) => (/^[1-3]$/.test(String(value)) ? COMPANY_SIZES[Number(value) - 1] : value),
    z.enum(words as readonly [T, ...T[]]),
  );

/** Email addresses. Duplicates are removed, ignoring case. */
const addresses = z
  .array(z.email({ error: problem('EMAIL_INVALID') }))
  .max(10)
  .transform((all) => all.filter((one, index) => all.findIndex((other) => sameText(one, other)) === index));
const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const CONTENT_DAYS = { min: 30, max: 3_650 } as const;

/** Omitted fields stay unchanged. The currency can be sent, but not changed (CURRENCY_CHANGE_NOT_ALLOWED). */
const AccountChange = z
  .object({
    company_name: companyName,
    country_code: country('COUNTRY_INVALID'),
    currency: enumInput(CURRENCIES, 'CURRENCY_INVALID'),
    timezone: z.string().min(1).max(60),
    quiet_hours: quietHoursInput.nullable(),
    /** Only the owner can change it. */
    campaign_approval: approvalRuleInput.nullable(),
    frequency_cap: frequencyCapInput.nullable(),
    hlr_check: z.boolean(),
    mnp_check: z.boolean(),
    mnp_countries: lookupCountries,
    company_address: z.string().trim().max(300),
    company_website: website,
    company_size: companySize(['', ...COMPANY_SIZES]),
    vat_number: z.string().trim().max(40),
    use_case: z.string().trim().max(1_000),
    interests: z.array(z.enum(INTERESTS)).max(10),
    industry_id: range(1, 37),
    invoice_company: plainName({ max: 100 }),
    invoice_emails: addresses,
    preference: PreferenceInput,
    second_factor_required: z.boolean(),
    /** Only the owner can change it. */
    content_days: range(CONTENT_DAYS.min, CONTENT_DAYS.max).nullable(),
    ...reauthentication,
  })
  .partial();
export const updateAccount = endpoint({
  id: 'accounts.update',
  method: 'PUT',
  path: '/v1/accounts/self',
  summary:
    'Update the account. Only support can change the name and country of a verified company, or any details while ' +
    'the form is under review. Only the owner can require two-factor authentication, and must re-authenticate to ' +
    'make it optional again. ' +
    'The `X-Account-Info` header is accepted but ignored; the response always contains the whole account',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: AccountChange,
  empty: 'ACCOUNT_DATA_REQUIRED',
  output: AccountInfo,
  links: ACCOUNT_LINKS,
  problems: [
    'EMAIL_INVALID',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
    'COMPANY_NAME_EXISTS',
    'CURRENCY_INVALID',
    'CURRENCY_CHANGE_NOT_ALLOWED',
    'PERMISSION_REQUIRED',
    'TIME_ZONE_INVALID',
    'QUIET_HOURS_INVALID',
    'COUNTRY_INVALID',
    'BUSINESS_WEBSITE_INVALID',
  ],
});
/** Merges the fields into the stored preferences. They apply to all users of the company. */
export const updatePreference = endpoint({
  id: 'accounts.update_preference',
  method: 'PUT',
  path: '/v1/accounts/self/preference',
  summary: 'Save a product preference for the company',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: PreferenceInput,
  output: AccountInfo,
  links: ACCOUNT_LINKS,
  problems: [],
});

export const VerificationForm = z.object({
  company_name: companyName,
  country_code: country('COUNTRY_INVALID'),
  company_address: z.string().trim().min(5).max(300),
  company_website: website,
  company_size: companySize(COMPANY_SIZES),
  industry_id: range(1, 37),
  vat_number: z.string().trim().max(40).default(''),
  use_case: z.string().trim().min(20).max(1_000),
  interests: z.array(z.enum(INTERESTS)).min(1).max(10),
  /** Expected messages per month. */
  monthly_volume: z.enum(['under_1000', '1000_10000', '10000_100000', 'over_100000']),
});
export type VerificationForm = z.output<typeof VerificationForm>;
/** A submitted form, which may predate the current rules. */
export const SubmittedForm = z.object({
  company_name: z.string(),
  country_code: z.string(),
  company_address: z.string(),
  company_website: z.string(),
  company_size: z.string(),
  industry_id: z.int(),
  vat_number: z.string(),
  use_case: z.string(),
  interests: z.array(z.string()),
  monthly_volume: z.string(),
});

const REVIEW_STATUSES = ['OPEN', 'APPROVED', 'REJECTED', 'INFO_NEEDED'] as const;
export const AccountReview = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  status: z.enum(REVIEW_STATUSES),
  form: SubmittedForm,
  reason: z.string(),
  reviewer_name: z.string(),
  create_date: timestamp,
  decide_date: timestamp.nullable(),
});
export type AccountReview = z.output<typeof AccountReview>;

/** Changes the account's status from UNVERIFIED to FORM_SUBMITTED. */
export const submitVerification = endpoint({
  id: 'accounts.submit_verification',
  method: 'POST',
  path: '/v1/accounts/self/verifications',
  summary: 'Submit the company’s details for verification',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: VerificationForm,
  status: 201,
  output: AccountReview,
  problems: ['COMPANY_NAME_EXISTS', 'ACCOUNT_REVIEW_NOT_ALLOWED', 'COUNTRY_INVALID', 'BUSINESS_WEBSITE_INVALID'],
});
export const listVerifications = endpoint({
  id: 'accounts.list_verifications',
  method: 'GET',
  path: '/v1/accounts/self/verifications',
  summary: 'List submitted verification forms and their reviews, newest first',
  needs: 'ACCOUNTS:view',
  output: z.array(AccountReview),
  problems: [],
});

/**
 * Ends all sessions and API keys immediately. Personal data is erased after 30 days; until then, support can reopen the
 * account. The call requires the owner rather than a permission, so pending steps or an expired trial do not prevent
 * it.
 */
export const closeAccount = endpoint({
  id: 'accounts.close',
  method: 'POST',
  path: '/v1/accounts/self/closures',
  summary: 'Close the account. Only the owner can do this',
  needs: null,
  audience: 'person',
  body: z.object({ company_name: z.string(), ...reauthentication }),
  status: 204,
  output: z.null(),
  problems: [
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
    'PERMISSION_REQUIRED',
    'ACCOUNT_CLOSE_NOT_ALLOWED',
    'COMPANY_NAME_MISMATCH',
  ],
});
