/** The routes of templates. */
import type { ChannelRules } from '@parley/contract/channels/channel.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CREATE_TEMPLATE, editTemplatePath, LIBRARY } from './paths.ts';

const editRoute = (frame: AnyRoute, { name, label }: ChannelRules): AnyRoute =>
  pageRoute(frame, {
    path: editTemplatePath({ channel: name, id: '$id' }),
    title: `Edit ${label} template`,
    needs: 'TEMPLATES:edit',
    page: () => import('./templates/EditTemplatePage.tsx'),
  });

export const templatePages = (frame: AnyRoute): AnyRoute[] => [
  pageRoute(frame, {
    path: LIBRARY,
    title: 'Messages',
    needs: 'TEMPLATES:view',
    page: () => import('./templates/TemplatesPage.tsx'),
  }),
  pageRoute(frame, {
    path: CREATE_TEMPLATE,
    title: 'Create template',
    needs: 'TEMPLATES:add',
    page: () => import('./templates/CreateTemplatePage.tsx'),
  }),
  ...ALL_CHANNELS.map((channel) => editRoute(frame, channel)),
];
