/** The routes of billing and of adding funds. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import {
  ADD_FUNDS,
  ADD_FUNDS_DONE,
  ADD_FUNDS_FAILED,
  AUTO_TOP_UP,
  BILLING,
  INVOICES,
  PAYMENTS,
  RATES,
  STATEMENTS,
} from './paths.ts';

const BILLING_NEEDS = ['PAYMENTS:view', 'INVOICES:view'] as const;

export const billingPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: ADD_FUNDS,
    title: 'Add funds',
    needs: 'PAYMENTS:add',
    page: () => import('./billing/AddFundsPage.tsx'),
  }),
  pageRoute(frame, {
    path: ADD_FUNDS_DONE,
    title: 'Thank you',
    needs: 'PAYMENTS:add',
    page: async () => ({ default: (await import('./billing/ResultPages.tsx')).ThankYouPage }),
  }),
  pageRoute(frame, {
    path: ADD_FUNDS_FAILED,
    title: 'Payment failed',
    needs: 'PAYMENTS:add',
    page: async () => ({ default: (await import('./billing/ResultPages.tsx')).FailedPage }),
  }),
  pageRoute(frame, {
    path: BILLING,
    title: 'Billing',
    needs: BILLING_NEEDS,
    page: () => import('./billing/BillingPage.tsx'),
  }),
  pageRoute(frame, {
    path: PAYMENTS,
    title: 'Payments',
    needs: BILLING_NEEDS,
    page: () => import('./billing/PaymentsPage.tsx'),
  }),
  pageRoute(frame, {
    path: INVOICES,
    title: 'Invoices',
    needs: BILLING_NEEDS,
    page: () => import('./billing/InvoicesPage.tsx'),
  }),
  pageRoute(frame, {
    path: STATEMENTS,
    title: 'Statements',
    needs: 'PAYMENTS:view',
    page: () => import('./billing/StatementsPage.tsx'),
  }),
  pageRoute(frame, {
    path: AUTO_TOP_UP,
    title: 'Auto top-up',
    needs: 'PAYMENTS:view',
    page: () => import('./billing/AutoTopUpPage.tsx'),
  }),
  pageRoute(frame, {
    path: RATES,
    title: 'Rates',
    needs: BILLING_NEEDS,
    page: () => import('./billing/RatesPage.tsx'),
  }),
];
