/** The routes of the operators' pages. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

/** Their files are listed in their own chunk, so that the first page does not list them. */
const page = (name: keyof typeof import('./routes_admin_pages.ts').PAGES) => () =>
  import('./routes_admin_pages.ts').then(({ PAGES }) => PAGES[name]());

export const adminPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/accounts',
    title: 'Accounts',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: page('customers'),
  }),
  pageRoute(frame, {
    path: '/accounts/$id',
    title: 'Account',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: page('customer'),
  }),
  pageRoute(frame, {
    path: '/requests',
    title: 'Requests',
    needs: ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'],
    admin: true,
    page: page('requests'),
  }),
  pageRoute(frame, {
    path: '/health',
    title: 'Health',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: page('health'),
  }),
  pageRoute(frame, {
    path: '/health/receipts',
    title: 'Unmatched receipts',
    needs: 'CHANNELS:view',
    admin: true,
    page: page('unmatchedReceipts'),
  }),
  pageRoute(frame, {
    path: '/sending',
    title: 'Sending',
    needs: 'CHANNELS:view',
    admin: true,
    page: page('sending'),
  }),
  pageRoute(frame, {
    path: '/connections',
    title: 'Connections',
    needs: 'CHANNELS:view',
    admin: true,
    page: page('connections'),
  }),
  pageRoute(frame, {
    path: '/connections/add',
    title: 'Connect a provider',
    needs: 'CHANNELS:add',
    admin: true,
    page: page('addConnection'),
  }),
  pageRoute(frame, {
    path: '/connections/$id',
    title: 'Edit connection',
    needs: 'CHANNELS:edit',
    admin: true,
    page: page('editConnection'),
  }),
  pageRoute(frame, {
    path: '/routes',
    title: 'Routes',
    needs: 'CHANNELS:view',
    admin: true,
    page: page('routes'),
  }),
  ...reviewPages(frame),
  ...setupPages(frame),
];

/** The rules about the content of messages, and the messages that they hold. */
const reviewPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/reviews',
    title: 'Reviews',
    needs: 'MESSAGES:view',
    admin: true,
    page: page('reviews'),
  }),
  pageRoute(frame, {
    path: '/content-rules',
    title: 'Content rules',
    needs: 'SMS_LIMITS:view',
    admin: true,
    page: page('contentRules'),
  }),
];

/** Numbers, payments, prices, networks, and the setup of the installation. */
const setupPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/inventory',
    title: 'Numbers',
    needs: 'NUMBERS:view',
    admin: true,
    page: page('inventory'),
  }),
  pageRoute(frame, {
    path: '/payments',
    title: 'Payments',
    needs: 'PAYMENTS:view',
    admin: true,
    page: page('payments'),
  }),
  pageRoute(frame, {
    path: '/payments/proposals',
    title: 'Proposed changes',
    needs: 'PAYMENTS:view',
    admin: true,
    page: page('proposals'),
  }),
  pageRoute(frame, {
    path: '/payments/reconciliation',
    title: 'Reconciliation',
    needs: 'PAYMENTS:view',
    admin: true,
    page: page('reconciliation'),
  }),
  pageRoute(frame, {
    path: '/prices',
    title: 'Prices',
    needs: 'INVOICES:view',
    admin: true,
    page: page('priceList'),
  }),
  pageRoute(frame, {
    path: '/networks',
    title: 'Networks',
    needs: 'INVOICES:view',
    admin: true,
    page: page('networks'),
  }),
  pageRoute(frame, {
    path: '/setup',
    title: 'Setup',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: page('setup'),
  }),
];
