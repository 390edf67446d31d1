/** Test-key campaigns, for users. Test keys read them with the calls for live campaigns. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { filterWord, idParams, listQuery, search, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { Campaign } from './campaigns.ts';
import { CAMPAIGN_STATUSES } from './statuses.ts';

export const listTestCampaigns = endpoint({
  id: 'test_campaigns.list',
  method: 'GET',
  path: '/v1/test_campaigns',
  summary: 'List test-key campaigns, newest first',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  query: listQuery({
    channel: filterWord(CHANNELS, 'MESSAGE_CHANNEL_INVALID'),
    search,
    statuses: wordList(CAMPAIGN_STATUSES),
    /** The runs of a repeating campaign. */
    series_id: uuid('CAMPAIGN_ID_INVALID'),
  }),
  list: true,
  output: Campaign,
  problems: ['MESSAGE_CHANNEL_INVALID', 'CAMPAIGN_ID_INVALID'],
});

export const getTestCampaign = endpoint({
  id: 'test_campaigns.get',
  method: 'GET',
  path: '/v1/test_campaigns/{id}',
  summary: 'Get a test-key campaign with its current counts',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  output: Campaign,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

/** A test-key campaign was created, changed, or deleted. */
export const testCampaignChanged = event({
  id: 'test_campaign.changed',
  modules: ['test_campaigns'],
  needs: 'CAMPAIGNS:view',
  payload: z.object({ id: z.string() }),
});
