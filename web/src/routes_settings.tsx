/** The routes of user settings, company settings, and users. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

export const settingsPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, { path: '/settings', title: 'My user', page: () => import('./settings/user/MyUserPage.tsx') }),
  pageRoute(frame, { path: '/settings/user', title: 'My user', page: () => import('./settings/user/MyUserPage.tsx') }),
  pageRoute(frame, {
    path: '/settings/account',
    title: 'Company',
    needs: 'ACCOUNTS:view',
    page: () => import('./settings/company/AccountPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/security',
    title: 'Security',
    page: () => import('./settings/security/SecurityPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/alerts',
    title: 'Alerts',
    needs: 'ALERTS:view',
    page: () => import('./settings/alerts/AlertsPage.tsx'),
  }),
  ...guardPages(frame),
  pageRoute(frame, {
    path: '/change-phone',
    title: 'Change phone number',
    page: () => import('./auth/phone/ChangePhonePage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/users',
    title: 'Users',
    needs: 'USERS:add',
    unverified: true,
    page: () => import('./settings/UsersPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/users/create',
    title: 'Add user',
    needs: 'USERS:add',
    person: true,
    page: () => import('./team/CreateUserPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/users/$id',
    title: 'Edit user',
    needs: 'USERS:edit',
    person: true,
    page: () => import('./team/EditUserPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/integrations',
    title: 'Integrations',
    needs: 'MESSAGES:view',
    page: () => import('./settings/integrations/IntegrationsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/audit-log',
    title: 'Audit log',
    needs: 'ACCOUNTS:edit',
    unverified: true,
    page: () => import('./settings/audit_log/AuditLogPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/subaccounts',
    title: 'Sub-accounts',
    needs: 'ACCOUNTS:view',
    main_only: true,
    page: () => import('./accounts/SubAccountsPage.tsx'),
  }),
  pageRoute(frame, { path: '/onboarding', title: 'Onboarding', page: () => import('./onboarding/OnboardingPage.tsx') }),
  pageRoute(frame, { path: '/expired', title: 'Trial expired', page: () => import('./accounts/ExpiredPage.tsx') }),
];

/** SMS limits and the country blacklist. */
const guardPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/settings/sms-limits',
    title: 'SMS limits',
    needs: 'SMS_LIMITS:view',
    unverified: true,
    page: () => import('./settings/sms_limits/SmsLimitsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/sms-limits/create',
    title: 'Create SMS limit',
    needs: 'SMS_LIMITS:edit',
    page: () => import('./settings/sms_limits/CreateLimitPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/sms-limits/$id',
    title: 'Edit SMS limit',
    needs: 'SMS_LIMITS:edit',
    page: () => import('./settings/sms_limits/EditLimitPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/country-blacklist',
    title: 'Country blacklist',
    needs: 'ACCOUNTS:view',
    unverified: true,
    page: () => import('./settings/country_blacklist/CountryBlacklistPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/inbox',
    title: 'Inbox rules',
    needs: 'MESSAGES:view',
    unverified: true,
    page: () => import('./settings/inbox/InboxPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/settings/keywords',
    title: 'Keywords',
    needs: 'SENDERS:view',
    unverified: true,
    page: () => import('./settings/keywords/KeywordsPage.tsx'),
  }),
];
