/** A campaign's message as a free test to the phones of the team, limited per day like the tests of Try it now. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { problem, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { IDEMPOTENCY_PROBLEMS } from '../problems/groups.ts';
import { createCampaign } from './drafts.ts';
import { previewContent } from './previews.ts';

export const MAX_TEST_PHONES = 10;

export const CampaignTestPhones = z.object({
  /** The users with a verified phone, the caller first. Of a number, only the end is shown. */
  phones: z.array(z.object({ user_id: z.string(), full_name: z.string(), number_end: z.string(), mine: z.boolean() })),
  limit: z.int(),
  /** Test messages left in the next 24 hours. */
  left: z.int(),
});
export type CampaignTestPhones = z.output<typeof CampaignTestPhones>;

export const listTestPhones = endpoint({
  id: 'campaign_test_sends.list_phones',
  method: 'GET',
  path: '/v1/campaign_test_sends/phones',
  summary: 'List the phones of the team for test messages',
  needs: 'CAMPAIGNS:add',
  audience: 'session',
  output: CampaignTestPhones,
  problems: [],
});

export const sendCampaignTest = endpoint({
  id: 'campaign_test_sends.create',
  method: 'POST',
  path: '/v1/campaign_test_sends',
  summary: 'Send a campaign’s message to phones of the team',
  needs: 'CAMPAIGNS:add',
  audience: 'session',
  body: z.object({
    channel: channel('MESSAGE_CHANNEL_INVALID'),
    from: z.string().trim().max(100),
    user_ids: z
      .array(uuid('CAMPAIGN_TEST_PHONE_INVALID'))
      .min(1, { error: problem('CAMPAIGN_TEST_PHONE_INVALID') })
      .max(MAX_TEST_PHONES, { error: problem('RECIPIENTS_LIMIT_EXCEEDED') }),
    ...previewContent,
    /** The variables get the values of this contact. Without an audience, they are empty. */
    audience: uuid('CAMPAIGN_AUDIENCE_INVALID').nullable().optional(),
    /** Index of the contact in the audience, starting at 0. */
    offset: range(0, 1_000_000).default(0),
  }),
  status: 201,
  idempotent: true,
  output: z.object({ sent: z.int(), left: z.int() }),
  problems: [
    ...IDEMPOTENCY_PROBLEMS,
    ...createCampaign.problems.filter((name) => !name.startsWith('IDEMPOTENCY')),
    'CAMPAIGN_TEST_PHONE_INVALID',
    'RECIPIENTS_LIMIT_EXCEEDED',
    'TEST_MESSAGE_LIMIT_REACHED',
  ],
});
