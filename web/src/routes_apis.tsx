/** The routes of API keys, the request log, webhooks, SMPP accounts, and verifications. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

/** Their files are listed in their own chunk, so that the first page does not list them. */
const page = (name: keyof typeof import('./routes_apis_pages.ts').PAGES) => () =>
  import('./routes_apis_pages.ts').then(({ PAGES }) => PAGES[name]());

export const apiPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, { path: '/apis', title: 'APIs', page: page('apis') }),
  pageRoute(frame, {
    path: '/apis/keys',
    title: 'API keys',
    needs: 'KEYS:view',
    page: page('keys'),
  }),
  pageRoute(frame, {
    path: '/apis/keys/create',
    title: 'Create API key',
    needs: 'KEYS:add',
    page: page('createKey'),
  }),
  pageRoute(frame, {
    path: '/apis/keys/edit/$id',
    title: 'Edit API key',
    needs: 'KEYS:edit',
    page: page('editKey'),
  }),
  pageRoute(frame, {
    path: '/apis/requests',
    title: 'Request log',
    needs: 'KEYS:view',
    page: page('requestLog'),
  }),
  pageRoute(frame, {
    path: '/apis/approvals',
    title: 'Approvals',
    needs: 'MESSAGES:view',
    page: page('approvals'),
  }),
  pageRoute(frame, {
    path: '/apis/test-messages',
    title: 'Test messages',
    needs: 'MESSAGES:view',
    page: page('testMessages'),
  }),
  pageRoute(frame, {
    path: '/apis/test-campaigns',
    title: 'Test campaigns',
    needs: 'CAMPAIGNS:view',
    page: page('testCampaigns'),
  }),
  pageRoute(frame, {
    path: '/apis/webhooks',
    title: 'Webhooks',
    needs: 'WEBHOOKS:view',
    page: page('webhooks'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp',
    title: 'SMPP accounts',
    needs: 'KEYS:view',
    page: page('smpp'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp/create',
    title: 'Create SMPP account',
    needs: 'KEYS:add',
    page: page('smpp'),
  }),
  pageRoute(frame, {
    path: '/apis/smpp/edit/$id',
    title: 'SMPP account',
    needs: 'KEYS:edit',
    page: page('smpp'),
  }),
  pageRoute(frame, {
    path: '/apis/verifications',
    title: 'Verifications',
    needs: 'MESSAGES:view',
    page: page('verifications'),
  }),
];
