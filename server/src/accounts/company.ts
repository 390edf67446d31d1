/**
 * Changes a company's details. Only support can change the approved name and country of a verified company. While a
 * verification form is in review, the details on it are frozen, so that operators approve exactly the details they have
 * read.
 */
import type { AccountInfo, PreferenceInput } from '@parley/contract/accounts/accounts.ts';
import type { updateAccount as endpoint } from '@parley/contract/accounts/company.ts';
import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { reauthenticate } from '../auth/auth.ts';
import { join, type Queryable, type Sql, sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceAccount, announceRights, type Who } from './announce.ts';
import { listCampaignEditors } from './campaign_editors.ts';
import * as queries from './queries.ts';
import { getAccount } from './self.ts';
import { vatNumberChanged } from './vat_numbers.ts';

type Body = Parsed<typeof endpoint>['body'];
type Change = Omit<Body, keyof Reauthentication>;

const FORM_COLUMNS: readonly Column[] = [
  'company_name',
  'country_code',
  'company_address',
  'company_website',
  'company_size',
  'industry_id',
  'vat_number',
  'use_case',
  'interests',
];

/** The maximum length of the stored JSON in characters. */
const MAX_PREFERENCE = 20_000;

const COLUMNS = {
  company_name: (value) => sql`company_name = ${value}, name_held = true`,
  country_code: (value) => sql`country_code = ${value}`,
  timezone: (value) => sql`timezone = ${value}`,
  quiet_hours: (value) => sql`quiet_hours = ${value && JSON.stringify(value)}::jsonb`,
  campaign_approval: (value) => sql`campaign_approval = ${value && JSON.stringify(value)}::jsonb`,
  frequency_cap: (value) => sql`frequency_cap = ${value && JSON.stringify(value)}::jsonb`,
  hlr_check: (value) => sql`hlr_check = ${value}`,
  mnp_check: (value) => sql`mnp_check = ${value}`,
  mnp_countries: (value) => sql`mnp_countries = ${value}::text[]`,
  company_address: (value) => sql`company_address = ${value}`,
  company_website: (value) => sql`company_website = ${value}`,
  company_size: (value) => sql`company_size = ${value}`,
  vat_number: (value) => sql`vat_number = ${value}`,
  use_case: (value) => sql`use_case = ${value}`,
  interests: (value) => sql`interests = ${value}`,
  industry_id: (value) => sql`industry_id = ${value}`,
  invoice_company: (value) => sql`invoice_company = ${value}`,
  invoice_emails: (value) => sql`invoice_emails = ${value}`,
  second_factor_required: (value) => sql`second_factor_required = ${value}`,
  content_days: (value) => sql`content_days = ${value}`,
} satisfies Partial<Record<keyof Change, (value: unknown) => Sql>>;
type Column = keyof typeof COLUMNS;

/**
 * Only an owner who re-authenticates can turn off the two-factor requirement. Throws PROOF_REQUIRED or
 * SIGN_IN_ATTEMPTS_EXCEEDED.
 */
export async function changeAccount(ctx: Ctx, body: Body): Promise<AccountInfo> {
  const { current_password, factor_code, passkey, ...change } = body;
  const { kernel, actor } = ctx;
  if (change.second_factor_required === false && (await queries.requiresSecondFactor(kernel.db, actor.account_id))) {
    await requireOwner(kernel.db, actor);
    await reauthenticate(ctx, { current_password, factor_code, passkey }, 'both');
  }
  return kernel.db.tx((tx) => updateAccount(tx, ctx, change));
}

