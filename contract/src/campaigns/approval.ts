/** A campaign's approval by another user. */
import { z } from 'zod';
import { micros, timestamp } from '../common.ts';
import { spend } from '../spend.ts';

/** `withdrawn`: the campaign was changed, or no longer needs approval, before anyone decided. */
export const APPROVAL_STATUSES = ['requested', 'approved', 'declined', 'withdrawn'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const Person = z.object({ id: z.string(), name: z.string() });

export const CampaignApproval = z.object({
  id: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  /** The campaign's status after the approval. */
  target: z.enum(['in_progress', 'scheduled']),
  /** Number of recipients at the time of the request. */
  recipients: z.int(),
  /** The cost at the time of the request. */
  amount_micros: spend(micros),
  /** Null if an API key or the schedule started the campaign. */
  requested_by: Person.nullable(),
  request_date: timestamp,
  /** Users who cannot decide, because they created or submitted the campaign. */
  submitter_ids: z.array(z.string()),
  decided_by: Person.nullable(),
  decide_date: timestamp.nullable(),
  reason: z.string(),
});
export type CampaignApproval = z.output<typeof CampaignApproval>;
