/** The routes of carrier lookups. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CARRIER_BULK, CARRIER_HISTORY, CARRIER_SINGLE } from './paths.ts';

export const lookupPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: CARRIER_SINGLE,
    title: 'Carrier lookup',
    page: () => import('./lookups/SinglePage.tsx'),
  }),
  pageRoute(frame, {
    path: CARRIER_BULK,
    title: 'Bulk carrier lookup',
    page: () => import('./lookups/BulkPage.tsx'),
  }),
  pageRoute(frame, {
    path: CARRIER_HISTORY,
    title: 'Carrier lookup history',
    page: () => import('./lookups/HistoryPage.tsx'),
  }),
];
