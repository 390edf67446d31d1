/** The campaign pages of each channel. They share their code; the first part of the path names the channel. */
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { pageRoute } from './kernel/session/routes.tsx';
import { campaignsPath, createCampaignPath } from './paths.ts';

export const campaignPages = (frame: AnyRoute): AnyRoute[] =>
  CHANNELS.flatMap((name) => [
    pageRoute(frame, {
      path: campaignsPath(name),
      title: `${CHANNEL_LABELS[name]} campaigns`,
      needs: 'CAMPAIGNS:view',
      page: () => import('./campaigns/list/CampaignsPage.tsx'),
    }),
    pageRoute(frame, {
      path: `${campaignsPath(name)}/$id`,
      title: `${CHANNEL_LABELS[name]} campaign`,
      needs: 'CAMPAIGNS:view',
      page: () => import('./campaigns/progress/CampaignPage.tsx'),
    }),
  ]);

export const campaignWizards = (layout: AnyRoute): AnyRoute[] =>
  CHANNELS.map((name) =>
    pageRoute(layout, {
      path: createCampaignPath(name),
      title: `Create ${CHANNEL_LABELS[name]} campaign`,
      needs: 'CAMPAIGNS:add',
      page: () => import('./campaigns/wizard/CreateCampaignPage.tsx'),
    }),
  );
