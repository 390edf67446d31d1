/** The runs of a repeating campaign. `filter[series_id]` of the campaign list has those that started. */
import { z } from 'zod';
import { idParams, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Campaign } from './campaigns.ts';

export const skipRun = endpoint({
  id: 'campaign_skips.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/skips',
  summary: 'Skip the next run of a repeating campaign',
  needs: 'CAMPAIGNS:edit',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  /** The time of the run, so that a repeated request skips only one run. */
  body: z.object({ schedule: timestampInput('CAMPAIGN_SCHEDULE_INVALID') }),
  status: 201,
  output: Campaign,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID', 'CAMPAIGN_SCHEDULE_INVALID', 'CAMPAIGN_SKIP_NOT_ALLOWED'],
});
