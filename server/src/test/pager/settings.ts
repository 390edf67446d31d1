import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { carrierUrl } from '@parley/contract/channels/http_settings.ts';
import { z } from 'zod';
import { PAGER } from './description.ts';

export const PagerSettings = z.object({ base_url: carrierUrl('http://127.0.0.1:9') });

export const pagerSettings: AdapterSettings = {
  channel: PAGER,
  label: 'Pager',
  settings: PagerSettings,
  shown: PagerSettings,
  secrets: z.enum([]),
  defaults: PagerSettings.parse({}),
  credentials: [],
  limits: [],
};
