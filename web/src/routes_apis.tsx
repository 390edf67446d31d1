/** The routes of API keys, the request log, webhooks, SMPP accounts, and verifications. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

export const apiPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, { path: '/apis', title: 'APIs', page: () => import('./keys/ApisPage.tsx') }),
  pageRoute(frame, {
    path: '/apis/keys',
    title: 'API keys',
    needs: 'KEYS:view',
    page: () => import('./keys/KeysPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/keys/create',
    title: 'Create API key',
    needs: 'KEYS:add',
    page: () => import('./keys/CreateKeyPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/keys/edit/$id',
    title: 'Edit API key',
    needs: 'KEYS:edit',
    page: () => import('./keys/EditKeyPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/requests',
    title: 'Request log',
    needs: 'KEYS:view',
    page: () => import('./api_requests/RequestLogPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/approvals',
    title: 'Approvals',
    needs: 'MESSAGES:view',
    page: () => import('./keys/ApprovalsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/test-messages',
    title: 'Test messages',
    needs: 'MESSAGES:view',
    page: () => import('./messages/TestMessagesPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/webhooks',
    title: 'Webhooks',
    needs: 'WEBHOOKS:view',
    page: () => import('./webhooks/WebhooksPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp',
    title: 'SMPP accounts',
    needs: 'KEYS:view',
    page: () => import('./smpp/SmppAccountsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp/create',
    title: 'Create SMPP account',
    needs: 'KEYS:add',
    page: () => import('./smpp/CreateSmppAccountPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp/edit/$id',
    title: 'SMPP account',
    needs: 'KEYS:edit',
    page: () => import('./smpp/SmppAccountPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/apis/verifications',
    title: 'Verifications',
    needs: 'MESSAGES:view',
    page: () => import('./verifications/VerificationsPage.tsx'),
  }),
];
