/** The routes of templates. */
import { CHANNEL_LABELS, CHANNELS, type ChannelName } from '@parley/contract/channels/names.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { CREATE_TEMPLATE, editTemplatePath, LIBRARY } from './paths.ts';

const editRoute = (frame: AnyRoute, channel: ChannelName): AnyRoute =>
  pageRoute(frame, {
    path: editTemplatePath({ channel, id: '$id' }),
    title: `Edit ${CHANNEL_LABELS[channel]} template`,
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
  ...CHANNELS.map((channel) => editRoute(frame, channel)),
];
