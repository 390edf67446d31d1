/** The settings in the command palette: pages that have no menu entry, and individual settings with their values. */
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { registerCommands } from '../kernel/commands.ts';
import type { Session } from '../kernel/session/state.ts';
import {
  AUDIT_LOG,
  CHANGE_PHONE,
  COMPANY,
  CREATE_USER,
  KEYWORDS,
  MY_USER,
  SECURITY,
  SUB_ACCOUNTS,
  USERS,
} from '../paths.ts';
import { countryName } from '../ui/form/countries.ts';

registerCommands(
  {
    id: 'settings.user',
    label: 'My user',
    keywords: 'settings name position theme density profile undo replies sound notifications',
    path: MY_USER,
    group: 'settings',
    operators: true,
  },
  {
    id: 'settings.security',
    label: 'Security',
    keywords: 'password passkey authenticator sessions sign-in',
    path: SECURITY,
    group: 'settings',
    operators: true,
  },
  {
    id: 'settings.account',
    label: 'Company profile',
    keywords: 'settings account time zone invoice vat address close verification',
    path: COMPANY,
    group: 'settings',
    needs: 'ACCOUNTS:view',
  },
  {
    id: 'settings.keywords',
    label: 'Keywords',
    keywords: 'settings stop start help opt out auto reply automatic words',
    path: KEYWORDS,
    group: 'settings',
    needs: 'SENDERS:view',
    unverified: true,
  },
  {
    id: 'settings.users',
    label: 'Users',
    keywords: 'settings team people invitations permissions',
    path: USERS,
    group: 'settings',
    needs: 'USERS:add',
    unverified: true,
  },
  {
    id: 'settings.invite',
    label: 'Invite user',
    keywords: 'team add colleague create',
    path: CREATE_USER,
    needs: 'USERS:add',
  },
  {
    id: 'settings.audit_log',
    label: 'Audit log',
    keywords: 'settings history security who',
    path: AUDIT_LOG,
    group: 'settings',
    needs: 'ACCOUNTS:edit',
    unverified: true,
  },
  {
    id: 'subaccounts',
    label: 'Sub-accounts',
    keywords: 'companies switch',
    path: SUB_ACCOUNTS,
    group: 'settings',
    needs: 'ACCOUNTS:view',
    main_only: true,
  },
  {
    id: 'onboarding',
    label: 'Use cases and regulations',
    keywords: 'onboarding industry country examples',
    path: '/onboarding',
  },
  { id: 'settings.sign_out', label: 'Sign out', keywords: 'log out leave', path: '/logout', operators: true },
);

/** One setting with its value; the search finds both. */
const setting = (id: string, label: string, path: string, value: (session: Session) => string | null) => ({
  id: `setting.${id}`,
  label,
  path,
  group: 'settings' as const,
  value,
  ...(path === COMPANY ? { needs: 'ACCOUNTS:view' as const } : { operators: true }),
});

registerCommands(
  setting('time_zone', 'Time zone', COMPANY, ({ account }) => account.timezone),
  setting('company_name', 'Company name', COMPANY, ({ account }) => account.company_name),
  setting('country', 'Country', COMPANY, ({ account }) => countryName(account.country_code)),
  setting('address', 'Company address', COMPANY, ({ account }) => account.company_address),
  setting('website', 'Company website', COMPANY, ({ account }) => account.company_website),
  setting('industry', 'Industry', COMPANY, ({ account }) => INDUSTRIES[account.industry_id] ?? null),
  setting('company_size', 'Company size', COMPANY, ({ account }) => account.company_size),
  setting('invoice_name', 'Name on invoices', COMPANY, ({ account }) => account.invoice_company),
  setting('vat_number', 'VAT number', COMPANY, ({ account }) => account.vat_number),
  setting('invoice_emails', 'Invoice email addresses', COMPANY, ({ account }) => account.invoice_emails.join(', ')),
  setting('second_factor_rule', 'Two-factor authentication for all users', COMPANY, ({ account }) =>
    account.second_factor_required ? 'Required' : 'Optional',
  ),
  setting('name', 'Your name', MY_USER, ({ user }) => user.full_name),
  setting('position', 'Your position', MY_USER, ({ user }) => user.position),
  setting('email', 'Your email', SECURITY, ({ user }) => user.email),
  setting('phone', 'Your phone number', CHANGE_PHONE, ({ user }) =>
    user.phone_number ? `+${user.phone_number}` : null,
  ),
  setting('second_factor', 'Your two-factor authentication', SECURITY, ({ user }) =>
    user.second_factor ? 'On' : 'Off',
  ),
);
