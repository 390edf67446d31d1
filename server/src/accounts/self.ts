/** Reads a session's company and user. */
import {
  type Account,
  type AccountInfo,
  COMPANY_SIZES,
  RESTRICTED_COUNTRIES,
  type User,
} from '@parley/contract/accounts/accounts.ts';
import { toPreference } from '@parley/contract/accounts/preference.ts';
import { permits, RESOURCES } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import { readBrand, shownBrand } from '../kernel/brand/brand.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { phoneCountry } from '../verify/verify.ts';
import * as queries from './queries.ts';

export async function getAccount(db: Queryable, actor: Actor): Promise<AccountInfo> {
  const account = await queries.findAccount(db, actor.account_id);
  if (!account) throw new Problem('TOKEN_INVALID');
  const user = actor.user_id ? await queries.findUser(db, actor.account_id, actor.user_id) : null;
  const role = user && findRole(user.is_owner, actor.permissions);
  const may_send = account.verified && !account.trial_period_expired && !actor.pending;
  return {
    ...toAccountView(account, user?.phone_number),
    user_id: user?.id ?? null,
    first_name: user?.first_name ?? null,
    last_name: user?.last_name ?? null,
    full_name: user?.full_name ?? null,
    phone_number: user?.phone_number ?? null,
    permissions: { ...actor.permissions } as AccountInfo['permissions'],
    blocked: account.status === 'BLOCKED',
    role,
    roles: role ? [role] : [],
    sender_free: !(await queries.hasSender(db, account.id)),
    test_sms: may_send && user?.status === 'PHONE_VERIFIED' && permits(actor.permissions, 'MESSAGES:add'),
    brand: shownBrand(await readBrand(db, account.id)),
  };
}

function findRole(is_owner: boolean, permissions: Actor['permissions']): string {
  if (is_owner) return 'owner';
  const hasPreset = ({ permissions: preset }: { permissions: Actor['permissions'] }) =>
    RESOURCES.every((resource) => (preset[resource] ?? 0) === (permissions[resource] ?? 0));
  return Object.entries(ROLES).find(([, role]) => hasPreset(role))?.[0] ?? 'custom';
}

/** The account as shown to a user with this phone number. */
export function toAccountView(account: queries.AccountRow, phone_number: string | null | undefined): Account {
  const phone_country = phoneCountry(phone_number);
  const restricted = (company_country: string) =>
    [company_country, phone_country ?? company_country].every((code) => RESTRICTED_COUNTRIES.includes(code));
  return {
    ...account,
    company_size_id: (COMPANY_SIZES as readonly string[]).indexOf(account.company_size) + 1 || null,
    preference: toPreference(account.preference),
    user_country: phone_country ?? account.country_code,
    is_us_or_ca_account: restricted(account.country_code),
    is_restricted_onboarding: restricted(account.trial_country_code) && account.trial && !account.trial_period_expired,
  };
}

export async function getUser(db: Queryable, actor: Actor): Promise<User> {
  const user = actor.user_id ? await queries.findUser(db, actor.account_id, actor.user_id) : null;
  if (!user) throw new Problem('TOKEN_INVALID');
  const impersonation =
    actor.real_user_id && actor.session_id ? await queries.findImpersonation(db, actor.session_id) : null;
  return {
    ...user,
    permissions: { ...actor.permissions } as User['permissions'],
    pending: actor.pending,
    impersonation,
  };
}