async function updateAccount(tx: Tx, who: Who & { actor: Actor }, change: Change): Promise<AccountInfo> {
  const { actor } = who;
  const before = await queries.lockDetails(tx, actor.account_id);
  if (!before) throw new Problem('TOKEN_INVALID');
  const changed = (Object.keys(COLUMNS) as Column[]).filter(
    (name) => change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]),
  );
  const touches = (name: Column) => changed.includes(name);
  if (change.currency !== undefined && change.currency !== before.currency)
    throw new Problem('CURRENCY_CHANGE_NOT_ALLOWED');
  if (before.status === 'VERIFIED' && (touches('company_name') || touches('country_code')))
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'Only support can change the name and country of a verified company',
      field: touches('company_name') ? 'company_name' : 'country_code',
    });
  const frozen = before.status === 'FORM_SUBMITTED' && FORM_COLUMNS.find(touches);
  if (frozen)
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'Your form is under review. Until the review is complete, only support can change its details.',
      field: frozen,
    });
  if (touches('second_factor_required')) await requireOwner(tx, actor);
  if (touches('content_days')) await requireOwner(tx, actor, CONTENT_OWNER);
  if (touches('campaign_approval')) await checkApprovalRule(tx, actor, change);
  if (touches('country_code')) requireCountry(change.country_code!);
  if (touches('timezone')) change = { ...change, timezone: readTimezone(change.timezone!) };
  const preference = change.preference && mergePreference(before.preference, change.preference);
  const sets = [
    ...changed.map((name) => COLUMNS[name](change[name])),
    ...(preference ? [sql`preference = ${JSON.stringify(preference)}::jsonb`] : []),
  ];
  if (sets.length === 0) return getAccount(tx, actor);
  try {
    await tx.run(sql`update accounts set ${join(sets, ', ')}, update_date = now() where id = ${actor.account_id}`);
  } catch (error) {
    throw violates(error) ? new Problem('COMPANY_NAME_EXISTS') : error;
  }
  if (changed.length > 0) report(tx, who, before, changed, change);
  if (touches('vat_number') || touches('country_code'))
    await enqueue(tx, vatNumberChanged, { account_id: actor.account_id });
  await announceAccount(tx, actor.account_id, before.status);
  return getAccount(tx, actor);
}

function report(tx: Tx, who: Who, before: queries.Details, changed: Column[], change: Change): void {
  const target = { type: 'account', id: before.id, name: change.company_name ?? before.company_name };
  const details = changed.filter((name) => name !== 'second_factor_required');
  if (details.length > 0)
    record(tx, who, {
      action: 'account.updated',
      target,
      detail: Object.fromEntries(details.map((name) => [name, { from: before[name], to: change[name] }])),
    });
  if (details.length === changed.length) return;
  record(tx, who, {
    action: change.second_factor_required ? 'account.second_factor_required' : 'account.second_factor_optional',
    target,
  });
  announceRights(tx, before.id, null);
}

/** Saves the company's product preferences. */
export async function updatePreference(
  tx: Tx,
  who: Who & { actor: Actor },
  preference: PreferenceInput,
): Promise<AccountInfo> {
  const before = await queries.lockDetails(tx, who.actor.account_id);
  if (!before) throw new Problem('TOKEN_INVALID');
  const after = mergePreference(before.preference, preference);
  await tx.run(sql`
    update accounts set preference = ${JSON.stringify(after)}::jsonb, update_date = now() where id = ${before.id}`);
  await announceAccount(tx, before.id, before.status);
  return getAccount(tx, who.actor);
}

/** Merges nested objects, but replaces lists. */
function mergePreference(before: PreferenceInput, change: PreferenceInput): PreferenceInput {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    after[name] = isObject ? { ...(after[name] as object | undefined), ...value } : value;
  }
  if (JSON.stringify(after).length > MAX_PREFERENCE)
    throw new Problem('VALUE_INVALID', { field: 'preference', message: 'The preferences are too large' });
  return after as PreferenceInput;
}

/** Users without an owner's rights must not be able to avoid approvals, and a rule needs a second user who approves. */
async function checkApprovalRule(tx: Tx, actor: Actor, { campaign_approval }: Change): Promise<void> {
  await requireOwner(tx, actor, {
    message: 'Only the owner can change when campaigns need approval',
    field: 'campaign_approval',
  });
  if (campaign_approval && (await listCampaignEditors(tx, actor.account_id, [], 2)).length < 2)
    throw new Problem('CAMPAIGN_APPROVAL_INVALID', {
      message: 'Approval requires a second user who can edit campaigns',
    });
}

const CONTENT_OWNER = {
  message: 'Only the owner can change how long contents are kept',
  field: 'content_days',
};
const SECOND_FACTOR_OWNER = {
  message: 'Only the owner can change whether two-factor authentication is required',
  field: 'second_factor_required',
};

async function requireOwner(db: Queryable, actor: Actor, refusal = SECOND_FACTOR_OWNER): Promise<void> {
  if (actor.real_user_id) throw new Problem('IMPERSONATION_NOT_ALLOWED');
  const user = actor.user_id ? await queries.findUser(db, actor.account_id, actor.user_id) : null;
  if (!user?.is_owner) throw new Problem('PERMISSION_REQUIRED', refusal);
}

export function requireCountry(code: string): void {
  if (!isSupportedCountry(code as CountryCode)) throw new Problem('COUNTRY_INVALID');
}

/**
 * Returns the zone's canonical name in the time zone database. Offsets are refused, since they ignore daylight saving
 * time.
 */
export function readTimezone(name: string): string {
  try {
    if (!/^[A-Za-z]/.test(name)) throw new RangeError(name);
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    throw new Problem('TIME_ZONE_INVALID');
  }
}
