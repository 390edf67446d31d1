/** The routes of senders, numbers, and registrations. */
import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { accessTitle } from './channels/access_title.ts';
import { pageRoute } from './kernel/session/routes.tsx';
import { REQUEST_PATHS } from './paths.ts';

/** Pages inside the frame. */
export const senderPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/add-channel',
    title: 'Add channel',
    needs: 'CHANNELS:add',
    unverified: true,
    page: () => import('./senders/AddChannelPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/senders',
    title: 'Senders',
    needs: 'SENDERS:view',
    page: () => import('./senders/SendersPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/senders/create-sender',
    title: 'Create sender',
    needs: ['SENDERS:add', 'NUMBERS:add'],
    page: () => import('./senders/CreateSenderPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/senders/buy-number',
    title: 'Buy number',
    needs: ['SENDERS:add', 'NUMBERS:add'],
    page: () => import('./numbers/BuyNumberPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/senders/edit-sender',
    title: 'Edit sender',
    needs: 'SENDERS:add',
    page: () => import('./senders/EditSenderPage.tsx'),
  }),
];
/** Full-screen wizards that request a sender or a channel. */
export const senderWizards = (parent: AnyRoute): AnyRoute[] => [
  ...ACCESS_KINDS.map((kind) =>
    pageRoute(parent, {
      path: REQUEST_PATHS[kind],
      title: accessTitle(kind),
      needs: 'SENDERS:add',
      page: async () => {
        const { AccessPage } = await import('./registrations/access/AccessPage.tsx');
        return { default: () => <AccessPage kind={kind} /> };
      },
    }),
  ),
  pageRoute(parent, {
    path: '/senders/request-sender-id',
    title: 'Request sender ID',
    needs: 'SENDERS:add',
    page: () => import('./registrations/sms/RequestSenderIdPage.tsx'),
  }),
  pageRoute(parent, {
    path: '/senders/request-short-code',
    title: 'Request short code',
    needs: 'SENDERS:add',
    page: () => import('./registrations/sms/RequestShortCodePage.tsx'),
  }),
  pageRoute(parent, {
    path: '/senders/request-toll-free',
    title: 'Toll-free verification',
    needs: 'SENDERS:edit',
    page: () => import('./registrations/sms/RequestTollFreePage.tsx'),
  }),
  pageRoute(parent, {
    path: '/senders/tcr-registration',
    title: '10DLC registration',
    needs: 'SENDERS:edit',
    page: () => import('./registrations/sms/TcrRegistrationPage.tsx'),
  }),
];
