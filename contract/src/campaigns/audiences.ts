/** Audiences of the recipients of a campaign, or of the contacts that it skipped. */
import { z } from 'zod';
import { AUDIENCE_LINKS, Audience, audienceName } from '../audiences/audiences.ts';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { IDEMPOTENCY_PROBLEMS } from '../problems/groups.ts';
import { SKIP_REASONS } from './campaigns.ts';
import { RESPONSES } from './recipients.ts';
import { RECIPIENT_BUCKETS } from './statuses.ts';

/** The groups of contacts that an audience can be created from. */
export const AUDIENCE_BUCKETS = [...RECIPIENT_BUCKETS, 'skipped', 'unsent'] as const;

export const createRecipientsAudience = endpoint({
  id: 'campaign_audiences.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/audiences',
  summary: 'Create an audience of a campaign’s recipients, or of the contacts it skipped',
  needs: 'AUDIENCES:add',
  params: idParams('CAMPAIGN_ID_INVALID'),
  body: z.object({
    /** A number is added if the name is taken. By default, the names of the campaign and of the group. */
    name: audienceName.optional(),
    /** `skipped`: the contacts that the campaign skipped. `unsent`: those for whom it was canceled first. */
    bucket: z.enum(AUDIENCE_BUCKETS).default('all'),
    response: z.enum(RESPONSES).optional(),
    /** Why the contacts were skipped. */
    reason: z.enum(SKIP_REASONS).optional(),
    /** The start of a number, or part of a contact's name. */
    search: z.string().trim().max(100).optional(),
  }),
  timeout_ms: 60_000,
  status: 201,
  idempotent: true,
  output: Audience,
  links: AUDIENCE_LINKS,
  problems: [
    ...IDEMPOTENCY_PROBLEMS,
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_NO_RECIPIENTS',
    'AUDIENCE_NAME_REQUIRED',
    'AUDIENCE_NAME_INVALID',
    'AUDIENCE_NAME_TOO_LONG',
  ],
});
