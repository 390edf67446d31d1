/** The addresses of templates. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';

const edit = (frame: AnyRoute, address: { path: string; title: string }): AnyRoute =>
  pageRoute(frame, { ...address, needs: 'TEMPLATES:edit', page: () => import('./templates/EditTemplatePage.tsx') });

export const libraryPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/library',
    title: 'Messages',
    needs: 'TEMPLATES:view',
    page: () => import('./templates/LibraryPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/library/create',
    title: 'Create template',
    needs: 'TEMPLATES:add',
    page: () => import('./templates/CreateTemplatePage.tsx'),
  }),
  edit(frame, { path: '/library/edit/$id', title: 'Edit SMS template' }),
  edit(frame, { path: '/library/viber-edit/$id', title: 'Edit Viber template' }),
  edit(frame, { path: '/library/whatsapp-edit/$id', title: 'Edit WhatsApp template' }),
];
