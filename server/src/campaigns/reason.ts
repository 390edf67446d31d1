/** A refusal of the gate or of a check, as the reason a campaign stands still. Null: not something its owner could mend. */
import type { CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { type Code, Problem } from '@parley/contract/problem.ts';

const REASONS: Partial<Record<Code, CampaignReason>> = {
  7909: 'balance',
  1524: 'account',
  1142: 'account',
  1504: 'sender',
  1505: 'sender',
  1603: 'sender',
  1604: 'sender',
  1625: 'sender',
  1605: 'audience',
  1606: 'audience',
  1617: 'audience',
  1618: 'audience',
  1529: 'audience',
  1607: 'text',
  1615: 'text',
  1546: 'text',
};
export const reasonOf = (error: unknown): CampaignReason | null =>
  error instanceof Problem ? (REASONS[error.code] ?? null) : null;
