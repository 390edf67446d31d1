import type { ACCOUNT_STATUSES, Account, PreferenceInput, User } from '@parley/contract/accounts/accounts.ts';
import { type Queryable, raw, sql } from '../kernel/db/db.ts';

/**
 * Reads a column from the account that determines the trial of account `a`: its parent if `a` is a sub-account,
 * otherwise `a` itself.
 */
const trialColumn = (expression: string): string =>
  `(select ${expression} from accounts t where t.id = coalesce(a.parent_id, a.id))`;
const IN_TRIAL = trialColumn("t.kind = 'CUSTOMER' and 'PAID0' = any(t.tags) and not t.admin_created");
export const inTrial = raw(IN_TRIAL);
const daysLeft = trialColumn('(30 - floor(extract(epoch from now() - t.create_date) / 86400))::int');
const TRIAL_COUNTRY = trialColumn('t.country_code');
export const trialCountry = raw(TRIAL_COUNTRY);

/** Days left in the trial of account `a`. Zero or less when the trial has ended. */
export const trialDays = raw(daysLeft);

/** The columns of account `a`. The caller adds the user's country. */
export const accountColumns = raw(`
  a.id, a.id as account_id, a.company_name, a.country_code, a.currency, a.timezone, a.quiet_hours,
  a.campaign_approval, a.frequency_cap, a.hlr_check, a.mnp_check, a.mnp_countries, a.status,
  a.status = 'VERIFIED' as verified,
  a.account_type, a.channels, a.tags, a.industry_id, a.kind = 'OPERATOR' as operator, a.parent_id, a.admin_created,
  a.company_address, a.company_website, a.company_size, a.vat_number, a.use_case, a.interests,
  a.tax_rate::float8 as tax_rate, a.invoice_company, a.invoice_emails, a.invoice_entity, a.preference,
  a.import_rows, a.second_factor_required, a.content_days, a.create_date, a.update_date,
  ${IN_TRIAL} as trial, ${IN_TRIAL} and ${daysLeft} <= 0 as trial_period_expired,
  case when ${IN_TRIAL} then greatest(0, ${daysLeft}) end as days_left, ${TRIAL_COUNTRY} as trial_country_code,
  coalesce((select email from users u where u.account_id = a.id and u.is_owner and u.remove_date is null
            order by u.id limit 1), '') as username`);

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export type AccountRow = Omit<
  Account,
  'is_us_or_ca_account' | 'is_restricted_onboarding' | 'user_country' | 'company_size_id' | 'preference'
> & {
  /** As stored: earlier versions stored any options. */
  preference: PreferenceInput;
  trial_country_code: string;
};

export const findAccount = (db: Queryable, account_id: string) =>
  db.maybeOne<AccountRow>(sql`select ${accountColumns} from accounts a where a.id = ${account_id}`);

/** The shared sender of test messages does not count. */
export const hasSender = async (db: Queryable, account_id: string): Promise<boolean> =>
  (
    await db.one<{ any: boolean }>(sql`
      select exists (
        select 1 from senders where account_id = ${account_id} and delete_date is null and shared_from is null) as any`)
  ).any;

type UserRow = Omit<User, 'pending' | 'impersonation'>;

export const findUser = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<UserRow>(sql`
    select u.id, u.account_id, u.email, u.first_name, u.last_name,
           trim(u.first_name || ' ' || u.last_name) as full_name, l.phone_number, u.position,
           coalesce(u.login_id::text, '') as login_id,
           case when u.blocked then 'BLOCKED' else coalesce(l.status, 'NEW') end as status, u.is_owner, u.permissions,
           l.password_hash is not null as has_password,
           l.totp_date is not null or exists (select 1 from passkeys p where p.login_id = l.id) as second_factor,
           u.news_seen, u.create_date
    from users u left join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and u.id = ${id} and u.remove_date is null`);

export type Details = Pick<
  Account,
  | 'id'
  | 'company_name'
  | 'country_code'
  | 'currency'
  | 'timezone'
  | 'quiet_hours'
  | 'campaign_approval'
  | 'frequency_cap'
  | 'hlr_check'
  | 'mnp_check'
  | 'mnp_countries'
  | 'status'
  | 'company_address'
  | 'company_website'
  | 'company_size'
  | 'vat_number'
  | 'use_case'
  | 'interests'
  | 'industry_id'
  | 'invoice_company'
  | 'invoice_emails'
  | 'second_factor_required'
  | 'content_days'
> & { preference: PreferenceInput };

export const lockDetails = (db: Queryable, id: string) =>
  db.maybeOne<Details>(sql`
    select id, company_name, country_code, currency, timezone, quiet_hours, campaign_approval, frequency_cap,
           hlr_check, mnp_check, mnp_countries, status, company_address, company_website, company_size, vat_number,
           use_case, interests, industry_id, invoice_company, invoice_emails, second_factor_required,
           content_days, preference
    from accounts where id = ${id} for update`);

export const findImpersonation = (db: Queryable, session_id: string) =>
  db.maybeOne<NonNullable<User['impersonation']>>(sql`
    select trim(r.first_name || ' ' || r.last_name) as operator_name, s.reason, s.expire_date,
           case a.kind when 'OPERATOR' then 'operator' else 'parent' end as kind
    from sessions s
    join users r on r.account_id = s.real_account_id and r.id = s.real_user_id
    join accounts a on a.id = s.real_account_id
    where s.id = ${session_id} and s.real_user_id is not null`);

export const requiresSecondFactor = async (db: Queryable, account_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${account_id} and second_factor_required`)) !== null;

/** Selects the user, and the company name they must enter to close the account. */
export const selectCloser = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{
    is_owner: boolean;
    company_name: string;
    parent_id: string | null;
    kind: string;
  }>(sql`
    select u.is_owner, a.company_name, a.parent_id, a.kind
    from users u join accounts a on a.id = u.account_id
    where u.account_id = ${account_id} and u.id = ${id}`);
