/** The routes of user settings, company settings, and users. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

/** Their files are listed in their own chunk, so that the first page does not list them. */
const page = (name: keyof typeof import('./routes_settings_pages.ts').PAGES) => () =>
  import('./routes_settings_pages.ts').then(({ PAGES }) => PAGES[name]());

export const settingsPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, { path: '/settings', title: 'My user', page: page('myUser') }),
  pageRoute(frame, { path: '/settings/user', title: 'My user', page: page('myUser') }),
  pageRoute(frame, {
    path: '/settings/account',
    title: 'Company',
    needs: 'ACCOUNTS:view',
    page: page('account'),
  }),
  pageRoute(frame, {
    path: '/settings/security',
    title: 'Security',
    page: page('security'),
  }),
  pageRoute(frame, {
    path: '/settings/alerts',
    title: 'Alerts',
    needs: 'ALERTS:view',
    page: page('alerts'),
  }),
  ...guardPages(frame),
  pageRoute(frame, {
    path: '/change-phone',
    title: 'Change phone number',
    page: page('changePhone'),
  }),
  pageRoute(frame, {
    path: '/settings/users',
    title: 'Users',
    needs: 'USERS:add',
    unverified: true,
    page: page('users'),
  }),
  pageRoute(frame, {
    path: '/settings/users/create',
    title: 'Add user',
    needs: 'USERS:add',
    person: true,
    page: page('createUser'),
  }),
  pageRoute(frame, {
    path: '/settings/users/$id',
    title: 'Edit user',
    needs: 'USERS:edit',
    person: true,
    page: page('editUser'),
  }),
  pageRoute(frame, {
    path: '/settings/brand',
    title: 'Brand',
    needs: 'ACCOUNTS:view',
    main_only: true,
    page: page('brand'),
  }),
  pageRoute(frame, {
    path: '/settings/integrations',
    title: 'Integrations',
    needs: 'MESSAGES:view',
    page: page('integrations'),
  }),
  pageRoute(frame, {
    path: '/settings/audit-log',
    title: 'Audit log',
    needs: 'ACCOUNTS:edit',
    unverified: true,
    page: page('auditLog'),
  }),
  pageRoute(frame, {
    path: '/subaccounts',
    title: 'Sub-accounts',
    needs: 'ACCOUNTS:view',
    main_only: true,
    page: page('subAccounts'),
  }),
  pageRoute(frame, { path: '/onboarding', title: 'Onboarding', page: page('onboarding') }),
  pageRoute(frame, { path: '/expired', title: 'Trial expired', page: page('expired') }),
];

/** SMS limits and the country blacklist. */
const guardPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/settings/sms-limits',
    title: 'SMS limits',
    needs: 'SMS_LIMITS:view',
    unverified: true,
    page: page('smsLimits'),
  }),
  pageRoute(frame, {
    path: '/settings/sms-limits/create',
    title: 'Create SMS limit',
    needs: 'SMS_LIMITS:edit',
    page: page('createLimit'),
  }),
  pageRoute(frame, {
    path: '/settings/sms-limits/$id',
    title: 'Edit SMS limit',
    needs: 'SMS_LIMITS:edit',
    page: page('editLimit'),
  }),
  pageRoute(frame, {
    path: '/settings/country-blacklist',
    title: 'Country blacklist',
    needs: 'ACCOUNTS:view',
    unverified: true,
    page: page('countryBlacklist'),
  }),
  pageRoute(frame, {
    path: '/settings/inbox',
    title: 'Inbox rules',
    needs: 'MESSAGES:view',
    unverified: true,
    page: page('inbox'),
  }),
  pageRoute(frame, {
    path: '/settings/keywords',
    title: 'Keywords',
    needs: 'SENDERS:view',
    unverified: true,
    page: page('keywords'),
  }),
];
