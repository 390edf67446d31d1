/** The addresses of templates. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/routes.tsx';

const editPaths = [
  ['/library/edit/$id', 'Edit SMS template'],
  ['/library/viber-edit/$id', 'Edit Viber template'],
  ['/library/whatsapp-edit/$id', 'Edit WhatsApp template'],
] as const;

export const libraryPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: '/library',
    title: 'Messages',
    needs: 'TEMPLATES:view',
    page: () => import('./library/LibraryPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/library/create',
    title: 'Create template',
    needs: 'TEMPLATES:add',
    page: () => import('./library/CreateTemplatePage.tsx'),
  }),
  ...editPaths.map(([path, title]) =>
    pageRoute(frame, { path, title, needs: 'TEMPLATES:edit', page: () => import('./library/EditTemplatePage.tsx') }),
  ),
];
