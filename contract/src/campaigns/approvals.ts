/** Decisions about campaigns that need another user's approval. API keys cannot approve. */
import { z } from 'zod';
import { idParams, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CampaignApproval } from './approval.ts';
import { Campaign } from './campaigns.ts';
import { START_PROBLEMS } from './drafts.ts';

export const MAX_REASON = 500;

export const ApprovalEntry = CampaignApproval.extend({
  /** When a change to the campaign ended the approval. */
  void_date: timestamp.nullable(),
});
export type ApprovalEntry = z.output<typeof ApprovalEntry>;

export const listApprovals = endpoint({
  id: 'campaign_approvals.list',
  method: 'GET',
  path: '/v1/campaigns/{id}/approvals',
  summary: 'List the latest 100 requests to approve a campaign, newest first',
  needs: 'CAMPAIGNS:view',
  params: idParams('CAMPAIGN_ID_INVALID'),
  output: z.array(ApprovalEntry),
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

/**
 * The approval starts or schedules the campaign. It is refused if the campaign can no longer start. A declined campaign
 * stays a draft.
 */
export const decideApproval = endpoint({
  id: 'campaign_approvals.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/approvals',
  summary: 'Approve or decline a campaign',
  needs: 'CAMPAIGNS:edit',
  audience: 'person',
  params: idParams('CAMPAIGN_ID_INVALID'),
  body: z.object({
    /** The request that the user has seen. */
    approval_id: uuid(),
    decision: z.enum(['approved', 'declined']),
    /** Required to decline. */
    reason: z.string().trim().max(MAX_REASON).default(''),
  }),
  status: 201,
  output: Campaign,
  problems: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_APPROVAL_OUTDATED',
    'CAMPAIGN_APPROVAL_NOT_ALLOWED',
    'CAMPAIGN_REASON_REQUIRED',
    ...START_PROBLEMS,
  ],
});
