/** The routes of links. */
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CREATE_LINK, LINK_DOMAINS, LINKS, linkPath } from './paths.ts';

export const linkPages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: LINKS,
    title: 'Link management',
    needs: 'SHORT_URLS:view',
    page: () => import('./links/LinksPage.tsx'),
  }),
  pageRoute(frame, {
    path: CREATE_LINK,
    title: 'Create link',
    needs: 'SHORT_URLS:add',
    page: () => import('./links/CreateLinkPage.tsx'),
  }),
  pageRoute(frame, {
    path: LINK_DOMAINS,
    title: 'Link domains',
    needs: 'SHORT_URLS:view',
    page: () => import('./links/DomainsPage.tsx'),
  }),
  pageRoute(frame, {
    path: linkPath('$id'),
    title: 'Link',
    needs: 'SHORT_URLS:view',
    page: () => import('./links/LinkPage.tsx'),
  }),
];
