/** The routes of the operators' pages. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

export const adminPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/accounts',
    title: 'Accounts',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: () => import('./admin/customers/CustomersPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/accounts/$id',
    title: 'Account',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: () => import('./admin/customers/CustomerPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/requests',
    title: 'Requests',
    needs: ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'],
    admin: true,
    page: () => import('./admin/requests/RequestsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/health',
    title: 'Health',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: () => import('./admin/health/HealthPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/health/receipts',
    title: 'Unmatched receipts',
    needs: 'CHANNELS:view',
    admin: true,
    page: () => import('./admin/health/UnmatchedReceiptsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/sending',
    title: 'Sending',
    needs: 'CHANNELS:view',
    admin: true,
    page: () => import('./admin/sending/SendingPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/connections',
    title: 'Connections',
    needs: 'CHANNELS:view',
    admin: true,
    page: () => import('./admin/connections/ConnectionsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/connections/add',
    title: 'Connect a provider',
    needs: 'CHANNELS:add',
    admin: true,
    page: () => import('./admin/connections/AddConnectionPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/connections/$id',
    title: 'Edit connection',
    needs: 'CHANNELS:edit',
    admin: true,
    page: () => import('./admin/connections/EditConnectionPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/routes',
    title: 'Routes',
    needs: 'CHANNELS:view',
    admin: true,
    page: () => import('./admin/connections/RoutesPage.tsx'),
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
    page: () => import('./admin/reviews/ReviewsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/content-rules',
    title: 'Content rules',
    needs: 'SMS_LIMITS:view',
    admin: true,
    page: () => import('./admin/reviews/ContentRulesPage.tsx'),
  }),
];

/** Numbers, payments, prices, networks, and the setup of the installation. */
const setupPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/inventory',
    title: 'Numbers',
    needs: 'NUMBERS:view',
    admin: true,
    page: () => import('./admin/prices/InventoryPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/payments',
    title: 'Payments',
    needs: 'PAYMENTS:view',
    admin: true,
    page: () => import('./admin/payments/PaymentsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/payments/proposals',
    title: 'Proposed changes',
    needs: 'PAYMENTS:view',
    admin: true,
    page: () => import('./admin/payments/ProposalsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/payments/reconciliation',
    title: 'Reconciliation',
    needs: 'PAYMENTS:view',
    admin: true,
    page: () => import('./admin/payments/ReconciliationPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/prices',
    title: 'Prices',
    needs: 'INVOICES:view',
    admin: true,
    page: () => import('./admin/price_list/PriceListPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/networks',
    title: 'Networks',
    needs: 'INVOICES:view',
    admin: true,
    page: () => import('./admin/networks/NetworksPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/setup',
    title: 'Setup',
    needs: 'ACCOUNTS:view',
    admin: true,
    page: () => import('./admin/setup/SetupPage.tsx'),
  }),
];
